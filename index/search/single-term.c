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

/* Most words stand in bodies alone. So a byte holds the count of the body, which keeps the counts
 * of a million documents within the processor's cache; documents with the word in other columns
 * have a number beside it. */
enum { BODY_OTHERS = 1 << COUNT_BITS, BODY_TYPED = 1 << (COUNT_BITS + 1) };
G_STATIC_ASSERT(COLUMN_BODY == 0 && BODY_TYPED <= UINT8_MAX);

/* The counts of a run of document numbers; documents that do not hold the word have 0. */
enum { BLOCK_BITS = 10, BLOCK = 1 << BLOCK_BITS };
typedef struct {
	uint8_t bodies[BLOCK]; /* count of the body, BODY_OTHERS and BODY_TYPED */
	uint64_t *others; /* BLOCK counts of the other columns; NULL: there are none */
	guint n; /* number of documents that were counted */
} CountBlock;

typedef struct TermCounts TermCounts;
struct TermCounts {
	CountBlock **blocks; /* by document number >> BLOCK_BITS; NULL: nothing was counted */
	guint n_blocks;
	int64_t last; /* the highest document number; a damaged page may name a higher one, which is
	                 ignored */
	uint64_t columns; /* mask of the counts that matter */
	bool typed; /* the term that is read is the word as it was typed */
	const QueryNode *node; /* the word, and whose forms of it count */
	uint32_t languages;
};

static void term_counts_clear(void *data)
{
	TermCounts *counts = data;
	for (guint i = 0; i < counts->n_blocks; i++) {
		if (counts->blocks[i])
			g_free(counts->blocks[i]->others);
		g_free(counts->blocks[i]);
	}
	g_free(counts->blocks);
}

static void term_counts_unref(TermCounts *counts)
{
	g_rc_box_release_full(counts, term_counts_clear);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TermCounts, term_counts_unref)

static unsigned count_in(uint64_t counts, unsigned column)
{
	return counts >> column * COUNT_BITS & COUNT_MAX;
}

/* Returns whether it adds any. */
static bool add_others(
        const TermCounts *counts, CountBlock *block, unsigned at, const TermPosting *posting)
{
	uint64_t sum = block->others ? block->others[at] : 0, added = 0;
	for (unsigned i = 1; i < posting->columns; i++)
		added |= (uint64_t)MIN(posting->counts[i], COUNT_MAX - count_in(sum, i))
		         << i * COUNT_BITS;
	added &= counts->columns;
	if (added == 0)
		return false;
	if (!block->others)
		block->others = g_new0(uint64_t, BLOCK);
	block->others[at] = sum + added;
	block->bodies[at] |= BODY_OTHERS;
	return true;
}

static bool add_posting(void *data, const TermPosting *posting)
{
	TermCounts *counts = data;
	int64_t document = posting->document;
	if (document < 0 || document > counts->last)
		return true;
	CountBlock **block = &counts->blocks[document >> BLOCK_BITS];
	unsigned at = document & (BLOCK - 1);
	if (!*block)
		*block = g_new0(CountBlock, 1);
	uint8_t *body = &(*block)->bodies[at];
	bool first = *body == 0;
	unsigned added = counts->columns & COUNT_MAX
	                         ? MIN(posting->counts[0], COUNT_MAX - (*body & COUNT_MAX))
	                         : 0;
	*body += added;
	bool any = (posting->columns > 1 && add_others(counts, *block, at, posting)) || added > 0;
	if (any && counts->typed)
		*body |= BODY_TYPED;
	(*block)->n += any && first;
	return true;
}

/* ---- the rows of documents */

static const char last_sql[] = "SELECT max(id) FROM document";
static const char document_sql[] = "SELECT id, words, date FROM document WHERE id = ?1";
static const char block_sql[] = "SELECT 1 FROM document WHERE id BETWEEN ?1 AND ?2 AND "
                                "tarsier_document(id, words, date)";

/* The rows of a block of documents. */
typedef struct {
	int64_t first, date[BLOCK];
	double words[BLOCK]; /* below 0: there is no such document */
} DocumentRows;

/* Notes the row, and is never true. SQLite passes the rows of a block without a step for each. */
static void document_function(sqlite3_context *context, int n, sqlite3_value **values)
{
	const SearchState *state = sqlite3_user_data(context);
	DocumentRows *rows = state->rows;
	uint64_t at = (uint64_t)sqlite3_value_int64(values[0]) - (uint64_t)(rows ? rows->first : 0);
	(void)n;
	if (rows && at < BLOCK) {
		rows->words[at] = MAX(sqlite3_value_double(values[1]), 0);
		rows->date[at] = sqlite3_value_int64(values[2]);
	}
}

bool single_term_register(SearchState *state)
{
	return sqlite3_create_function_v2(state->r->db, "tarsier_document", 3,
	               SQLITE_UTF8 | SQLITE_DIRECTONLY, state, document_function, NULL, NULL,
	               NULL) == SQLITE_OK;
}

static void rows_clear(DocumentRows *rows, int64_t first)
{
	rows->first = first;
	for (unsigned i = 0; i < BLOCK; i++)
		rows->words[i] = -1;
}

/* Reads the rows of all documents of a block. */
static bool rows_read_all(const Search *s, DocumentRows *rows, GError **error)
{
	sqlite3_stmt *statement = reader_statement(s->r, block_sql, error);
	if (!statement)
		return false;
	sqlite3_bind_int64(statement, 1, rows->first);
	sqlite3_bind_int64(statement, 2, rows->first + BLOCK - 1);
	s->state->rows = rows;
	int row = reader_step(s->r, statement, error);
	s->state->rows = NULL;
	return row >= 0;
}

/* Reads the row of one document. */
static bool rows_read_one(const Search *s, DocumentRows *rows, unsigned at, GError **error)
{
	sqlite3_stmt *statement = reader_statement(s->r, document_sql, error);
	if (!statement)
		return false;
	sqlite3_bind_int64(statement, 1, rows->first + at);
	int row = reader_step(s->r, statement, error);
	if (row > 0) {
		rows->words[at] = MAX(sqlite3_column_double(statement, 1), 0);
		rows->date[at] = sqlite3_column_int64(statement, 2);
	}
	sqlite3_reset(statement);
	return row >= 0;
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

/* No index has had more, so that a damaged row cannot ask for more memory. */
#define MOST_DOCUMENTS UINT32_MAX

static TermCounts *search_term_count(
        const Search *s, const QueryNode *node, uint32_t languages, GError **error)
{
	g_autoptr(TermCounts) counts = g_rc_box_new0(TermCounts);
	uint64_t last;
	counts->columns = columns_of(node->scope);
	counts->node = node;
	counts->languages = languages;
	if (!reader_count(s->r, last_sql, &last, error))
		return NULL;
	counts->last = (int64_t)MIN(last, MOST_DOCUMENTS);
	counts->n_blocks = (counts->last >> BLOCK_BITS) + 1;
	counts->blocks = g_new0(CountBlock *, counts->n_blocks);
	return single_term_count_word(s, counts, error) ? g_steal_pointer(&counts) : NULL;
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
	unsigned at; /* offset in the block */
	bool all; /* the rows of the whole block were read */
	DocumentRows rows;
} SingleTerm;

static void single_term_free(SingleTerm *term)
{
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
	term->rows.first = -1;
	if (!single_term_measure(s, error))
		return NULL;
	term->counts = search_term_counts(s, node, languages, error);
	return term->counts ? g_steal_pointer(&term) : NULL;
}

/* Returns the counts of the next wanted document; 0: there are no more. */
static uint64_t next_counted(SingleTerm *term, int64_t *document_r)
{
	for (; term->block < term->counts->n_blocks; term->block++, term->at = 0) {
		const CountBlock *block = term->counts->blocks[term->block];
		while (block && term->at < BLOCK) {
			unsigned at = term->at++;
			uint64_t body = block->bodies[at];
			*document_r = (int64_t)term->block * BLOCK + at;
			if (body == 0 ||
			        (term->wanted && !search_contains(term->wanted, *document_r)))
				continue;
			return (body & COUNT_MAX) | (body & BODY_OTHERS ? block->others[at] : 0) |
			       (uint64_t)(body & BODY_TYPED ? 1 : 0) << TYPED_BIT;
		}
	}
	return 0;
}

/* Reads the row of a document: 1, 0 if it does not exist, -1 with error. Where many of a block were
 * counted, passing all takes less time than looking each up. */
static int single_term_go_to(SingleTerm *term, int64_t document, GError **error)
{
	enum { DENSE = 8 };
	DocumentRows *rows = &term->rows;
	unsigned at = document & (BLOCK - 1);
	int64_t first = document - at;
	if (first != rows->first) {
		guint n = term->counts->blocks[document >> BLOCK_BITS]->n;
		rows_clear(rows, first);
		term->all = !term->wanted && n >= BLOCK / DENSE;
		if (term->all && !rows_read_all(term->s, rows, error))
			return -1;
	}
	if (!term->all && !rows_read_one(term->s, rows, at, error))
		return -1;
	return rows->words[at] >= 0;
}

static double score_of_row(const SingleTerm *term, int64_t document, uint64_t counts)
{
	unsigned columns[N_COLUMNS], at = document - term->rows.first;
	for (unsigned i = 0; i < N_COLUMNS; i++)
		columns[i] = count_in(counts, i);
	return rank_single_term(&term->s->state->rank, columns, counts >> TYPED_BIT & 1,
	        term->rows.words[at], term->rows.date[at]);
}

/* 1: a document with its score; 0: no more; -1: error. Documents without a row are skipped. */
static int single_term_next(SingleTerm *term, SearchScore *out, GError **error)
{
	int64_t document;
	for (uint64_t counts; (counts = next_counted(term, &document)) != 0;) {
		int found = single_term_go_to(term, document, error);
		if (found > 0)
			*out = (SearchScore){document, score_of_row(term, document, counts)};
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
