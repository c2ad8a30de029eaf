/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/read/reader-page.h"
#include "index/read/reader-private.h"

static const char page_place_sql[] =
        "SELECT source, kind, url, file, offset, length FROM web_page WHERE inode = ?1";

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

int reader_web_page(Reader *r, int64_t inode, ReaderPage *out, GError **error)
{
	PagePlace at = {0};
	*out = (ReaderPage){0};
	if (!reader_begin(r, 0, error))
		return -1;
	int found = reader_find_page(r, inode, &at, out, error);
	reader_end(r);
	if (found <= 0) {
		reader_page_clear(out);
		return found;
	}
	g_autofree char *dir = reader_store_dir(r->index_dir, at.source);
	enum { RECORD_BYTES = WARC_MAX_BODY_BYTES + 4 * WARC_MAX_HEAD_BYTES };
	out->content = warc_store_read(dir, &at.place, out->url, RECORD_BYTES, error);
	if (out->content)
		return 1;
	reader_page_clear(out);
	return -1;
}
