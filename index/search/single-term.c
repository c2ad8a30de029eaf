/* SPDX-License-Identifier: GPL-3.0-or-later */
/* single-term.c - the posting list of a single-term query, with scores
 *
 * To rank by one word it is enough how often it stands in each column. FTS5 tells that by a row for
 * each document, and of a word that only begins so it merges the places of all that it may be: most
 * of the work for few letters, as they are typed. Here the pages are read term by term, and what
 * they tell is counted. Terms at one place (of index/text/tokenizer.h) that begin alike count each,
 * which FTS5 counts once. */
#include <config.h>
#include "index/search/search-private.h"
#include "index/text/columns.h"
#include "index/fts/term-scan.h"

/* Counts of a document in one number: COUNT_BITS for each column, and no more than COUNT_MAX; then
 * whether it holds the word as it was typed. */
enum { COUNT_BITS = 6, COUNT_MAX = (1 << COUNT_BITS) - 1, TYPED_BIT = N_COLUMNS * COUNT_BITS };
G_STATIC_ASSERT(TYPED_BIT < 64);

/* Counts of documents whose numbers follow each other; documents that hold none have 0. */
enum { BLOCK_BITS = 10, BLOCK = 1 << BLOCK_BITS };

typedef struct {
	/* By the number of the first document >> BLOCK_BITS, int64_t: uint64_t[BLOCK]. */
	GHashTable *blocks;
	uint64_t *block; /* the last one */
	int64_t number; /* its own */
	int64_t last; /* no document has a higher number; where a damaged page has, that costs
	                 nothing */
	uint64_t columns; /* bits of the counts that matter */
	bool typed; /* the term that is being read is the word as it was typed */
} TermCounts;

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
	bool begun;
	int row; /* as of reader_step() */
	int64_t document;
} Rows;

static void single_term_step(Rows *rows, GError **error)
{
	rows->row = reader_step(rows->r, rows->statement, error);
	rows->document = rows->row > 0 ? sqlite3_column_int64(rows->statement, 0) : 0;
}

/* Goes on to a document: 1, 0 if there is none, -1 error. To step over a few is less work than to
 * look one up. */
static int go_to(Rows *rows, int64_t document, GError **error)
{
	enum { FEW = 8 };
	uint64_t ahead = (uint64_t)document - (uint64_t)rows->document; /* both ascend */
	if (!rows->begun || (rows->row > 0 && ahead > FEW)) {
		rows->begun = true;
		sqlite3_reset(rows->statement);
		sqlite3_bind_int64(rows->statement, 1, document);
		single_term_step(rows, error);
	}
	while (rows->row > 0 && rows->document < document)
		single_term_step(rows, error);
	return rows->row > 0 ? rows->document == document : rows->row;
}

/* ---- ranking */

typedef struct {
	const Search *s;
	const GArray *wanted; /* int64_t, ascending; NULL: all */
	Rows rows;
	GArray *out;
} Ranking;

static int rank_document(Ranking *ranking, int64_t document, uint64_t counts, GError **error)
{
	unsigned columns[N_COLUMNS];
	if (ranking->wanted && !search_contains(ranking->wanted, document))
		return 0;
	int found = go_to(&ranking->rows, document, error);
	if (found <= 0)
		return found;
	for (unsigned i = 0; i < N_COLUMNS; i++)
		columns[i] = count_in(counts, i);
	SearchScore score = {document};
	score.score = rank_single_term(&ranking->s->state->rank, columns, counts >> TYPED_BIT & 1,
	        sqlite3_column_double(ranking->rows.statement, 1),
	        sqlite3_column_int64(ranking->rows.statement, 2));
	g_array_append_val(ranking->out, score);
	return 1;
}

static bool rank_block(Ranking *ranking, int64_t number, const uint64_t *block, GError **error)
{
	for (int64_t i = 0; i < BLOCK; i++)
		if (block[i] != 0 &&
		        rank_document(ranking, number * BLOCK + i, block[i], error) < 0)
			return false;
	return true;
}

static int compare_numbers(const void *a, const void *b)
{
	int64_t x = **(const int64_t *const *)a, y = **(const int64_t *const *)b;
	return x < y ? -1 : x > y;
}

static bool rank_counts(Ranking *ranking, const TermCounts *counts, GError **error)
{
	guint n;
	g_autofree void **numbers = g_hash_table_get_keys_as_array(counts->blocks, &n);
	qsort(numbers, n, sizeof *numbers, compare_numbers);
	for (guint i = 0; i < n; i++)
		if (!rank_block(ranking, *(int64_t *)numbers[i],
		            g_hash_table_lookup(counts->blocks, numbers[i]), error))
			return false;
	return true;
}

/* ---- the word */

bool single_term_fits(const QueryNode *node)
{
	return node->op == QUERY_WORDS && !node->tokens[1] && !node->pattern && node->edits == 0;
}

const char *single_term_sql(void)
{
	return document_sql;
}

static uint64_t columns_of(QueryScope scope)
{
	static const struct {
		QueryScope scope;
		TextColumn column;
	} columns[] = {{SCOPE_TITLE, COLUMN_TITLE}, {SCOPE_AUTHOR, COLUMN_AUTHOR},
	        {SCOPE_TO, COLUMN_RECIPIENT}, {SCOPE_CC, COLUMN_CC},
	        {SCOPE_KEYWORD, COLUMN_KEYWORD}, {SCOPE_HEADING, COLUMN_HEADING},
	        {SCOPE_BODY, COLUMN_BODY}, {SCOPE_FILENAME, COLUMN_MEMBER},
	        {SCOPE_COMMENT, COLUMN_COMMENT}};
	for (size_t i = 0; i < G_N_ELEMENTS(columns); i++)
		if (columns[i].scope == scope)
			return (uint64_t)COUNT_MAX << columns[i].column * COUNT_BITS;
	return scope == SCOPE_ANY ? UINT64_MAX : 0;
}

static bool single_term_measure(const Search *s, TermCounts *counts, GError **error)
{
	uint64_t documents, tokens, last;
	if (!reader_count(s->r, last_sql, &last, error) ||
	        !terms_totals(s->r, TERMS_OF_TEXT, &documents, &tokens, error))
		return false;
	counts->last = (int64_t)last;
	rank_measure(&s->state->rank, documents, tokens);
	return true;
}

static bool single_term_count_word(const Search *s, const QueryNode *node, uint32_t languages,
        TermCounts *counts, GError **error)
{
	char **forms = node->forms ? node->forms[0] : NULL;
	counts->typed = true;
	bool ok = term_scan_postings(
	        s->r, TERMS_OF_TEXT, node->tokens[0], node->prefix, add_posting, counts, error);
	counts->typed = false;
	for (guint i = 0; ok && forms && forms[i]; i++)
		ok = !query_form_counts(node, 0, i, languages) ||
		     term_scan_postings(
		             s->r, TERMS_OF_TEXT, forms[i], false, add_posting, counts, error);
	return ok;
}

bool single_term_search(const Search *s, const QueryNode *node, uint32_t languages,
        const GArray *wanted, GArray *out, GError **error)
{
	g_autoptr(GHashTable) blocks =
	        g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	TermCounts counts = {.blocks = blocks, .columns = columns_of(node->scope)};
	Ranking ranking = {.s = s, .wanted = wanted, .out = out};
	ranking.rows = (Rows){.r = s->r, .statement = reader_statement(s->r, document_sql, error)};
	bool ok = ranking.rows.statement && single_term_measure(s, &counts, error) &&
	          single_term_count_word(s, node, languages, &counts, error) &&
	          rank_counts(&ranking, &counts, error);
	if (ranking.rows.statement)
		sqlite3_reset(ranking.rows.statement);
	return ok;
}
