/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/search/correct-words.h"
#include "common/base/text.h"
#include "index/search/compounds.h"
#include "index/search/search-private.h"
#include "index/search/term-visible.h"
#include "index/search/typo-candidates.h"
#include "index/fts/term-scan.h"
#include "index/text/typo.h"
#include <string.h>

enum {
	MANY_DOCUMENTS = 10000, /* of a word that is spelt right */
	CANDIDATE_DOCUMENTS = 8192,
	PHRASE_DOCUMENTS = 500,
	NAMED_ENTRIES = 300,
	SPLITS = 12,
	SHORTEST_SPLIT = 5,
	COST_SPLIT = 70,
	COST_JOIN = 60,
	COST_COMPOUND = 20, /* the typed letters are right */
	MOST_COMPOUNDS = 3,
};

/* ---- where words occur */

void occurrences_clear(Occurrences *o)
{
	g_clear_pointer(&o->documents, g_array_unref);
	g_clear_pointer(&o->entries, g_array_unref);
}

static void occurrences_init(Occurrences *o)
{
	*o = (Occurrences){.documents = g_array_new(FALSE, FALSE, sizeof(int64_t)),
	        .entries = g_array_new(FALSE, FALSE, sizeof(int64_t))};
}

unsigned occurrences_count(const Occurrences *o)
{
	return o->documents->len + o->entries->len;
}

static void ids_intersect(GArray *ids, const GArray *other)
{
	int64_t *data = (int64_t *)(void *)ids->data;
	guint kept = 0;
	for (guint i = 0; i < ids->len; i++)
		if (search_contains(other, data[i]))
			data[kept++] = data[i];
	g_array_set_size(ids, kept);
}

void occurrences_intersect(Occurrences *o, const Occurrences *other)
{
	if (other->cut && !o->cut) /* so many documents have it that it tells little */
		return;
	ids_intersect(o->documents, other->documents);
	ids_intersect(o->entries, other->entries);
}

void occurrences_copy(Occurrences *o, const Occurrences *other)
{
	o->documents = g_array_copy(other->documents);
	o->entries = g_array_copy(other->entries);
	o->cut = other->cut;
}

/* The entries whose name matches, and their documents. */
static bool occurrences_add_names(Reader *r, const char *expression, Occurrences *o, GError **error)
{
	static const char sql[] =
	        "SELECT n.id, coalesce(d.id, 0) FROM "
	        "(SELECT rowid AS id FROM name WHERE name MATCH ?1 LIMIT ?2) m "
	        "CROSS JOIN node n ON n.id = m.id CROSS JOIN inode i ON i.id = n.inode "
	        "LEFT JOIN document d ON d.content = i.content";
	sqlite3_stmt *statement = reader_statement(r, sql, error);
	if (!statement)
		return false;
	sqlite3_bind_text(statement, 1, expression, -1, SQLITE_STATIC);
	sqlite3_bind_int(statement, 2, NAMED_ENTRIES);
	int row;
	while ((row = reader_step(r, statement, error)) > 0) {
		int64_t entry = sqlite3_column_int64(statement, 0),
		        document = sqlite3_column_int64(statement, 1);
		g_array_append_val(o->entries, entry);
		if (document != 0)
			g_array_append_val(o->documents, document);
	}
	sqlite3_reset(statement);
	return row == 0;
}

static bool occurrences_add_texts(
        Reader *r, const char *expression, guint most, Occurrences *o, GError **error)
{
	static const char sql[] = "SELECT rowid FROM text WHERE text MATCH ?1 LIMIT ?2";
	sqlite3_stmt *statement = reader_statement(r, sql, error);
	if (!statement)
		return false;
	sqlite3_bind_text(statement, 1, expression, -1, SQLITE_STATIC);
	sqlite3_bind_int(statement, 2, (int)most);
	int row;
	while ((row = reader_step(r, statement, error)) > 0) {
		int64_t document = sqlite3_column_int64(statement, 0);
		g_array_append_val(o->documents, document);
	}
	sqlite3_reset(statement);
	o->cut = o->documents->len >= most;
	return row == 0;
}

static void occurrences_sort(Occurrences *o)
{
	search_sort_ids(o->documents);
	search_sort_ids(o->entries);
}

static bool occurrences_add_posting(void *data, const TermPosting *posting)
{
	GArray *documents = data;
	if (!posting->deleted)
		g_array_append_val(documents, posting->document);
	return documents->len < CANDIDATE_DOCUMENTS;
}

/* Of one term of the vocabulary. */
static bool occurrences_of_term(
        Reader *r, const char *term, const QueryNode *node, Occurrences *o, GError **error)
{
	g_autofree char *expression = g_strdup_printf("\"%s\"", term);
	occurrences_init(o);
	bool ok = query_matches_only_names(node) || node->scope == SCOPE_FILENAME ||
	          term_scan_documents(
	                  r, TERMS_OF_TEXT, term, occurrences_add_posting, o->documents, error);
	ok = ok && (!query_matches_names(node) || occurrences_add_names(r, expression, o, error));
	occurrences_sort(o);
	return ok;
}

/* Of several words beside each other. */
static bool occurrences_of_phrase(
        Reader *r, const char *words, const QueryNode *node, Occurrences *o, GError **error)
{
	g_autofree char *expression = g_strdup_printf("\"%s\"", words);
	occurrences_init(o);
	bool ok = node->scope == SCOPE_FILENAME ||
	          occurrences_add_texts(r, expression, PHRASE_DOCUMENTS, o, error);
	o->cut = false;
	ok = ok && (!query_matches_names(node) || occurrences_add_names(r, expression, o, error));
	occurrences_sort(o);
	return ok;
}

bool occurrences_count_phrase(Reader *r, const char *words, unsigned *count_r, GError **error)
{
	const QueryNode anywhere = {.op = QUERY_WORDS, .scope = SCOPE_ANY};
	Occurrences o;
	bool ok = occurrences_of_phrase(r, words, &anywhere, &o, error);
	*count_r = occurrences_count(&o);
	occurrences_clear(&o);
	return ok;
}

/* Of a word of the query, in any of its forms. A pattern is not looked up. */
static bool occurrences_of_word(Reader *r, CorrectWord *word, GError **error)
{
	const QueryNode *node = word->node;
	occurrences_init(&word->held);
	word->held.cut = !correct_is_plain(word);
	if (word->held.cut)
		return true;
	g_autofree char *plain = g_strdup_printf("\"%s\"", node->tokens[word->token]);
	g_autofree char *forms =
	        node->tokens[1] ? g_strdup(plain) : search_expression(node, QUERY_ALL_LANGUAGES);
	bool ok =
	        occurrences_add_texts(r, forms, MANY_DOCUMENTS, &word->held, error) &&
	        (!query_matches_names(node) || occurrences_add_names(r, plain, &word->held, error));
	occurrences_sort(&word->held);
	return ok;
}

/* ---- the words of the query */

bool correct_is_plain(const CorrectWord *word)
{
	const QueryNode *node = word->node;
	return !node->pattern && node->edits == 0 &&
	       !(node->prefix && !node->tokens[word->token + 1]);
}

typedef struct {
	const char *token;
	guint before; /* so many equal tokens are passed over */
	int start, end; /* of the token; end 0: not found */
} TokenPlace;

static int correct_find_token(void *data, const char *token, int length, int start, int end)
{
	TokenPlace *wanted = data;
	if (strlen(wanted->token) != (size_t)length || memcmp(wanted->token, token, length) != 0)
		return 0;
	if (wanted->before > 0) {
		wanted->before--;
		return 0;
	}
	wanted->start = start;
	wanted->end = end;
	return 1;
}

/* Finds the bytes of the word in the text of the query. A word of a saved search is not there. */
static void correct_find_place(const Query *query, CorrectWord *word)
{
	size_t length = strlen(query->text), begin = MIN(word->node->position, length);
	TokenPlace wanted = {.token = word->node->tokens[word->token]};
	for (guint i = 0; i < word->token; i++)
		wanted.before += strcmp(word->node->tokens[i], wanted.token) == 0;
	tokenize_phrase(query->text + begin, MIN(word->node->length, length - begin),
	        correct_find_token, &wanted);
	word->begin = begin + wanted.start;
	word->end = begin + wanted.end;
}

static void correct_collect(const Query *query, const QueryNode *node, bool together, GArray *words)
{
	if (node->op == QUERY_NOT)
		return;
	together &= node->op != QUERY_OR;
	for (guint i = 0; node->op == QUERY_WORDS && node->tokens[i]; i++) {
		CorrectWord word = {.node = node, .token = i, .together = together};
		if (correct_is_plain(&word))
			correct_find_place(query, &word);
		g_array_append_val(words, word);
	}
	for (guint i = 0; node->children && i < node->children->len; i++)
		correct_collect(query, node->children->pdata[i], together, words);
}

static void correct_word_clear(void *word)
{
	occurrences_clear(&((CorrectWord *)word)->held);
}

GArray *correct_words(Reader *r, Visible *visible, const Query *query, guint most, GError **error)
{
	g_autoptr(GArray) words = g_array_new(FALSE, FALSE, sizeof(CorrectWord));
	g_array_set_clear_func(words, correct_word_clear);
	correct_collect(query, query->root, true, words);
	if (words->len > most)
		g_array_set_size(words, 0);
	for (guint i = 0; i < words->len; i++) {
		CorrectWord *word = &g_array_index(words, CorrectWord, i);
		bool found = true;
		if (correct_is_plain(word) &&
		        !term_visible_word(r, visible, word->node, word->token, &found, error))
			return NULL;
		word->missing = !found;
		if (found && word->together && !occurrences_of_word(r, word, error))
			return NULL;
	}
	return g_steal_pointer(&words);
}

static bool correct_stands_alone(const Query *query, const CorrectWord *word)
{
	const char *before = word->begin > 0 ? query->text + word->begin - 1 : " ";
	return word->together && word->begin < word->end && word->node->scope == SCOPE_ANY &&
	       !word->node->tokens[1] && (*before == ' ' || *before == '(');
}

bool correct_is_followed(const Query *query, const GArray *words, guint word)
{
	if (word + 1 >= words->len)
		return false;
	const CorrectWord *a = &g_array_index(words, CorrectWord, word), *b = a + 1;
	return correct_stands_alone(query, a) && correct_stands_alone(query, b) &&
	       b->begin > a->end && strspn(query->text + a->end, " ") == b->begin - a->end;
}

/* ---- repairs */

void repair_clear(void *repair)
{
	g_free(((Repair *)repair)->text);
	occurrences_clear(&((Repair *)repair)->held);
}

/* Takes ownership of what the repair has. One that nothing has is dropped. */
static void repairs_add(GArray *repairs, Repair *repair)
{
	if (occurrences_count(&repair->held) > 0)
		g_array_append_val(repairs, *repair);
	else
		repair_clear(repair);
}

static bool repairs_add_candidates(Reader *r, const CorrectWord *word, guint first,
        unsigned most_cost, GArray *repairs, GError **error)
{
	g_autoptr(GArray) candidates = typo_candidates(r, word->node->tokens[word->token],
	        word->node->scope == SCOPE_FILENAME, most_cost, error);
	bool ok = candidates != NULL;
	for (guint i = 0; ok && i < candidates->len; i++) {
		const TypoCandidate *candidate = &g_array_index(candidates, TypoCandidate, i);
		Repair repair = {g_strdup(candidate->term), first, 1, candidate->cost, {NULL}};
		ok = occurrences_of_term(r, repair.text, word->node, &repair.held, error);
		repairs_add(repairs, &repair);
	}
	return ok;
}

/* Is the word a typo candidate too? Then it costs what a compound costs. */
static bool repairs_have_compound(GArray *repairs, const char *term)
{
	for (guint i = 0; i < repairs->len; i++) {
		Repair *repair = &g_array_index(repairs, Repair, i);
		if (strcmp(repair->text, term) != 0)
			continue;
		repair->cost = MIN(repair->cost, COST_COMPOUND);
		return true;
	}
	return false;
}

/* Adds "sommerfest" for "sommer", which is nowhere. */
static bool repairs_add_compounds(
        Reader *r, const CorrectWord *word, guint first, GArray *repairs, GError **error)
{
	g_autoptr(GPtrArray) terms = compounds_of(
	        r, word->node->tokens[word->token], word->node->scope == SCOPE_FILENAME, error);
	bool ok = terms != NULL;
	for (guint i = 0; ok && i < MIN(terms->len, MOST_COMPOUNDS); i++) {
		if (repairs_have_compound(repairs, terms->pdata[i]))
			continue;
		Repair repair = {g_strdup(terms->pdata[i]), first, 1, COST_COMPOUND, {NULL}};
		ok = occurrences_of_term(r, repair.text, word->node, &repair.held, error);
		repairs_add(repairs, &repair);
	}
	return ok;
}

/* The beginnings and the ends of a word, in ascending order, with what says whether they are
 * terms. */
typedef struct {
	GPtrArray *terms; /* char * */
	bool *exist;
} WordParts;

static bool word_part_exists(const WordParts *parts, const char *part)
{
	for (guint i = 0; i < parts->terms->len; i++)
		if (strcmp(parts->terms->pdata[i], part) == 0)
			return parts->exist[i];
	return false;
}

/* Is the letter at s the second one or a later one, and not the last? */
static bool splits_before(const char *word, const char *s)
{
	return g_utf8_next_char(word) < s && *s && *g_utf8_next_char(s);
}

static bool repairs_look_up_parts(Reader *r, const char *word, WordParts *parts, GError **error)
{
	for (const char *s = word; *s; s = g_utf8_next_char(s))
		if (splits_before(word, s)) {
			g_ptr_array_add(parts->terms, g_strndup(word, s - word));
			g_ptr_array_add(parts->terms, g_strdup(s));
		}
	g_ptr_array_sort(parts->terms, text_compare_elements);
	parts->exist = g_new0(bool, parts->terms->len + 1);
	const char *const *terms = (const char *const *)parts->terms->pdata;
	return terms_exist(r, TERMS_OF_TEXT, terms, parts->terms->len, parts->exist, error) &&
	       terms_exist(r, TERMS_OF_NAMES, terms, parts->terms->len, parts->exist, error);
}

/* Adds "new york" for "newyork" if the two stand beside each other somewhere. */
static bool repairs_add_splits(
        Reader *r, const CorrectWord *word, guint first, GArray *repairs, GError **error)
{
	const char *token = word->node->tokens[word->token];
	WordParts parts = {.terms = g_ptr_array_new_with_free_func(g_free)};
	bool ok = repairs_look_up_parts(r, token, &parts, error);
	unsigned left = SPLITS;
	for (const char *s = token; ok && left > 0 && *s; s = g_utf8_next_char(s)) {
		g_autofree char *begin = g_strndup(token, s - token);
		if (!splits_before(token, s) || !word_part_exists(&parts, begin) ||
		        !word_part_exists(&parts, s))
			continue;
		Repair repair = {g_strdup_printf("%s %s", begin, s), first, 1, COST_SPLIT, {NULL}};
		ok = occurrences_of_phrase(r, repair.text, word->node, &repair.held, error);
		repairs_add(repairs, &repair);
		left--;
	}
	g_ptr_array_unref(parts.terms);
	g_free(parts.exist);
	return ok;
}

static bool repairs_may_split(const CorrectWord *word)
{
	const QueryNode *node = word->node;
	Typo typo;
	typo_init(&typo, node->tokens[word->token]);
	return typo.max_edits > 0 && typo.n >= SHORTEST_SPLIT && node->scope == SCOPE_ANY &&
	       !node->tokens[1];
}

bool repairs_of_word(Reader *r, const GArray *words, guint word, unsigned most_cost,
        GArray *repairs, GError **error)
{
	const CorrectWord *w = &g_array_index(words, CorrectWord, word);
	if (w->begin == w->end)
		return true;
	return repairs_add_candidates(r, w, word, most_cost, repairs, error) &&
	       (!w->missing || repairs_add_compounds(r, w, word, repairs, error)) &&
	       (most_cost < COST_SPLIT || !repairs_may_split(w) ||
	               repairs_add_splits(r, w, word, repairs, error));
}

bool repairs_join(Reader *r, const Query *query, const GArray *words, guint word, GArray *repairs,
        GError **error)
{
	const CorrectWord *a = &g_array_index(words, CorrectWord, word), *b = a + 1;
	if (!correct_is_followed(query, words, word))
		return true;
	Repair repair = {g_strconcat(a->node->tokens[0], b->node->tokens[0], NULL), word, 2,
	        COST_JOIN, {NULL}};
	bool ok = occurrences_of_term(r, repair.text, a->node, &repair.held, error);
	repairs_add(repairs, &repair);
	return ok;
}

/* ---- spelling */

/* Keeps the capitals and marks of the letters that the typed word and the correct one share at
 * both ends: the index does not know them. */
static char *correct_keep_letters(
        const char *typed, size_t length, const char *folded, const char *to)
{
	g_autofree char *word = g_utf8_normalize(typed, length, G_NORMALIZE_DEFAULT_COMPOSE);
	glong n, was, now;
	g_autofree gunichar *letters = g_utf8_to_ucs4_fast(word ? word : "", -1, &n),
	                    *old = g_utf8_to_ucs4_fast(folded, -1, &was),
	                    *new = g_utf8_to_ucs4_fast(to, -1, &now);
	g_autofree char *capitals = g_utf8_strup(word ? word : "", -1);
	glong begin = 0, end = 0;
	if (n > 1 && g_strcmp0(word, capitals) == 0)
		return g_utf8_strup(to, -1);
	if (n != was)
		return g_strdup(to);
	for (; begin < MIN(was, now) && old[begin] == new[begin]; begin++)
		new[begin] = letters[begin];
	for (; end < MIN(was, now) - begin && old[was - 1 - end] == new[now - 1 - end]; end++)
		new[now - 1 - end] = letters[n - 1 - end];
	return g_ucs4_to_utf8(new, now, NULL, NULL, NULL);
}

char *correct_spell(const char *typed, size_t length, const char *folded, const char *to)
{
	static const char *const operators[] = {"AND", "OR", "NOT", "NEAR", "ADJ", NULL};
	g_autofree char *spelt = correct_keep_letters(typed, length, folded, to);
	g_auto(GStrv) words = g_strsplit(spelt ? spelt : "", " ", -1);
	for (char **word = words; *word; word++)
		if (g_strv_contains(operators, *word))
			return g_strdup(to);
	return g_steal_pointer(&spelt);
}
