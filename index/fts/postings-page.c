/* SPDX-License-Identifier: GPL-3.0-or-later */
/* postings-page.c - terms and posting lists from the pages of an FTS5 table
 *
 * The table's _idx has a row for each page on which a term begins: the segment, a prefix of the
 * first term that no term on an earlier page reaches, and twice the page number. The rows of _data
 * are the pages. */
#include <config.h>
#include "index/fts/fts-private.h"
#include "common/base/i18n.h"
#include <stdint.h>
#include <string.h>

bool pages_fail_damaged(GError **error)
{
	g_set_error_literal(
	        error, INDEX_ERROR, INDEX_ERROR_DAMAGED, _("a page of the text index is damaged"));
	return false;
}

static bool pages_open(FtsPage *page, sqlite3_stmt *statement)
{
	const void *bytes = sqlite3_column_blob(statement, 0);
	return fts_page_open(page, bytes, sqlite3_column_bytes(statement, 0));
}

static void pages_bind_term(
        sqlite3_stmt *statement, int parameter, const char *term, const char *end)
{
	g_autofree char *key = g_strdup_printf("%c%s%s", FTS_MAIN_INDEX, term, end);
	sqlite3_bind_blob(statement, parameter, key, (int)strlen(key), SQLITE_TRANSIENT);
}

/* ---- segments, and their pages of a range of terms
 *
 * One statement for all segments would have to be recursive, and SQLite opens a temporary table
 * each time that it runs one. */

#define NEXT_SEGMENT(table) "SELECT min(segid) FROM " table "_idx WHERE segid > ?1"

/* Sets *segment to the next one. 1; 0: there are no more; -1: error. */
static int pages_next_segment(Reader *r, TermTable table, int64_t *segment, GError **error)
{
	static const char *const sql[] = {
	        [TERMS_OF_TEXT] = NEXT_SEGMENT("text"), [TERMS_OF_NAMES] = NEXT_SEGMENT("name")};
	sqlite3_stmt *statement = reader_statement(r, sql[table], error);
	if (!statement)
		return -1;
	sqlite3_bind_int64(statement, 1, *segment);
	int row = reader_step(r, statement, error);
	if (row <= 0)
		return row;
	int64_t next = sqlite3_column_int64(statement, 0);
	bool any = sqlite3_column_type(statement, 0) != SQLITE_NULL;
	sqlite3_reset(statement);
	if (any && next <= *segment) {
		pages_fail_damaged(error);
		return -1;
	}
	*segment = next;
	return any;
}

GArray *pages_segments(const PageLookup *lookup, GError **error)
{
	g_autoptr(GArray) segments = g_array_new(FALSE, FALSE, sizeof(int64_t));
	int64_t segment = 0;
	int found;
	while ((found = pages_next_segment(lookup->r, lookup->table, &segment, error)) > 0)
		g_array_append_val(segments, segment);
	return found == 0 ? g_steal_pointer(&segments) : NULL;
}

/* The pages with terms from one up to another, segment by segment. */
typedef struct {
	Reader *r;
	TermTable table;
	const char *term;
	bool prefix; /* the terms that begin with this one, otherwise only it */
	int64_t segment; /* 0: none yet */
	sqlite3_stmt *pages; /* of this segment; the block and its id */
} PageRange;

/* Pages of segment ?3 with terms from ?1 up to ?2, from the last page that does not begin after ?1.
 */
#define PAGES_OF_RANGE(table)                                                                      \
	"SELECT d.block, d.id FROM " table "_idx i CROSS JOIN " table                              \
	"_data d ON d.id = (i.segid << " G_STRINGIFY(                                              \
	        FTS_SEGMENT_SHIFT) ") + (i.pgno >> 1) WHERE i.segid = ?3 AND i.term >= "           \
	                           "coalesce((SELECT max(j.term) FROM " table                      \
	                           "_idx j WHERE j.segid = ?3 AND j.term <= ?1), x'') AND "        \
	                           "i.term < ?2"

/* Binds the range, and its segment. */
static void pages_bind_range(sqlite3_stmt *statement, const PageRange *range)
{
	pages_bind_term(statement, 1, range->term, "");
	pages_bind_term(statement, 2, range->term, range->prefix ? "\xff" : "\x01");
	sqlite3_bind_int64(statement, 3, range->segment);
}

/* 1: the next page can be read; 0: there are no more; -1: error. */
static int pages_next(PageRange *range, GError **error)
{
	static const char *const sql[] = {[TERMS_OF_TEXT] = PAGES_OF_RANGE("text"),
	        [TERMS_OF_NAMES] = PAGES_OF_RANGE("name")};
	int row = range->pages ? reader_step(range->r, range->pages, error) : 0;
	while (row == 0) {
		row = pages_next_segment(range->r, range->table, &range->segment, error);
		if (row <= 0)
			return row;
		range->pages = reader_statement(range->r, sql[range->table], error);
		if (!range->pages)
			return -1;
		pages_bind_range(range->pages, range);
		row = reader_step(range->r, range->pages, error);
	}
	return row;
}

/* ---- terms with a common prefix */

typedef struct {
	const char *start;
	size_t start_length;
	TermScanFunc f;
	void *data;
	bool stopped;
} TermScan;

static bool pages_term_begins(const FtsPage *page, const char *start, size_t length)
{
	return page->term_length > length && page->term[0] == FTS_MAIN_INDEX &&
	       memcmp(page->term + 1, start, length) == 0;
}

/* Is the term of the page less than, equal to or greater than this one of the main index? */
static int pages_compare_term(const FtsPage *page, const char *term)
{
	size_t length = strlen(term), ours = MAX(page->term_length, 1) - 1;
	if (page->term_length == 0 || page->term[0] != FTS_MAIN_INDEX)
		return page->term_length == 0 || page->term[0] < FTS_MAIN_INDEX ? -1 : 1;
	int order = memcmp(page->term + 1, term, MIN(ours, length));
	return order != 0 ? order : (ours > length) - (ours < length);
}

/* Reads the page up to the first term after those with the prefix. False: it is damaged. */
static bool pages_scan_page(TermScan *scan, FtsPage *page)
{
	int found = 1;
	while (!scan->stopped && (found = fts_page_next(page)) > 0)
		if (pages_term_begins(page, scan->start, scan->start_length))
			scan->stopped = !scan->f(scan->data, page->term + 1);
		else if (pages_compare_term(page, scan->start) > 0)
			break;
	return found >= 0;
}

bool pages_scan(
        Reader *r, TermTable table, const char *start, TermScanFunc f, void *data, GError **error)
{
	TermScan scan = {.start = start, .start_length = strlen(start), .f = f, .data = data};
	PageRange range = {.r = r, .table = table, .term = start, .prefix = true};
	g_autofree FtsPage *page = g_new(FtsPage, 1);
	bool sound = true;
	int row;

	while ((row = pages_next(&range, error)) > 0 && sound && !scan.stopped)
		sound = pages_open(page, range.pages) && pages_scan_page(&scan, page);
	if (row > 0)
		sqlite3_reset(range.pages);
	return row >= 0 && (sound || pages_fail_damaged(error));
}

/* The last page that begins with a term up to this one. */
#define LAST_PAGE(table, term)                                                                     \
	"coalesce((SELECT pgno >> 1 FROM " table "_idx WHERE segid = ?3 AND term <= " term         \
	" ORDER BY segid DESC, term DESC LIMIT 1), 0)"
#define COUNT_OF_RANGE(table) "SELECT 1 + " LAST_PAGE(table, "?2") " - " LAST_PAGE(table, "?1")

uint64_t pages_count(Reader *r, TermTable table, const char *start)
{
	static const char *const sql[] = {[TERMS_OF_TEXT] = COUNT_OF_RANGE("text"),
	        [TERMS_OF_NAMES] = COUNT_OF_RANGE("name")};
	PageRange range = {.r = r, .table = table, .term = start, .prefix = true};
	sqlite3_stmt *statement = reader_statement(r, sql[table], NULL);
	int64_t pages = 0;
	while (statement && pages_next_segment(r, table, &range.segment, NULL) > 0) {
		pages_bind_range(statement, &range);
		if (reader_step(r, statement, NULL) > 0)
			pages += MAX(sqlite3_column_int64(statement, 0), 0);
		sqlite3_reset(statement);
	}
	return pages;
}

/* ---- looking terms up */

/* The only page of segment ?1 on which term ?2 can begin. */
#define PAGE_OF_TERM(table)                                                                        \
	"SELECT (segid << " G_STRINGIFY(FTS_SEGMENT_SHIFT) ") + (pgno >> 1) FROM " table           \
	                                                   "_idx WHERE segid = ?1 AND term <= ?2 " \
	                                                   "ORDER BY term DESC LIMIT 1"
#define LAST_SEGMENT(table) "SELECT max(segid) FROM " table "_idx"

static const struct {
	const char *page, *block, *last_segment;
} lookup_sql[] = {
        [TERMS_OF_TEXT] = {PAGE_OF_TERM("text"), "SELECT block FROM text_data WHERE id = ?1",
                LAST_SEGMENT("text")},
        [TERMS_OF_NAMES] = {PAGE_OF_TERM("name"), "SELECT block FROM name_data WHERE id = ?1",
                LAST_SEGMENT("name")},
};

PageLookup *pages_lookup_new(Reader *r, TermTable table)
{
	PageLookup *lookup = g_new(PageLookup, 1);
	lookup->r = r;
	lookup->table = table;
	lookup->id = 0;
	lookup->copy = NULL;
	return lookup;
}

/* An opened page has memory of its own. */
static bool pages_open_copy(PageLookup *lookup, sqlite3_stmt *statement)
{
	const void *bytes = sqlite3_column_blob(statement, 0);
	g_byte_array_set_size(lookup->copy, 0);
	g_byte_array_append(lookup->copy, bytes, sqlite3_column_bytes(statement, 0));
	return fts_page_open(&lookup->page, lookup->copy->data, lookup->copy->len);
}

int pages_lookup_page(PageLookup *lookup, int64_t id, GError **error)
{
	sqlite3_stmt *statement =
	        reader_statement(lookup->r, lookup_sql[lookup->table].block, error);
	lookup->id = 0;
	if (!statement)
		return -1;
	sqlite3_bind_int64(statement, 1, id);
	int row = reader_step(lookup->r, statement, error);
	if (row > 0 && !(lookup->copy ? pages_open_copy(lookup, statement)
	                              : pages_open(&lookup->page, statement))) {
		pages_fail_damaged(error);
		return -1;
	}
	if (row > 0)
		lookup->id = id;
	return row;
}

int64_t pages_lookup_id(const PageLookup *lookup, int64_t segment, const char *term, GError **error)
{
	sqlite3_stmt *statement =
	        reader_statement(lookup->r, lookup_sql[lookup->table].page, error);
	if (!statement)
		return -1;
	sqlite3_bind_int64(statement, 1, segment);
	pages_bind_term(statement, 2, term, "");
	int row = reader_step(lookup->r, statement, error);
	int64_t id = row > 0 ? sqlite3_column_int64(statement, 0) : row;
	sqlite3_reset(statement);
	return id;
}

/* 1: found; 0: the segment does not have the term; -1: error. The terms of one segment must be
 * looked up in ascending order. */
static int pages_lookup_term(PageLookup *lookup, int64_t segment, const char *term, GError **error)
{
	int64_t id = pages_lookup_id(lookup, segment, term, error);
	int found = id > 0 ? 1 : (int)id, order;
	if (found > 0 && id != lookup->id)
		found = pages_lookup_page(lookup, id, error);
	if (found <= 0)
		return found;
	while ((order = pages_compare_term(&lookup->page, term)) < 0 &&
	        (found = fts_page_next(&lookup->page)) > 0)
		;
	if (found < 0)
		pages_fail_damaged(error);
	return found > 0 ? order == 0 : found;
}

bool pages_exist(Reader *r, TermTable table, const char *const *terms, size_t n, bool *exists,
        GError **error)
{
	g_autofree PageLookup *lookup = pages_lookup_new(r, table);
	g_autoptr(GArray) segments = pages_segments(lookup, error);
	for (guint s = 0; segments && s < segments->len; s++)
		for (size_t i = 0; i < n; i++) {
			int found = exists[i] ? 1
			                      : pages_lookup_term(lookup,
			                                g_array_index(segments, int64_t, s),
			                                terms[i], error);
			if (found < 0)
				return false;
			exists[i] = found > 0;
		}
	return segments != NULL;
}

int pages_sample(Reader *r, TermTable table, const char *term, FtsPage *page, GBytes **bytes_r,
        GError **error)
{
	g_autofree PageLookup *lookup = pages_lookup_new(r, table);
	uint64_t segment;
	*bytes_r = NULL;
	if (!reader_count(r, lookup_sql[table].last_segment, &segment, error))
		return -1;
	int64_t id = pages_lookup_id(lookup, (int64_t)segment, term, error);
	int found = id > 0 ? pages_lookup_page(lookup, id, error) : (int)id;
	if (found <= 0)
		return found;
	*bytes_r = g_bytes_new(lookup->page.bytes, lookup->page.length);
	fts_page_open(page, g_bytes_get_data(*bytes_r, NULL), g_bytes_get_size(*bytes_r));
	return 1;
}

/* ---- posting lists */

/* Counts a page. Stops before the last one, so that 0 means that the limit was reached. */
static bool pages_take(PagePostings *postings)
{
	if (postings->pages_left && --*postings->pages_left == 0)
		postings->stopped = true;
	return !postings->stopped;
}

/* Reads the part of the position list on this page, and passes the posting on if the list ends
 * here. */
static void pages_add_positions(PagePostings *postings, const FtsPage *page)
{
	postings->left = page->positions_left;
	if (postings->counted)
		fts_positions_count(&postings->positions, page->bytes + page->positions,
		        page->positions_end - page->positions, postings->counts, N_COLUMNS);
	if (postings->left > 0)
		return;
	postings->posting.columns = MIN(postings->positions.column, N_COLUMNS - 1) + 1;
	postings->stopped = !postings->f(postings->data, &postings->posting);
}

static void pages_begin_posting(PagePostings *postings, int64_t document, bool deleted)
{
	if (postings->counted)
		memset(postings->counts, 0, sizeof postings->counts);
	postings->positions = (FtsPositions){.in_varint = false};
	postings->posting = (TermPosting){document, deleted, postings->counts, 1};
}

static bool pages_read_postings(PagePostings *postings, FtsPage *page, GError **error)
{
	int64_t document = 0;
	int found = 1;
	while (!postings->stopped && (found = fts_page_posting(page, &document)) > 0) {
		pages_begin_posting(postings, document, page->deleted);
		pages_add_positions(postings, page);
	}
	return found >= 0 || pages_fail_damaged(error);
}

/* The posting list of the last term of a page continues on the next pages, up to the first on which
 * a term begins. */
static bool pages_read_rest(PagePostings *postings, int64_t id, GError **error)
{
	FtsPage *page = &postings->lookup->page;
	bool last = false;
	int row = 1;
	while (!last && !postings->stopped &&
	        (row = pages_lookup_page(postings->lookup, ++id, error)) > 0) {
		if (!pages_take(postings))
			return true;
		last = fts_page_has_terms(page);
		if (postings->left > 0) {
			fts_page_continue(page, postings->left);
			pages_add_positions(postings, page);
		}
		if (!pages_read_postings(postings, page, error))
			return false;
	}
	postings->left = 0;
	return row >= 0;
}

bool pages_read_list(PagePostings *postings, GError **error)
{
	PageLookup *lookup = postings->lookup;
	bool rest = fts_page_is_last(&lookup->page);
	int64_t id = lookup->id;
	return pages_read_postings(postings, &lookup->page, error) &&
	       (!rest || postings->stopped || pages_read_rest(postings, id, error));
}

static bool pages_read_page(PagePostings *postings, FtsPage *page, int64_t id, GError **error)
{
	size_t length = strlen(postings->term);
	int found = 1;
	while (!postings->stopped && (found = fts_page_next(page)) > 0) {
		if (!pages_term_begins(page, postings->term, length) ||
		        (!postings->prefix && page->term_length > length + 1))
			continue;
		if (!pages_read_postings(postings, page, error) ||
		        (fts_page_is_last(page) && !postings->stopped &&
		                !pages_read_rest(postings, id, error)))
			return false;
	}
	return found >= 0 || pages_fail_damaged(error);
}

bool pages_postings(Reader *r, TermTable table, const char *term, bool prefix, unsigned *pages_left,
        TermPostingFunc f, void *data, GError **error)
{
	g_autofree PageLookup *lookup = pages_lookup_new(r, table);
	g_autofree FtsPage *page = g_new(FtsPage, 1);
	PagePostings postings = {.lookup = lookup,
	        .term = term,
	        .prefix = prefix,
	        .counted = true,
	        .pages_left = pages_left,
	        .f = f,
	        .data = data};
	PageRange range = {.r = r, .table = table, .term = term, .prefix = prefix};
	int row;
	while ((row = pages_next(&range, error)) > 0 && !postings.stopped) {
		if (!pages_take(&postings))
			break;
		if (!pages_open(page, range.pages))
			return pages_fail_damaged(error);
		if (!pages_read_page(&postings, page, sqlite3_column_int64(range.pages, 1), error))
			return false;
	}
	if (row > 0)
		sqlite3_reset(range.pages);
	return row >= 0;
}

bool pages_add_documents(Reader *r, TermTable table, const char *const *terms, size_t n,
        bool counted, TermPostingFunc f, void *data, GError **error)
{
	g_autofree PageLookup *lookup = pages_lookup_new(r, table);
	g_autoptr(GArray) segments = pages_segments(lookup, error);
	PagePostings postings = {.lookup = lookup, .counted = counted, .f = f, .data = data};
	for (guint s = 0; segments && s < segments->len; s++)
		for (size_t i = 0; i < n && !postings.stopped; i++) {
			int found = pages_lookup_term(
			        lookup, g_array_index(segments, int64_t, s), terms[i], error);
			if (found < 0)
				return false;
			if (found == 0)
				continue;
			if (!pages_read_list(&postings, error))
				return false;
		}
	return segments != NULL;
}
