/* SPDX-License-Identifier: GPL-3.0-or-later */
/* single-term.c - the posting list of a single-term query, with scores
 *
 * To rank by one word, its frequency in each column is enough. FTS5 gives that in one row for each
 * document, and merges the position lists of all terms of a prefix, which is most of the work for
 * the first letters of a word as it is typed. Here the pages are read term by term, and the
 * postings are counted. If several terms at one position (index/text/tokenizer.h) have the prefix,
 * each of them counts; FTS5 counts one.
 *
 * A search may ask about one word twice: for the documents whose names have it too, and for all
 * others. Its posting lists are read once (search_forget_counts()). */
#include <config.h>
#include "index/search/candidates.h"
#include "index/text/columns.h"
#include "index/fts/term-scan.h"

/* The counts of a document in one number: COUNT_BITS for each column, at most COUNT_MAX; above them
 * a bit that is set if the document has the word as it was typed. */
enum { COUNT_BITS = 6, COUNT_MAX = (1 << COUNT_BITS) - 1, TYPED_BIT = N_COLUMNS * COUNT_BITS };
G_STATIC_ASSERT(TYPED_BIT < 64);

/* The counts of a run of document numbers; documents that do not hold the word have 0. */
enum { BLOCK_BITS = 10, BLOCK = 1 << BLOCK_BITS };

typedef struct TermCounts TermCounts;
struct TermCounts {
	/* Key: number of the first document >> BLOCK_BITS, int64_t; value: uint64_t[BLOCK]. */
	GHashTable *blocks;
	uint64_t *block; /* the block that was used last */
	int64_t number; /* its key */
	int64_t last; /* the highest document number; a damaged page may name a higher one, which is
	                 ignored */
	uint64_t columns; /* mask of the counts that matter */
	bool typed; /* the term that is read is the word as it was typed */
	void **numbers; /* int64_t *: keys of the blocks, ascending */
	guint n_blocks;
	const QueryNode *node; /* the word, and whose forms of it count */
	uint32_t languages;
};

static void term_counts_clear(void *data)
{
	TermCounts *counts = data;
	g_hash_table_unref(counts->blocks);
	g_free(counts->numbers);
}

static void term_counts_unref(TermCounts *counts)
{
	g_rc_box_release_full(counts, term_counts_clear);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TermCounts, term_counts_unref)

static uint64_t *block_of(TermCounts *counts, int64_t number)
{
	if (counts->block && counts->number == number)
		return counts->block;
	uint64_t *block = g_hash_table_lookup(counts->blocks, &number);
	if (!block) {
		block = g_new0(uint64_t, BLOCK);
		g_hash_table_insert(counts->blocks, g_memdup2(&number, sizeof number), block);
	}
	counts->number = number;
	return counts->block = block;
}

static unsigned count_in(uint64_t counts, unsigned column)
{
	return counts >> column * COUNT_BITS & COUNT_MAX;
}

static bool add_posting(void *data, const TermPosting *posting)
{
	TermCounts *counts = data;
	int64_t document = posting->document;
	if (document < 0 || document > counts->last)
		return true;
	uint64_t *sum = &block_of(counts, document >> BLOCK_BITS)[document & (BLOCK - 1)],
	         added = 0;
	for (unsigned i = 0; i < posting->columns; i++)
		added |= (uint64_t)MIN(posting->counts[i], COUNT_MAX - count_in(*sum, i))
		         << i * COUNT_BITS;
	added &= counts->columns;
	*sum += added;
	if (added != 0 && counts->typed)
		*sum |= UINT64_C(1) << TYPED_BIT;
	return true;
}

/* ---- the rows of documents */

static const char last_sql[] = "SELECT max(id) FROM document";
static const char document_sql[] =
        "SELECT id, words, date FROM document WHERE id >= ?1 ORDER BY id";

typedef struct {
	Reader *r;
	sqlite3_stmt *statement;
	bool started;
	int row; /* result of reader_step() */
	int64_t document;
} Rows;

static void single_term_step(Rows *rows, GError **error)
{
	rows->row = reader_step(rows->r, rows->statement, error);
	rows->document = rows->row > 0 ? sqlite3_column_int64(rows->statement, 0) : 0;
}

/* Moves forward to a document: 1, 0 if it does not exist, -1 with error. Stepping over a few rows
 * takes less time than a new look-up. */
static int go_to(Rows *rows, int64_t document, GError **error)
{
	enum { MAX_STEPS = 8 };
	uint64_t ahead = (uint64_t)document - (uint64_t)rows->document; /* both numbers ascend */
	if (!rows->started || (rows->row > 0 && ahead > MAX_STEPS)) {
		rows->started = true;
		sqlite3_reset(rows->statement);
		sqlite3_bind_int64(rows->statement, 1, document);
		single_term_step(rows, error);
	}
	while (rows->row > 0 && rows->document < document)
		single_term_step(rows, error);
	return rows->row > 0 ? rows->document == document : rows->row;
}

/* ---- the word */

bool single_term_fits(const QueryNode *node)
{
	return search_is_many(node) ||
	       (node->op == QUERY_WORDS && !node->tokens[1] && !node->pattern && node->edits == 0);
}

const char *single_term_sql(void)
{
	return document_sql;
}

static uint64_t columns_of(QueryScope scope)
{
	int column = query_scope_column(scope);
	if (column >= 0)
		return (uint64_t)COUNT_MAX << column * COUNT_BITS;
	return scope == SCOPE_ANY ? UINT64_MAX : 0;
}

static bool single_term_measure(const Search *s, GError **error)
{
	uint64_t documents, tokens;
	if (!terms_totals(s->r, TERMS_OF_TEXT, &documents, &tokens, error))
		return false;
	rank_measure(&s->state->rank, documents, tokens);
	return true;
}

static bool single_term_count_word(const Search *s, TermCounts *counts, GError **error)
{
	const QueryNode *node = counts->node;
	char **forms = node->forms ? node->forms[0] : NULL;
	counts->typed = true;
	if (search_is_many(node))
		return terms_postings(s->r, TERMS_OF_TEXT, (const char *const *)forms,
		        g_strv_length(forms), add_posting, counts, error);
	bool ok = term_scan_postings(
	        s->r, TERMS_OF_TEXT, node->tokens[0], node->prefix, add_posting, counts, error);
	counts->typed = false;
	for (guint i = 0; ok && forms && forms[i]; i++)
		ok = !query_form_counts(node, 0, i, counts->languages) ||
		     term_scan_postings(
		             s->r, TERMS_OF_TEXT, forms[i], false, add_posting, counts, error);
	return ok;
}

static int compare_numbers(const void *a, const void *b)
{
	int64_t x = **(const int64_t *const *)a, y = **(const int64_t *const *)b;
	return x < y ? -1 : x > y;
}

static TermCounts *search_term_count(
        const Search *s, const QueryNode *node, uint32_t languages, GError **error)
{
	g_autoptr(TermCounts) counts = g_rc_box_new0(TermCounts);
	uint64_t last;
	counts->blocks = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	counts->columns = columns_of(node->scope);
	counts->node = node;
	counts->languages = languages;
	if (!reader_count(s->r, last_sql, &last, error))
		return NULL;
	counts->last = (int64_t)last;
	if (!single_term_count_word(s, counts, error))
		return NULL;
	counts->numbers = g_hash_table_get_keys_as_array(counts->blocks, &counts->n_blocks);
	qsort(counts->numbers, counts->n_blocks, sizeof *counts->numbers, compare_numbers);
	return g_steal_pointer(&counts);
}

void search_forget_counts(SearchState *state)
{
	g_clear_pointer(&state->counts, term_counts_unref);
}

/* Returns a reference. */
static TermCounts *search_term_counts(
        const Search *s, const QueryNode *node, uint32_t languages, GError **error)
{
	const TermCounts *known = s->state->counts;
	if (!known || known->node != node || known->languages != languages) {
		search_forget_counts(s->state);
		s->state->counts = search_term_count(s, node, languages, error);
	}
	return s->state->counts ? g_rc_box_acquire(s->state->counts) : NULL;
}

/* ---- iterating over the documents that were counted */

typedef struct {
	const Search *s;
	const GArray *wanted; /* int64_t, ascending; NULL: all */
	TermCounts *counts;
	guint block;
	int64_t at; /* offset in the block */
	Rows rows;
} SingleTerm;

static void single_term_free(SingleTerm *term)
{
	if (term->rows.statement)
		sqlite3_reset(term->rows.statement);
	if (term->counts)
		term_counts_unref(term->counts);
	g_free(term);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SingleTerm, single_term_free)

static SingleTerm *single_term_new(const Search *s, const QueryNode *node, uint32_t languages,
        const GArray *wanted, GError **error)
{
	g_autoptr(SingleTerm) term = g_new0(SingleTerm, 1);
	term->s = s;
	term->wanted = wanted;
	term->rows.r = s->r;
	term->rows.statement = reader_statement(s->r, document_sql, error);
	if (!term->rows.statement || !single_term_measure(s, error))
		return NULL;
	term->counts = search_term_counts(s, node, languages, error);
	if (!term->counts)
		return NULL;
	return g_steal_pointer(&term);
}

/* Returns the counts of the next wanted document; 0: there are no more. */
static uint64_t next_counted(SingleTerm *term, int64_t *document_r)
{
	for (; term->block < term->counts->n_blocks; term->block++, term->at = 0) {
		const int64_t *number = term->counts->numbers[term->block];
		const uint64_t *block = block_of(term->counts, *number);
		while (term->at < BLOCK) {
			uint64_t counts = block[term->at];
			*document_r = *number * BLOCK + term->at++;
			if (counts != 0 &&
			        (!term->wanted || search_contains(term->wanted, *document_r)))
				return counts;
		}
	}
	return 0;
}

static double score_of_row(const SingleTerm *term, uint64_t counts)
{
	unsigned columns[N_COLUMNS];
	for (unsigned i = 0; i < N_COLUMNS; i++)
		columns[i] = count_in(counts, i);
	return rank_single_term(&term->s->state->rank, columns, counts >> TYPED_BIT & 1,
	        sqlite3_column_double(term->rows.statement, 1),
	        sqlite3_column_int64(term->rows.statement, 2));
}

/* 1: a document with its score; 0: no more; -1: error. Documents without a row are skipped. */
static int single_term_next(SingleTerm *term, SearchScore *out, GError **error)
{
	int64_t document;
	for (uint64_t counts; (counts = next_counted(term, &document)) != 0;) {
		int found = go_to(&term->rows, document, error);
		if (found > 0)
			*out = (SearchScore){document, score_of_row(term, counts)};
		if (found != 0)
			return found;
	}
	return 0;
}

bool single_term_search(const Search *s, const QueryNode *node, uint32_t languages,
        const GArray *wanted, GArray *out, GError **error)
{
	g_autoptr(SingleTerm) term = single_term_new(s, node, languages, wanted, error);
	SearchScore score;
	int found = term ? 1 : -1;
	while (found > 0 && (found = single_term_next(term, &score, error)) > 0)
		g_array_append_val(out, score);
	return found == 0;
}

/* ---- as candidates */

typedef struct {
	CandidateIterator base;
	SingleTerm *term;
	double weight, step;
} TermIterator;

/* Without scores. */
static int single_term_next_document(CandidateIterator *self, Candidate *out, GError **error)
{
	int64_t document;
	if (next_counted(((TermIterator *)self)->term, &document) == 0)
		return 0;
	*out = (Candidate){.own = true};
	out->match = (SearchMatch){document, 0, document, 0};
	return 1;
}

static int single_term_next_candidate(CandidateIterator *self, Candidate *out, GError **error)
{
	TermIterator *iterator = (TermIterator *)self;
	SearchScore score;
	int found = single_term_next(iterator->term, &score, error);
	if (found <= 0)
		return found;
	*out = (Candidate){.own = true};
	out->match = (SearchMatch){
	        score.document, 0, score.document, iterator->weight * score.score + iterator->step};
	return 1;
}

static void single_term_free_candidates(CandidateIterator *self)
{
	TermIterator *iterator = (TermIterator *)self;
	single_term_free(iterator->term);
	g_free(iterator);
}

CandidateIterator *candidates_of_single_term(const Search *s, GError **error)
{
	const QueryNode *node = s->plan->words->pdata[0];
	s->state->rank.step = 0; /* tarsier_rank() would add it once for each form */
	SingleTerm *term = single_term_new(s, node, QUERY_ALL_LANGUAGES, NULL, error);
	if (!term)
		return NULL;
	TermIterator *iterator = g_new(TermIterator, 1);
	bool scored = s->plan->sort == SORT_RELEVANCE;
	iterator->base =
	        (CandidateIterator){scored ? single_term_next_candidate : single_term_next_document,
	                single_term_free_candidates};
	iterator->term = term;
	iterator->weight =
	        g_array_index(s->terms->list, TermMatches, search_term_of(s->plan, node)).weight;
	iterator->step = s->plan->step;
	return &iterator->base;
}
