/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/read/reader-page.h"
#include "index/read/reader-private.h"

static const char page_place_sql[] =
        "SELECT source, kind, url, file, offset, length FROM web_page WHERE inode = ?1";

static const char kept_pages_sql[] =
        "SELECT inode, url FROM web_page WHERE file <> 0 ORDER BY source, file, offset";

void reader_page_clear(ReaderPage *page)
{
	g_clear_pointer(&page->content, warc_content_free);
	g_clear_pointer(&page->url, g_free);
}

typedef struct {
	int64_t source;
	WarcPlace place;
} PagePlace;

static int reader_find_page(
        Reader *r, int64_t inode, PagePlace *at, ReaderPage *out, GError **error)
{
	sqlite3_stmt *statement = reader_statement(r, page_place_sql, error);
	if (!statement)
		return -1;
	sqlite3_bind_int64(statement, 1, inode);
	int row = reader_step(r, statement, error);
	if (row <= 0)
		return row;
	at->source = sqlite3_column_int64(statement, 0);
	out->is_page = sqlite3_column_int64(statement, 1) == 0; /* WEB_PAGE_ANSWER */
	out->url = g_strdup((const char *)sqlite3_column_text(statement, 2));
	at->place = (WarcPlace){.file = CLAMP(sqlite3_column_int64(statement, 3), 0, UINT32_MAX),
	        .offset = MAX(0, sqlite3_column_int64(statement, 4)),
	        .length = CLAMP(sqlite3_column_int64(statement, 5), 0, UINT32_MAX)};
	sqlite3_reset(statement);
	return out->url && at->place.file != 0;
}

char *reader_store_dir(const char *index_dir, int64_t source)
{
	g_autofree char *name = g_strdup_printf("%" G_GINT64_FORMAT, source);
	return g_build_filename(index_dir, "web", name, NULL);
}

/* Finds the page. 1: it is at *at; 0: none; -1: error. */
static int reader_locate_page(
        Reader *r, int64_t inode, PagePlace *at, ReaderPage *out, GError **error)
{
	reader_page_clear(out);
	*out = (ReaderPage){0};
	if (!reader_begin(r, 0, error))
		return -1;
	int found = reader_find_page(r, inode, at, out, error);
	reader_end(r);
	return found;
}

static bool same_place(const WarcPlace *a, const WarcPlace *b)
{
	return a->file == b->file && a->offset == b->offset && a->length == b->length;
}

/* The daemon may move the record between the row and the bytes; then the row tells the new place.
 */
int reader_web_page(Reader *r, int64_t inode, ReaderPage *out, GError **error)
{
	enum { RECORD_BYTES = WARC_MAX_BODY_BYTES + 4 * WARC_MAX_HEAD_BYTES };
	PagePlace at = {0}, last;
	g_autoptr(GError) failure = NULL;
	*out = (ReaderPage){0};
	int found = reader_locate_page(r, inode, &at, out, error);
	while (found > 0) {
		g_autofree char *dir = reader_store_dir(r->index_dir, at.source);
		g_clear_error(&failure);
		out->content = warc_store_read(dir, &at.place, out->url, RECORD_BYTES, &failure);
		out->source = at.source;
		if (out->content)
			return 1;
		last = at;
		found = reader_locate_page(r, inode, &at, out, error);
		if (found > 0 && same_place(&at.place, &last.place)) {
			g_propagate_error(error, g_steal_pointer(&failure));
			found = -1;
		}
	}
	reader_page_clear(out);
	return found;
}

/* ---- all pages */

typedef struct {
	int64_t inode;
	char *url;
} KeptPage;

static void kept_page_clear(void *page)
{
	g_free(((KeptPage *)page)->url);
}

static bool list_kept_pages(Reader *r, GArray *pages, GError **error)
{
	int found;
	sqlite3_stmt *row = reader_statement(r, kept_pages_sql, error);
	if (!row)
		return false;
	while ((found = reader_step(r, row, error)) > 0) {
		const char *url = (const char *)sqlite3_column_text(row, 1);
		KeptPage page = {sqlite3_column_int64(row, 0), g_strdup(url ? url : "")};
		g_array_append_val(pages, page);
	}
	return found == 0;
}

bool reader_check_stores(Reader *r, ReaderPageFunc unread, void *data, GError **error)
{
	g_autoptr(GArray) pages = g_array_new(FALSE, FALSE, sizeof(KeptPage));
	g_array_set_clear_func(pages, kept_page_clear);
	if (!reader_begin(r, 0, error))
		return false;
	bool ok = list_kept_pages(r, pages, error);
	reader_end(r);
	for (guint i = 0; ok && i < pages->len; i++) {
		const KeptPage *page = &g_array_index(pages, KeptPage, i);
		g_auto(ReaderPage) kept = {0};
		g_autoptr(GError) failure = NULL;
		if (reader_web_page(r, page->inode, &kept, &failure) >= 0)
			continue;
		ok = failure->domain == WARC_ERROR;
		if (ok)
			unread(page->url, failure, data);
		else
			g_propagate_error(error, g_steal_pointer(&failure));
	}
	return ok;
}
