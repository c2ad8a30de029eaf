/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/fts/term-scan.h"
#include "index/fts/fts-page.h"
#include "common/base/i18n.h"
#include <stdint.h>
#include <string.h>

static bool fail_damaged(GError **error)
{
	g_set_error_literal(
	        error, INDEX_ERROR, INDEX_ERROR_DAMAGED, _("a page of the text index is damaged"));
	return false;
}

static bool open_leaf(FtsPage *leaf, sqlite3_stmt *statement)
{
	const void *bytes = sqlite3_column_blob(statement, 0);
	return fts_page_open(leaf, bytes, sqlite3_column_bytes(statement, 0));
}

static void bind_term(sqlite3_stmt *statement, int parameter, const char *term, const char *end)
{
	g_autofree char *key = g_strdup_printf("%c%s%s", FTS_MAIN_INDEX, term, end);
	sqlite3_bind_blob(statement, parameter, key, (int)strlen(key), SQLITE_TRANSIENT);
}

/* Parameters of leaves_sql: up to the terms behind. */
static void bind_terms(sqlite3_stmt *statement, const char *term, bool prefix)
{
	bind_term(statement, 1, term, "");
	bind_term(statement, 2, term, prefix ? "\xff" : "\x01");
}

/* ---- terms that begin alike */

typedef struct {
	const char *start;
	size_t start_length;
	TermScanFunc f;
	void *data;
	bool stopped;
} Scan;

static bool term_scan_has_prefix(const FtsPage *leaf, const char *start, size_t length)
{
	return leaf->term_length > length && leaf->term[0] == FTS_MAIN_INDEX &&
	       memcmp(leaf->term + 1, start, length) == 0;
}

static void term_scan_give(Scan *scan, const FtsPage *leaf)
{
	if (term_scan_has_prefix(leaf, scan->start, scan->start_length))
		scan->stopped = !scan->f(scan->data, leaf->term + 1);
}

/* False: it is damaged. */
static bool scan_leaf(Scan *scan, FtsPage *leaf)
{
	int found = 1;
	while (!scan->stopped && (found = fts_page_next(leaf)) > 0)
		term_scan_give(scan, leaf);
	return found >= 0;
}

/* The leaves that begin a term are listed with the beginning of the first; the wanted ones start
 * with the last that does not stand behind the start. */
#define LEAVES(table)                                                                              \
	"WITH RECURSIVE " FTS_SEGMENTS(                                                            \
	        table) " SELECT d.block, d.id FROM segments s CROSS JOIN " table                   \
	               "_idx i ON i.segid = s.id AND i.term >= coalesce((SELECT max(j.term) "      \
	               "FROM " table "_idx j WHERE j.segid = s.id AND j.term <= ?1), x'') AND "    \
	               "i.term < ?2 CROSS JOIN " table                                             \
	               "_data d ON d.id = (i.segid << " G_STRINGIFY(                               \
	                       FTS_SEGMENT_SHIFT) ") + (i.pgno >> 1)"

static const char *const leaves_sql[] = {
        [TERMS_OF_TEXT] = LEAVES("text"),
        [TERMS_OF_NAMES] = LEAVES("name"),
};

bool term_scan(
        Reader *r, TermTable table, const char *start, TermScanFunc f, void *data, GError **error)
{
	Scan scan = {.start = start, .start_length = strlen(start), .f = f, .data = data};
	sqlite3_stmt *statement = reader_statement(r, leaves_sql[table], error);
	g_autofree FtsPage *leaf = g_new(FtsPage, 1);
	bool sound = true;
	int row;

	if (!statement)
		return false;
	bind_terms(statement, start, true);
	while ((row = reader_step(r, statement, error)) > 0 && sound && !scan.stopped)
		sound = open_leaf(leaf, statement) && scan_leaf(&scan, leaf);
	if (row > 0)
		sqlite3_reset(statement);
	return row >= 0 && (sound || fail_damaged(error));
}

/* ---- certain terms */

#define SEGMENTS(table)                                                                            \
	"WITH RECURSIVE " FTS_SEGMENTS(table) " SELECT id FROM segments WHERE id IS NOT NULL"
/* The page that has the term, if any has. */
#define PAGE(table)                                                                                \
	"SELECT (segid << " G_STRINGIFY(FTS_SEGMENT_SHIFT) ") + (pgno >> 1) FROM " table           \
	                                                   "_idx WHERE segid = ?1 AND term <= ?2 " \
	                                                   "ORDER BY term DESC LIMIT 1"

static const struct {
	const char *segments, *page, *block;
} sql_of[] = {
        [TERMS_OF_TEXT] = {SEGMENTS("text"), PAGE("text"),
                "SELECT block FROM text_data WHERE id = ?1"},
        [TERMS_OF_NAMES] = {SEGMENTS("name"), PAGE("name"),
                "SELECT block FROM name_data WHERE id = ?1"},
};

/* The last page that begins with a term up to this one. */
#define LAST_PAGE(table, term)                                                                     \
	"coalesce((SELECT pgno >> 1 FROM " table "_idx WHERE segid = s.id AND term <= " term       \
	" ORDER BY segid DESC, term DESC LIMIT 1), 0)"
#define PAGES(table)                                                                               \
	"WITH RECURSIVE " FTS_SEGMENTS(table) " SELECT sum(1 + " LAST_PAGE(                        \
	        table, "?2") " - " LAST_PAGE(table, "?1") ") FROM segments s WHERE id IS NOT NULL"

uint64_t terms_pages(Reader *r, TermTable table, const char *start)
{
	static const char *const sql[] = {
	        [TERMS_OF_TEXT] = PAGES("text"), [TERMS_OF_NAMES] = PAGES("name")};
	sqlite3_stmt *statement = reader_statement(r, sql[table], NULL);
	if (!statement)
		return 0;
	bind_terms(statement, start, true);
	int row = reader_step(r, statement, NULL);
	int64_t pages = row > 0 ? sqlite3_column_int64(statement, 0) : 0;
	sqlite3_reset(statement);
	return MAX(pages, 0);
}

typedef struct {
	Reader *r;
	TermTable table;
	int64_t page; /* that leaf shows; 0: none */
	FtsPage leaf;
} Look;

static Look *look_new(Reader *r, TermTable table)
{
	Look *look = g_new(Look, 1);
	look->r = r;
	look->table = table;
	look->page = 0;
	return look;
}

static GArray *segments_of(const Look *look, GError **error)
{
	g_autoptr(GArray) segments = g_array_new(FALSE, FALSE, sizeof(int64_t));
	sqlite3_stmt *statement = reader_statement(look->r, sql_of[look->table].segments, error);
	int row = statement ? 1 : -1;
	while (row > 0 && (row = reader_step(look->r, statement, error)) > 0) {
		int64_t segment = sqlite3_column_int64(statement, 0);
		g_array_append_val(segments, segment);
	}
	return row == 0 ? g_steal_pointer(&segments) : NULL;
}

/* 1, 0 if there is no such page, -1 error. What the leaf shows is good until the next call. */
static int show_page(Look *look, int64_t page, GError **error)
{
	sqlite3_stmt *statement = reader_statement(look->r, sql_of[look->table].block, error);
	look->page = 0;
	if (!statement)
		return -1;
	sqlite3_bind_int64(statement, 1, page);
	int row = reader_step(look->r, statement, error);
	if (row > 0 && !open_leaf(&look->leaf, statement)) {
		fail_damaged(error);
		return -1;
	}
	if (row > 0)
		look->page = page;
	return row;
}

/* 0: the segment has no page for it. */
static int64_t term_scan_page_of(
        const Look *look, int64_t segment, const char *term, GError **error)
{
	sqlite3_stmt *statement = reader_statement(look->r, sql_of[look->table].page, error);
	if (!statement)
		return -1;
	sqlite3_bind_int64(statement, 1, segment);
	bind_term(statement, 2, term, "");
	int row = reader_step(look->r, statement, error);
	int64_t page = row > 0 ? sqlite3_column_int64(statement, 0) : row;
	sqlite3_reset(statement);
	return page;
}

/* The leaf's term before, at or behind this one of the main index. */
static int compare_term(const FtsPage *leaf, const char *term)
{
	size_t length = strlen(term), ours = MAX(leaf->term_length, 1) - 1;
	if (leaf->term_length == 0 || leaf->term[0] != FTS_MAIN_INDEX)
		return leaf->term_length == 0 || leaf->term[0] < FTS_MAIN_INDEX ? -1 : 1;
	int order = memcmp(leaf->term + 1, term, MIN(ours, length));
	return order != 0 ? order : (ours > length) - (ours < length);
}

/* Asked for in ascending order. 1, 0 if the segment does not have it, -1 error. */
static int find_term(Look *look, int64_t segment, const char *term, GError **error)
{
	int64_t page = term_scan_page_of(look, segment, term, error);
	int found = page > 0 ? 1 : (int)page, order;
	if (found > 0 && page != look->page)
		found = show_page(look, page, error);
	if (found <= 0)
		return found;
	while ((order = compare_term(&look->leaf, term)) < 0 &&
	        (found = fts_page_next(&look->leaf)) > 0)
		;
	if (found < 0)
		fail_damaged(error);
	return found > 0 ? order == 0 : found;
}

bool terms_exist(
        Reader *r, TermTable table, const char *const *terms, size_t n, bool *held, GError **error)
{
	g_autofree Look *look = look_new(r, table);
	g_autoptr(GArray) segments = segments_of(look, error);
	for (guint s = 0; segments && s < segments->len; s++)
		for (size_t i = 0; i < n; i++) {
			int found = held[i] ? 1
			                    : find_term(look, g_array_index(segments, int64_t, s),
			                              terms[i], error);
			if (found < 0)
				return false;
			held[i] = found > 0;
		}
	return segments != NULL;
}

/* ---- places of terms that begin alike */

typedef struct {
	Look *look; /* at the pages behind */
	const char *term;
	bool prefix;
	TermPositionsFunc f;
	void *data;
	int64_t document; /* the last one */
	uint64_t left; /* so much of its places was not seen */
} Positions;

static void give_positions(Positions *positions, const FtsPage *leaf, bool more)
{
	positions->f(positions->data, positions->document, more, leaf->bytes + leaf->positions,
	        leaf->positions_end - leaf->positions);
	positions->left = leaf->positions_left;
}

static bool give_documents(Positions *positions, FtsPage *leaf, GError **error)
{
	int64_t document = 0;
	int found;
	while ((found = fts_page_document(leaf, &document)) > 0) {
		positions->document = document;
		give_positions(positions, leaf, false);
	}
	return found >= 0 || fail_damaged(error);
}

/* The documents of a page's last term go on to the pages behind, until one has a term of its own.
 */
static bool give_rest(Positions *positions, int64_t page, GError **error)
{
	FtsPage *leaf = &positions->look->leaf;
	bool last = false;
	int row = 1;
	while (!last && (row = show_page(positions->look, ++page, error)) > 0) {
		if (positions->left > 0) {
			fts_page_go_on(leaf, positions->left);
			give_positions(positions, leaf, true);
		}
		last = fts_page_has_terms(leaf);
		if (!give_documents(positions, leaf, error))
			return false;
	}
	return row >= 0;
}

static bool give_leaf(Positions *positions, FtsPage *leaf, int64_t page, GError **error)
{
	size_t length = strlen(positions->term);
	int found;
	while ((found = fts_page_next(leaf)) > 0) {
		if (!term_scan_has_prefix(leaf, positions->term, length) ||
		        (!positions->prefix && leaf->term_length > length + 1))
			continue;
		if (!give_documents(positions, leaf, error) ||
		        (fts_page_is_last(leaf) && !give_rest(positions, page, error)))
			return false;
	}
	return found >= 0 || fail_damaged(error);
}

bool term_scan_positions(Reader *r, TermTable table, const char *term, bool prefix,
        TermPositionsFunc f, void *data, GError **error)
{
	g_autofree Look *look = look_new(r, table);
	g_autofree FtsPage *leaf = g_new(FtsPage, 1);
	Positions positions = {.look = look, .term = term, .prefix = prefix, .f = f, .data = data};
	sqlite3_stmt *statement = reader_statement(r, leaves_sql[table], error);
	int row;
	if (!statement)
		return false;
	bind_terms(statement, term, prefix);
	while ((row = reader_step(r, statement, error)) > 0) {
		if (!open_leaf(leaf, statement))
			return fail_damaged(error);
		if (!give_leaf(&positions, leaf, sqlite3_column_int64(statement, 1), error))
			return false;
	}
	return row == 0;
}

bool terms_totals(
        Reader *r, TermTable table, uint64_t *documents_r, uint64_t *tokens_r, GError **error)
{
	sqlite3_stmt *statement = reader_statement(r, sql_of[table].block, error);
	*documents_r = *tokens_r = 0;
	if (!statement)
		return false;
	sqlite3_bind_int64(statement, 1, FTS_TOTALS);
	int row = reader_step(r, statement, error);
	bool sound = row <= 0 || sqlite3_column_bytes(statement, 0) == 0 ||
	             fts_totals(sqlite3_column_blob(statement, 0),
	                     sqlite3_column_bytes(statement, 0), documents_r, tokens_r);
	sqlite3_reset(statement);
	return row >= 0 && (sound || fail_damaged(error));
}

/* ---- documents of terms */

/* A bit for each number of a document; those that are this far apart count as one. */
enum { MATCHED_BITS = 1 << 24 };

typedef struct {
	uint8_t *bits;
	uint64_t n, most; /* documents that were met, and that are enough */
} MatchedDocuments;

static void add_document(MatchedDocuments *matched, int64_t document)
{
	size_t bit = (uint64_t)document % MATCHED_BITS;
	matched->n += !(matched->bits[bit / 8] >> bit % 8 & 1);
	matched->bits[bit / 8] |= 1 << bit % 8;
}

static bool match_documents(MatchedDocuments *matched, FtsPage *leaf, GError **error)
{
	int64_t document = 0;
	int found = 1;
	while (matched->n < matched->most && (found = fts_page_document(leaf, &document)) > 0)
		add_document(matched, document);
	return found >= 0 || fail_damaged(error);
}

/* The documents of a page's last term go on to the pages behind, until one has a term of its own.
 */
static bool match_term(MatchedDocuments *matched, Look *look, GError **error)
{
	bool last = !fts_page_is_last(&look->leaf); /* another term begins behind it */
	int row = 1;
	if (!match_documents(matched, &look->leaf, error))
		return false;
	while (!last && matched->n < matched->most &&
	        (row = show_page(look, look->page + 1, error)) > 0) {
		last = fts_page_has_terms(&look->leaf);
		if (!match_documents(matched, &look->leaf, error))
			return false;
	}
	return row >= 0;
}

bool terms_count_documents(Reader *r, TermTable table, const char *const *terms, size_t n,
        uint64_t most, uint64_t *count_r, GError **error)
{
	g_autofree Look *look = look_new(r, table);
	g_autoptr(GArray) segments = segments_of(look, error);
	g_autofree uint8_t *bits = g_malloc0(MATCHED_BITS / 8);
	MatchedDocuments matched = {.bits = bits, .most = most};
	for (guint s = 0; segments && s < segments->len; s++)
		for (size_t i = 0; i < n && matched.n < most; i++) {
			int found = find_term(
			        look, g_array_index(segments, int64_t, s), terms[i], error);
			if (found < 0 || (found > 0 && !match_term(&matched, look, error)))
				return false;
		}
	*count_r = matched.n;
	return segments != NULL;
}
