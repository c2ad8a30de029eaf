/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write-web-page.c - rows of the documents of sources, and their removal */
#include <config.h>
#include "index/write/writer-private.h"
#include "index/write/writer-web.h"
#include <string.h>
#include <unistd.h>

void web_page_row_clear(WebPageRow *row)
{
	g_clear_pointer(&row->url, g_free);
}

/* ---- sources */

static bool web_filesystem(Writer *w, int64_t *id_r, GError **error)
{
	return writer_filesystem(w, WEB_FILESYSTEM, WEB_FILESYSTEM, id_r, error);
}

/* The root of a source and a document of the same URL are two inodes. */
static uint64_t web_ino(int64_t source, const char *identity)
{
	g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT " %s", source, identity);
	return (uint64_t)web_hash(text, strlen(text)) & INT64_MAX;
}

static EntryStat web_stat(int64_t filesystem, uint64_t ino, EntryKind kind)
{
	return (EntryStat){.filesystem = filesystem,
	        .ino = ino,
	        .kind = kind,
	        .uid = getuid(),
	        .gid = getgid(),
	        .mode = kind == ENTRY_DIR ? 0700 : 0600};
}

bool writer_web_name_source(
        Writer *w, int64_t source, const char *url, bool is_feed, int64_t *node_r, GError **error)
{
	int64_t filesystem, known;
	Entry root;
	if (!web_filesystem(w, &filesystem, error) ||
	        !statement_int(w, WEB_SOURCE_NODE, VALUES(INT(source)), 0, &known, error) ||
	        (known != 0 && !writer_move(w, known, 0, url, error)))
		return false;
	const EntryStat stat = web_stat(filesystem, web_ino(source, ""), ENTRY_DIR);
	if (!writer_put(w, 0, url, &stat, false, &root, error))
		return false;
	*node_r = root.node;
	return writer_change(w, error) &&
	       statement_run(w, WEB_SOURCE_NAME,
	               VALUES(INT(source), TEXT(url), INT(is_feed), INT(root.node)), error);
}

bool writer_web_each_named(Writer *w, WebNamedFunc func, void *data, GError **error)
{
	int result = SQLITE_DONE;
	sqlite3_stmt *row = statement_bind(w, WEB_SOURCE_NAMED, NULL, 0, error);
	while (row && (result = sqlite3_step(row)) == SQLITE_ROW) {
		const char *url = (const char *)sqlite3_column_text(row, 2);
		const WebNamedSource source = {sqlite3_column_int64(row, 0),
		        sqlite3_column_int64(row, 1), url ? url : "",
		        sqlite3_column_int64(row, 3) != 0};
		func(&source, data);
	}
	if (!row || result != SQLITE_DONE)
		return row ? writer_fail(w, error) : false;
	sqlite3_reset(row);
	return true;
}

bool writer_web_note_visit(
        Writer *w, int64_t source, int64_t now_s, const char *failure, GError **error)
{
	if (!writer_change(w, error))
		return false;
	if (!failure)
		return statement_run(
		        w, WEB_SOURCE_ANSWERED, VALUES(INT(source), INT(now_s)), error);
	return statement_run(
	        w, WEB_SOURCE_FAILED, VALUES(INT(source), INT(now_s), TEXT(failure)), error);
}

bool writer_web_end_failure(Writer *w, int64_t source, const char *failure, GError **error)
{
	return writer_change(w, error) && statement_run(w, WEB_SOURCE_FAILED_NO_MORE,
	                                          VALUES(INT(source), TEXT(failure)), error);
}

typedef struct {
	int64_t node;
	char *url;
} SourcePage;

static void source_page_clear(void *page)
{
	g_free(((SourcePage *)page)->url);
}

static GArray *source_pages(Writer *w, int64_t source, unsigned n, GError **error)
{
	g_autoptr(GArray) pages = g_array_new(FALSE, FALSE, sizeof(SourcePage));
	int result = SQLITE_DONE;
	g_array_set_clear_func(pages, source_page_clear);
	sqlite3_stmt *row = statement_bind(w, WEB_SOURCE_PAGES, VALUES(INT(source), INT(n)), error);
	while (row && (result = sqlite3_step(row)) == SQLITE_ROW) {
		const char *url = (const char *)sqlite3_column_text(row, 1);
		SourcePage page = {sqlite3_column_int64(row, 0), g_strdup(url ? url : "")};
		g_array_append_val(pages, page);
	}
	if (row && result != SQLITE_DONE)
		writer_fail(w, error);
	if (!row || result != SQLITE_DONE)
		return NULL;
	sqlite3_reset(row);
	return g_steal_pointer(&pages);
}

bool writer_web_remove_documents(
        Writer *w, int64_t source, WebGoneFunc gone, void *data, bool *more_r, GError **error)
{
	enum { PAGES = 64 };
	int64_t root;
	g_autoptr(GArray) pages = source_pages(w, source, PAGES, error);
	if (!pages || !writer_change(w, error))
		return false;
	for (guint i = 0; i < pages->len; i++) {
		const SourcePage *page = &g_array_index(pages, SourcePage, i);
		if (!writer_remove(w, page->node, error) || (gone && !gone(page->url, data, error)))
			return false;
	}
	*more_r = pages->len == PAGES;
	if (*more_r)
		return true;
	return statement_int(w, WEB_SOURCE_NODE, VALUES(INT(source)), 0, &root, error) &&
	       (root == 0 || writer_remove(w, root, error)) && writer_change(w, error) &&
	       statement_run(w, WEB_SOURCE_FORGET, VALUES(INT(source)), error);
}

/* ---- documents */

static bool store_page(Writer *w, const WebPageRow *row, GError **error)
{
	return writer_change(w, error) &&
	       statement_run(w, WEB_PAGE_SET,
	               VALUES(INT(row->inode), INT(row->source), INT(row->kind), INT(row->flags),
	                       TEXT(row->url), INT(row->place.file), INT(row->place.offset),
	                       INT(row->place.length)),
	               error);
}

bool writer_web_set_page(Writer *w, const WebPageRow *row, GError **error)
{
	return store_page(w, row, error);
}

/* Size and date may stay the same when the bytes change, but never the time of the change. */
bool writer_web_put_page(Writer *w, WebPageRow *row, const char *name, const char *identity,
        int64_t size, int64_t mtime_s, bool changed, Entry *out, GError **error)
{
	int64_t filesystem, root;
	if (!web_filesystem(w, &filesystem, error) ||
	        !statement_int(w, WEB_SOURCE_NODE, VALUES(INT(row->source)), 0, &root, error))
		return false;
	if (root == 0)
		return writer_fail_missing(w, error);
	EntryStat stat = web_stat(filesystem, web_ino(row->source, identity), ENTRY_FILE);
	int found = writer_web_find_page(w, row->source, identity, out, error);
	if (found < 0)
		return false;
	stat.size = size;
	stat.mtime_ns = CLAMP(mtime_s, 0, UINT32_MAX) * G_GINT64_CONSTANT(1000000000);
	stat.ctime_ns = found ? out->stat.ctime_ns + changed : 1;
	if (found && !changed)
		stat.size = out->stat.size;
	if (found && !writer_move(w, out->node, root, name, error))
		return false;
	if (!writer_put(w, root, name, &stat, changed || !found, out, error))
		return false;
	row->inode = out->inode;
	return store_page(w, row, error);
}

static void page_of_row(sqlite3_stmt *row, WebPageRow *out)
{
	const char *url = (const char *)sqlite3_column_text(row, 4);
	*out = (WebPageRow){.inode = sqlite3_column_int64(row, 0),
	        .source = sqlite3_column_int64(row, 1),
	        .kind = CLAMP(sqlite3_column_int64(row, 2), 0, N_WEB_PAGE_KINDS - 1),
	        .flags = sqlite3_column_int64(row, 3) & 0xff,
	        .url = g_strdup(url ? url : ""),
	        .place = {.file = CLAMP(sqlite3_column_int64(row, 5), 0, UINT32_MAX),
	                .offset = MAX(0, sqlite3_column_int64(row, 6)),
	                .length = CLAMP(sqlite3_column_int64(row, 7), 0, UINT32_MAX)}};
}

int writer_web_get_page(Writer *w, int64_t inode, WebPageRow *row_r, GError **error)
{
	sqlite3_stmt *row;
	int found = statement_row(w, WEB_PAGE_GET, VALUES(INT(inode)), &row, error);
	if (found <= 0)
		return found;
	page_of_row(row, row_r);
	sqlite3_reset(row);
	return 1;
}

int writer_web_find_page(
        Writer *w, int64_t source, const char *identity, Entry *out, GError **error)
{
	int64_t filesystem;
	sqlite3_stmt *row;
	if (!web_filesystem(w, &filesystem, error))
		return -1;
	int found = statement_row(w, WEB_PAGE_OF_IDENTITY,
	        VALUES(INT(filesystem), INT((int64_t)web_ino(source, identity))), &row, error);
	if (found <= 0)
		return found;
	entry_from_row(row, out);
	sqlite3_reset(row);
	return 1;
}

bool writer_web_rename_page(Writer *w, const WebPageRow *row, const char *identity, GError **error)
{
	return statement_run(w, WEB_PAGE_RENAME,
	        VALUES(INT(row->inode), INT((int64_t)web_ino(row->source, identity))), error);
}

bool writer_web_last_place(Writer *w, int64_t source, WarcPlace *place_r, GError **error)
{
	sqlite3_stmt *row;
	*place_r = (WarcPlace){0};
	int found = statement_row(w, WEB_PAGE_LAST, VALUES(INT(source)), &row, error);
	if (found <= 0)
		return found == 0;
	*place_r = (WarcPlace){.file = CLAMP(sqlite3_column_int64(row, 0), 0, UINT32_MAX),
	        .offset = MAX(0, sqlite3_column_int64(row, 1)),
	        .length = CLAMP(sqlite3_column_int64(row, 2), 0, UINT32_MAX)};
	sqlite3_reset(row);
	return true;
}

static bool append_pages(Writer *w, sqlite3_stmt *row, GArray *pages, GError **error)
{
	int result = SQLITE_DONE;
	while (row && (result = sqlite3_step(row)) == SQLITE_ROW) {
		WebPageRow page;
		page_of_row(row, &page);
		g_array_append_val(pages, page);
	}
	if (!row || result != SQLITE_DONE)
		return row ? writer_fail(w, error) : false;
	sqlite3_reset(row);
	return true;
}

bool writer_web_pages_in_file(
        Writer *w, int64_t source, uint32_t file, unsigned n, GArray *pages, GError **error)
{
	return append_pages(w,
	        statement_bind(w, WEB_PAGE_IN_FILE, VALUES(INT(source), INT(file), INT(n)), error),
	        pages, error);
}

bool writer_web_pages_after(
        Writer *w, int64_t source, int64_t after, unsigned n, GArray *pages, GError **error)
{
	return append_pages(w,
	        statement_bind(w, WEB_PAGE_AFTER, VALUES(INT(source), INT(after), INT(n)), error),
	        pages, error);
}

bool writer_web_live_bytes(
        Writer *w, int64_t source, uint32_t file, uint64_t *bytes_r, GError **error)
{
	int64_t bytes;
	if (!statement_int(w, WEB_PAGE_LIVE, VALUES(INT(source), INT(file)), 0, &bytes, error))
		return false;
	*bytes_r = (uint64_t)MAX(0, bytes);
	return true;
}
