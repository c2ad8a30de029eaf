/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/search/correct.h"
#include "index/search/correct-words.h"
#include "index/search/spellings.h"
#include "index/search/term-visible.h"
#include "index/fts/term-scan.h"
#include "index/text/typo.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

enum {
	MAX_CORRECTED_WORDS = 12, /* a longer query is not corrected */
	MAX_MISSING = 3, /* words that are corrected together */
	MAX_TRIED = 3, /* words that exist and are tried, one at a time */
	RARE = 40, /* documents */
	BEAM = 6, /* corrections that are followed while words are missing */
	BEST = 6, /* corrections whose words are looked for beside each other */
	CHECKED = 4, /* corrections that are run */
	PASSES = 2, /* a word that exists may be wrong beside one that does not */
	/* If words exist, the correction must find so many times more, and at least so much. */
	TIMES_MORE = 10,
	LEAST_MORE = 3,
	TIMES_RARER = 3, /* than its correction is a word that is doubted beside others */
	/* Words of up to SHORT letters that are one edit apart are often both words, of LONG
	 * letters and more hardly ever: these are doubted however many hits there are. If the edit
	 * is a slip (TYPO_SLIP), or the company tells, SLIP_TIMES as many documents are enough. */
	SHORT = 5,
	LONG = 8,
	SLIP_TIMES = 2,
	/* If nothing has the words of the query together, a word may be wrong that is not rare: if
	 * a slip of this cost makes it one that stands beside its neighbour so often. */
	COMPANY_COST = TYPO_COMMON,
	COMPANY_PAIRS = 5,
	SHORTEST_RARE = 4,
};

/* How much a cost of one edit, documents that have the word without the others, and documents that
 * have it beside the next word weigh. The numbers of documents count by their natural logarithm.
 * Set with bench/spelling.py. */
static const double weight_of_edit = 4.5, weight_of_word = 0.3, weight_of_pair = 0.7;
/* Documents that have all words. If there is only one word, they are those that have it, which tell
 * less than company. */
static const double weight_of_all = 1, weight_of_all_alone = 0.3;
/* How much of that counts which words of their frequency would have in common by chance: frequent
 * words share documents with everything. */
static const double weight_of_chance = 0.9;
/* A word that need not match is better corrected than left. */
static const double weight_of_missing = 12;

typedef struct {
	const Repair *repairs[MAX_MISSING + 1];
	guint n;
	bool any; /* held is all documents */
	Occurrences held; /* what has the repairs, and the other words that must match */
	double chance; /* how many there would be if the words had nothing to do with each other */
	double score; /* of the repairs */
	double rank; /* with the number of documents that have everything */
	unsigned times; /* it must find so many times more than the typed query */
} Correction;

static void correction_clear(void *correction)
{
	occurrences_clear(&((Correction *)correction)->held);
}

static GArray *corrections_new(void)
{
	GArray *corrections = g_array_new(FALSE, TRUE, sizeof(Correction));
	g_array_set_clear_func(corrections, correction_clear);
	return corrections;
}

static int corrections_compare(const void *a, const void *b)
{
	const Correction *x = a, *y = b;
	return (x->rank < y->rank) - (x->rank > y->rank);
}

static bool correction_covers(const Correction *correction, guint word)
{
	for (guint i = 0; i < correction->n; i++)
		if (word - correction->repairs[i]->first < correction->repairs[i]->n)
			return true;
	return false;
}

static void correction_keep(Correction *correction, const Occurrences *held)
{
	if (correction->any)
		occurrences_copy(&correction->held, held);
	else
		occurrences_intersect(&correction->held, held);
	correction->any = false;
}

/* The documents with the words that must match, without n of them. */
static Correction correction_without(const GArray *words, guint first, guint n)
{
	Correction correction = {.any = true, .times = TIMES_MORE};
	for (guint i = 0; i < words->len; i++) {
		const CorrectWord *word = &g_array_index(words, CorrectWord, i);
		if (i - first >= n && word->together && !word->missing && !word->held.cut)
			correction_keep(&correction, &word->held);
	}
	return correction;
}

/* Adds the base with one more repair. documents: of the index. */
static void corrections_add(GArray *corrections, const Correction *base, const Repair *repair,
        bool together, double documents)
{
	Correction next = *base;
	next.held = (Occurrences){NULL};
	if (!next.any)
		occurrences_copy(&next.held, &base->held);
	next.repairs[next.n++] = repair;
	if (together) {
		double share = occurrences_count(&repair->held) / documents;
		next.chance = (base->any             ? documents
		                      : base->n == 0 ? occurrences_count(&base->held)
		                                     : base->chance) *
		              MIN(share, 1);
		correction_keep(&next, &repair->held);
	}
	double words = log1p(occurrences_count(&repair->held));
	next.score += weight_of_word * words - weight_of_edit * repair->cost / TYPO_EDIT;
	g_array_append_val(corrections, next);
}

/* Sorts by the score and the number of documents that have everything. The best one comes first. */
static void corrections_sort(GArray *corrections, guint most, bool several)
{
	for (guint i = 0; i < corrections->len; i++) {
		Correction *correction = &g_array_index(corrections, Correction, i);
		unsigned all = correction->any ? 0 : occurrences_count(&correction->held);
		double weight = several ? weight_of_all : weight_of_all_alone;
		double chance = several ? weight_of_chance * log1p(correction->chance) : 0;
		correction->rank = correction->score + weight * (log1p(all) - chance);
	}
	g_array_sort(corrections, corrections_compare);
	if (corrections->len > most)
		g_array_set_size(corrections, most);
}

/* The folded text of a word after the correction. */
static const char *correction_word(const Correction *correction, const GArray *words, guint word)
{
	for (guint i = 0; i < correction->n; i++)
		if (word - correction->repairs[i]->first < correction->repairs[i]->n)
			return correction->repairs[i]->text;
	const CorrectWord *w = &g_array_index(words, CorrectWord, word);
	return w->node->tokens[w->token];
}

/* ---- which words are corrected */

typedef struct {
	Reader *r;
	const Query *query;
	const CorrectionRequest *request;
	GArray *words; /* CorrectWord */
	GPtrArray *repairs; /* GArray of Repair: what the corrections point to */
	bool doubted; /* all words exist */
	bool several; /* there is more than one word */
	double documents; /* number of those of the index */
	int64_t deadline_us; /* monotonic: of all the work for a query */
	Spellings *spellings; /* gets the words of the hits of the correction */
} Corrector;

/* Milliseconds that are left, at least one. */
static unsigned corrector_ms_left(const Corrector *c)
{
	return MAX((c->deadline_us - g_get_monotonic_time()) / 1000, 1);
}

static bool corrector_has_time(const Corrector *c)
{
	return g_get_monotonic_time() < c->deadline_us;
}

/* Returns an empty list that lives as long as the corrections. */
static GArray *corrector_new_repairs(Corrector *c)
{
	GArray *repairs = g_array_new(FALSE, FALSE, sizeof(Repair));
	g_array_set_clear_func(repairs, repair_clear);
	g_ptr_array_add(c->repairs, repairs);
	return repairs;
}

/* Returns the repairs of a word of at most this cost; NULL with error. */
static const GArray *corrector_repairs(Corrector *c, guint word, unsigned most_cost, GError **error)
{
	GArray *repairs = corrector_new_repairs(c);
	return repairs_of_word(c->r, c->words, word, most_cost, repairs, error) ? repairs : NULL;
}

static unsigned corrector_count_missing(const Corrector *c)
{
	unsigned n = 0;
	for (guint i = 0; i < c->words->len; i++)
		n += g_array_index(c->words, CorrectWord, i).missing;
	return n;
}

/* Adds each pair of words that is one word. If words are missing, one of them must be among the
 * two. */
static bool corrector_add_joins(Corrector *c, bool missing, GArray *out, GError **error)
{
	for (guint i = 0; i + 1 < c->words->len; i++) {
		const CorrectWord *word = &g_array_index(c->words, CorrectWord, i);
		if (missing && !word[0].missing && !word[1].missing)
			continue;
		GArray *repairs = corrector_new_repairs(c);
		if (!repairs_join(c->r, c->query, c->words, i, repairs, error))
			return false;
		if (repairs->len == 0)
			continue;
		Correction base = correction_without(c->words, i, 2);
		corrections_add(out, &base, &g_array_index(repairs, Repair, 0), true, c->documents);
		correction_clear(&base);
	}
	return true;
}

/* Corrects one more word in each of the corrections, which are replaced. A word that need not match
 * may also stay. */
static bool corrector_extend(Corrector *c, guint word, GArray **corrections, GError **error)
{
	const GArray *repairs = corrector_repairs(c, word, TYPO_FAR, error);
	bool together = g_array_index(c->words, CorrectWord, word).together;
	if (!repairs)
		return false;
	GArray *next = corrections_new();
	for (guint i = 0; i < (*corrections)->len; i++) {
		Correction *base = &g_array_index(*corrections, Correction, i);
		for (guint k = 0; k < repairs->len && !correction_covers(base, word); k++)
			corrections_add(next, base, &g_array_index(repairs, Repair, k), together,
			        c->documents);
		if (!correction_covers(base, word) && together)
			continue;
		if (!correction_covers(base, word))
			base->score -= weight_of_missing;
		g_array_append_val(next, *base);
		base->held = (Occurrences){NULL};
	}
	corrections_sort(next, BEAM, c->several);
	g_array_unref(*corrections);
	*corrections = next;
	return true;
}

static bool corrector_correct_missing(Corrector *c, GArray **corrections, GError **error)
{
	Correction none = correction_without(c->words, 0, 0);
	g_array_append_val(*corrections, none);
	if (!corrector_add_joins(c, true, *corrections, error))
		return false;
	for (guint i = 0; i < c->words->len; i++)
		if (g_array_index(c->words, CorrectWord, i).missing &&
		        !corrector_extend(c, i, corrections, error))
			return false;
	return true;
}

static bool corrector_has_word(const Corrector *c, const char *text)
{
	for (guint i = 0; i < c->words->len; i++) {
		const CorrectWord *word = &g_array_index(c->words, CorrectWord, i);
		if (strcmp(word->node->tokens[word->token], text) == 0)
			return true;
	}
	return false;
}

static glong correct_letters(const CorrectWord *word)
{
	return g_utf8_strlen(word->node->tokens[word->token], -1);
}

static bool correct_is_slip(const CorrectWord *word, const Repair *repair)
{
	return correct_letters(word) >= LONG && repair->cost <= TYPO_SLIP;
}

/* Is the text another form of the word? */
static bool correct_is_form(const CorrectWord *word, const char *text)
{
	char **forms = word->node->forms ? word->node->forms[word->token] : NULL;
	return forms && g_strv_contains((const char *const *)forms, text);
}

/* Counts the documents and names that have a word itself, up to more than RARE. */
static bool correct_count_typed(Reader *r, const char *word, unsigned *count_r, GError **error)
{
	uint64_t texts, names;
	if (!terms_count_documents(r, TERMS_OF_TEXT, &word, 1, RARE + 1, &texts, error) ||
	        !terms_count_documents(r, TERMS_OF_NAMES, &word, 1, RARE + 1, &names, error))
		return false;
	*count_r = texts + names;
	return true;
}

/* A word that exists is doubted only if it is rare, and the other one frequent and near. If the
 * query has the other one too, the person knows the difference: "price prize". */
static bool corrector_is_better(const Corrector *c, const CorrectWord *word, const Repair *repair)
{
	unsigned times = correct_is_slip(word, repair)                    ? SLIP_TIMES
	                 : c->several && c->request->total <= CORRECT_FEW ? TIMES_RARER
	                                                                  : TIMES_MORE;
	if (corrector_has_word(c, repair->text) || correct_is_form(word, repair->text) ||
	        repair->cost > TYPO_EDIT ||
	        (correct_letters(word) <= SHORT && repair->cost > COMPANY_COST))
		return false;
	return occurrences_count(&repair->held) >= MAX(times * word->typed, LEAST_MORE);
}

/* *count_r: how often the text stands before or after its neighbours in the query. */
static bool corrector_count_beside(
        const Corrector *c, guint word, const char *text, unsigned *count_r, GError **error)
{
	*count_r = 0;
	for (guint i = word > 0 ? word - 1 : 0; i <= word && i + 1 < c->words->len; i++) {
		const CorrectWord *a = &g_array_index(c->words, CorrectWord, i), *b = a + 1;
		if (!correct_is_followed(c->query, c->words, i))
			continue;
		g_autofree char *pair =
		        g_strdup_printf("%s %s", i == word ? text : a->node->tokens[a->token],
		                i == word ? b->node->tokens[b->token] : text);
		unsigned n;
		if (!occurrences_count_phrase(c->r, pair, &n, error))
			return false;
		*count_r = MAX(*count_r, n);
	}
	return true;
}

/* *beside_r: does the repair often stand beside a neighbour, where the word does not? */
static bool corrector_stands_beside(
        const Corrector *c, guint word, const char *repair, bool *beside_r, GError **error)
{
	const CorrectWord *w = &g_array_index(c->words, CorrectWord, word);
	unsigned typed = 0, meant;
	if (!corrector_count_beside(c, word, repair, &meant, error) ||
	        (c->request->total > 0 &&
	                !corrector_count_beside(c, word, w->node->tokens[w->token], &typed, error)))
		return false;
	*beside_r = meant >= MAX(TIMES_RARER * typed, COMPANY_PAIRS);
	return true;
}

/* How much a word is doubted that exists. */
typedef enum {
	DOUBT_NOT, /* it is frequent: only company may tell */
	DOUBT_SLIP, /* a text has it twice */
	DOUBT_ANY
} Doubt;

/* *times_r: how many times more the query must find with the repair of a word that exists; 0: it
 * is not worth a try. */
static bool corrector_accepts(const Corrector *c, guint word, const Repair *repair, Doubt doubt,
        unsigned *times_r, GError **error)
{
	const CorrectWord *w = &g_array_index(c->words, CorrectWord, word);
	bool slip = correct_is_slip(w, repair), beside = false;
	bool better = (doubt == DOUBT_ANY || (doubt == DOUBT_SLIP && slip)) &&
	              corrector_is_better(c, w, repair);
	*times_r = !better ? 0 : slip ? SLIP_TIMES : TIMES_MORE;
	if (slip || c->request->total > CORRECT_FEW || !c->several || repair->cost > COMPANY_COST ||
	        corrector_has_word(c, repair->text) ||
	        occurrences_count(&repair->held) < occurrences_count(&w->held))
		return true;
	if (!corrector_stands_beside(c, word, repair->text, &beside, error))
		return false;
	*times_r = beside ? SLIP_TIMES : *times_r;
	return true;
}

static bool corrector_correct_existing_word(
        Corrector *c, guint word, Doubt doubt, GArray *out, GError **error)
{
	unsigned most_cost = doubt == DOUBT_ANY ? TYPO_FAR : COMPANY_COST;
	const GArray *repairs = corrector_repairs(c, word, most_cost, error);
	bool ok = repairs != NULL;
	Correction base = correction_without(c->words, word, 1);
	for (guint i = 0; ok && i < repairs->len; i++) {
		const Repair *repair = &g_array_index(repairs, Repair, i);
		ok = corrector_accepts(c, word, repair, doubt, &base.times, error);
		if (ok && base.times > 0)
			corrections_add(out, &base, repair, true, c->documents);
	}
	correction_clear(&base);
	return ok;
}

/* A word that is written with marks, and exists, is meant: café is not a mistake for case. */
static bool corrector_is_marked(const Corrector *c, const CorrectWord *word)
{
	for (size_t i = word->begin; i < word->end; i++)
		if (c->query->text[i] & 0x80)
			return g_str_is_ascii(word->node->tokens[word->token]);
	return false;
}

static bool corrector_may_be_wrong(const Corrector *c, const CorrectWord *word)
{
	glong least = c->request->total <= CORRECT_FEW ? SHORTEST_RARE : LONG;
	return word->together && !corrector_is_marked(c, word) && correct_is_plain(word) &&
	       !word->held.cut && correct_letters(word) >= least;
}

/* *doubt_r: is the word so rare that it may be a mistake? Who writes a word twice in one text
 * means it, be it a name or a word that is seldom used. */
static bool corrector_doubt(
        Corrector *c, Visible *visible, CorrectWord *word, Doubt *doubt_r, GError **error)
{
	const char *token = word->node->tokens[word->token];
	bool repeated = false;
	*doubt_r = DOUBT_NOT;
	if (!corrector_may_be_wrong(c, word))
		return true;
	if (!correct_count_typed(c->r, token, &word->typed, error))
		return false;
	if (word->typed > RARE)
		return true;
	if (!term_visible_repeated(c->r, visible, token, &repeated, error))
		return false;
	*doubt_r = repeated ? DOUBT_SLIP : DOUBT_ANY;
	return true;
}

static bool corrector_correct_existing(Corrector *c, Visible *visible, GArray *out, GError **error)
{
	unsigned tried = 0;
	bool few = c->request->total <= CORRECT_FEW;
	for (guint i = 0; i < c->words->len && tried < MAX_TRIED; i++) {
		CorrectWord *word = &g_array_index(c->words, CorrectWord, i);
		Doubt doubt;
		if (!corrector_doubt(c, visible, word, &doubt, error))
			return false;
		if (doubt == DOUBT_NOT && (!few || !c->several || !corrector_may_be_wrong(c, word)))
			continue;
		tried++;
		if (!corrector_correct_existing_word(c, i, doubt, out, error))
			return false;
	}
	return !few || corrector_add_joins(c, false, out, error);
}

/* ---- words beside each other */

/* Adds to the rank of a correction how often its words stand beside their neighbours. */
static bool corrector_rank_pairs(Corrector *c, Correction *correction, GError **error)
{
	for (guint i = 0; i + 1 < c->words->len; i++) {
		bool here = correction_covers(correction, i),
		     next = correction_covers(correction, i + 1);
		const char *a = correction_word(correction, c->words, i),
		           *b = correction_word(correction, c->words, i + 1);
		if ((!here && !next) || a == b || !correct_is_followed(c->query, c->words, i))
			continue;
		g_autofree char *pair = g_strdup_printf("%s %s", a, b);
		unsigned n;
		if (!occurrences_count_phrase(c->r, pair, &n, error))
			return false;
		correction->rank += weight_of_pair * log1p(n);
	}
	return true;
}

static bool corrector_rank_best(Corrector *c, GArray *corrections, GError **error)
{
	for (guint i = 0; i < corrections->len && i < BEST; i++)
		if (!corrector_rank_pairs(c, &g_array_index(corrections, Correction, i), error))
			return false;
	g_array_sort(corrections, corrections_compare);
	return true;
}

/* ---- the text */

static int repair_compare_places(const void *a, const void *b)
{
	const Repair *x = *(const Repair *const *)a, *y = *(const Repair *const *)b;
	return (x->first < y->first) - (x->first > y->first);
}

/* Replaces words from the last to the first, so that their places stay right. NULL: their places
 * overlap. */
static char *correction_text(const Corrector *c, Correction *correction)
{
	g_autoptr(GString) text = g_string_new(c->query->text);
	size_t replaced = text->len; /* from here on */
	qsort(correction->repairs, correction->n, sizeof *correction->repairs,
	        repair_compare_places);
	for (guint i = 0; i < correction->n; i++) {
		const Repair *repair = correction->repairs[i];
		const CorrectWord *first = &g_array_index(c->words, CorrectWord, repair->first);
		size_t end = first[repair->n - 1].end;
		if (first->begin >= end || end > replaced)
			return NULL;
		replaced = first->begin;
		g_autofree char *word = correct_spell(text->str + first->begin, end - first->begin,
		        first->node->tokens[first->token], repair->text);
		g_string_erase(text, first->begin, end - first->begin);
		g_string_insert(text, first->begin, word);
	}
	return g_string_free(g_steal_pointer(&text), FALSE);
}

/* ---- checks */

static bool correction_is_visible(Corrector *c, Visible *visible, const Correction *correction,
        bool *visible_r, GError **error)
{
	*visible_r = true;
	for (guint i = 0; i < correction->n; i++) {
		g_auto(GStrv) terms = g_strsplit(correction->repairs[i]->text, " ", -1);
		for (char **term = terms; *term && *visible_r; term++)
			if (!term_visible(c->r, visible, *term, visible_r, error))
				return false;
	}
	return true;
}

/* A corrected query. */
typedef struct {
	char *text;
	unsigned times; /* it must find so many times more than the typed one */
	bool joins; /* it has the same letters: pairs of words are one word */
} CorrectedText;

static void corrected_text_clear(void *text)
{
	g_free(((CorrectedText *)text)->text);
}

static bool correction_only_joins(const Correction *correction)
{
	for (guint i = 0; i < correction->n; i++)
		if (correction->repairs[i]->n == 1)
			return false;
	return true;
}

/* Returns the texts of the best corrections whose words may be told: CorrectedText. */
static GArray *corrector_texts(
        Corrector *c, Visible *visible, const GArray *corrections, GError **error)
{
	g_autoptr(GArray) texts = g_array_new(FALSE, FALSE, sizeof(CorrectedText));
	g_array_set_clear_func(texts, corrected_text_clear);
	for (guint i = 0; i < corrections->len && texts->len < CHECKED; i++) {
		Correction *correction = &g_array_index(corrections, Correction, i);
		bool told;
		if (!correction_is_visible(c, visible, correction, &told, error))
			return NULL;
		CorrectedText text = {
		        .times = correction->times, .joins = correction_only_joins(correction)};
		text.text = told && correction->n > 0 ? correction_text(c, correction) : NULL;
		if (text.text)
			g_array_append_val(texts, text);
	}
	return g_steal_pointer(&texts);
}

/* How many hits it must have. Words that exist are seldom wrong, but if nothing has them together,
 * they are parts of the word that exists ("konto auszug"). */
static uint64_t corrector_least(const Corrector *c, const CorrectedText *text)
{
	uint64_t total = c->request->total;
	return !c->doubted || (total == 0 && text->joins) ? 1
	                                                  : MAX(text->times * total, LEAST_MORE);
}

/* *query_r: the query of the text if it finds more than the typed one, and much more if that finds
 * something, with the number of its hits; else NULL. An invalid query finds nothing;
 * after another error of the search, as that the user stopped it, the next one must not be run. */
static bool corrector_run(const Corrector *c, const CorrectedText *text, Query **query_r,
        uint64_t *total_r, GError **error)
{
	g_autoptr(GError) local = NULL;
	const CorrectionRequest *request = c->request;
	SearchOptions options = *request->options;
	g_autoptr(Query) query = request->parse(text->text, request->data);
	options.limit = c->spellings ? SPELLINGS_HITS : 1;
	options.offset = 0;
	options.by_words = options.count = false;
	options.max_ms = corrector_ms_left(c);
	*query_r = NULL;
	g_autoptr(SearchResult) result = query ? search_run(c->r, query, &options, &local) : NULL;
	if (local && local->domain != QUERY_ERROR) {
		g_propagate_error(error, g_steal_pointer(&local));
		return false;
	}
	if (!result || result->hits->len == 0 || result->total < corrector_least(c, text))
		return true;
	*total_r = result->total;
	*query_r = g_steal_pointer(&query);
	if (c->spellings)
		spellings_add_hits(c->spellings, c->r, result->hits);
	return true;
}

static GArray *corrector_find(Corrector *c, Visible *visible, GError **error)
{
	GArray *corrections = corrections_new();
	bool ok = (c->words = correct_words(c->r, visible, c->query, MAX_CORRECTED_WORDS, error)) !=
	          NULL;
	unsigned missing = ok ? corrector_count_missing(c) : 0;
	c->several = ok && c->words->len > 1;
	uint64_t documents = 0;
	ok = ok && reader_count(c->r, "SELECT value FROM meta WHERE key = 'documents'", &documents,
	                   error);
	c->documents = MAX(documents, 1);
	if (ok && missing > 0 && missing <= MAX_MISSING) {
		ok = corrector_correct_missing(c, &corrections, error);
	} else if (ok && missing == 0) {
		c->doubted = true;
		ok = corrector_correct_existing(c, visible, corrections, error);
		corrections_sort(corrections, BEST, c->several);
	}
	ok = ok && corrector_rank_best(c, corrections, error);
	GArray *texts = ok ? corrector_texts(c, visible, corrections, error) : NULL;
	g_array_unref(corrections);
	return texts;
}

static bool corrector_wants_others(const Corrector *c)
{
	const GPtrArray *others = c->request->others;
	return others && others->len < CORRECT_OTHERS && corrector_has_time(c);
}

/* Keeps a text that finds more too. */
static bool corrector_try_other(const Corrector *c, const CorrectedText *text, GError **error)
{
	uint64_t total;
	Query *query;
	if (!corrector_run(c, text, &query, &total, error))
		return false;
	if (query)
		g_ptr_array_add(c->request->others, g_strdup(text->text));
	query_free(query);
	return true;
}

/* *corrected_r: the query of the first text that finds more, or NULL. */
static bool corrector_correct(Corrector *c, Query **corrected_r, uint64_t *total_r, GError **error)
{
	g_autoptr(Visible) visible = visible_new(c->r, geteuid(), error);
	*corrected_r = NULL;
	if (!visible || !reader_begin(c->r, corrector_ms_left(c), error))
		return false;
	c->repairs = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
	g_autoptr(GArray) texts = corrector_find(c, visible, error);
	reader_end(c->r);
	bool ok = texts != NULL;
	guint i = 0;
	for (; ok && i < texts->len && !*corrected_r && corrector_has_time(c); i++)
		ok = corrector_run(
		        c, &g_array_index(texts, CorrectedText, i), corrected_r, total_r, error);
	c->spellings = NULL;
	for (; ok && i < texts->len && *corrected_r && corrector_wants_others(c); i++)
		ok = corrector_try_other(c, &g_array_index(texts, CorrectedText, i), error);
	g_clear_pointer(&c->words, g_array_unref);
	g_ptr_array_unref(c->repairs);
	return ok;
}

/* ---- queries that find much */

/* *rare_r: is a long word among those of the node that few documents have? This costs next to
 * nothing where all words are frequent. */
static bool correct_has_rare_word(Reader *r, const QueryNode *node, bool *rare_r, GError **error)
{
	if (node->op == QUERY_WORDS && !node->pattern && node->edits == 0 && !node->tokens[1] &&
	        g_utf8_strlen(node->tokens[0], -1) >= LONG) {
		unsigned typed;
		if (!correct_count_typed(r, node->tokens[0], &typed, error))
			return false;
		*rare_r = typed <= RARE;
	}
	if (node->op != QUERY_AND)
		return true;
	for (guint i = 0; i < node->children->len && !*rare_r; i++)
		if (!correct_has_rare_word(r, node->children->pdata[i], rare_r, error))
			return false;
	return true;
}

/* *wanted_r: does the query find little, or has it a word that may be wrong all the same? */
static bool correct_is_wanted(
        Reader *r, const Query *query, uint64_t total, bool *wanted_r, GError **error)
{
	*wanted_r = total <= CORRECT_FEW;
	if (*wanted_r)
		return true;
	if (!reader_begin(r, CORRECT_MAX_MS, error))
		return false;
	bool ok = correct_has_rare_word(r, query->root, wanted_r, error);
	reader_end(r);
	return ok;
}

bool reader_correct(Reader *r, const Query *query, const CorrectionRequest *typed, char **text_r,
        GError **error)
{
	CorrectionRequest request = *typed;
	g_autoptr(Query) last = NULL;
	g_autoptr(Spellings) spellings = spellings_new(query->text);
	int64_t deadline_us = g_get_monotonic_time() + CORRECT_MAX_MS * INT64_C(1000);
	bool more;
	bool ok = correct_is_wanted(r, query, request.total, &more, error);
	*text_r = NULL;
	for (int pass = 0; ok && more && pass < PASSES; pass++) {
		Corrector c = {.r = r,
		        .query = last ? last : query,
		        .request = &request,
		        .deadline_us = deadline_us,
		        .spellings = spellings};
		Query *corrected;
		ok = corrector_correct(&c, &corrected, &request.total, error);
		if (!ok || !corrected)
			break;
		request.others = NULL; /* they are those of the first pass */
		more = c.several && request.total <= CORRECT_FEW;
		query_free(last);
		last = corrected;
		g_free(*text_r);
		*text_r = spellings_apply(spellings, last->text);
	}
	return ok;
}
