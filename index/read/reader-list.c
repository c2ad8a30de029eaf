/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reader-list.c - lists entries in the order of their paths, and the failed ones
 *
 * There is one open statement for each level of the tree, so memory grows only with the depth. */
#include <config.h>
#include "common/base/paths.h"
#include "common/url/url-name.h"
#include "index/read/reader-private.h"
#include "index/store/states.h"
#include <string.h>

static const char node_sql[] = "SELECT " INFO_COLUMNS "FROM node n " INFO_JOINS
                               "WHERE n.id = ?1 ORDER BY f.member IS NOT NULL, f.member";
/* The members come after their file. Names are unique in a directory. */
static const char children_sql[] =
        "SELECT " INFO_COLUMNS "FROM node n " INFO_JOINS
        "WHERE n.parent = ?1 ORDER BY n.name, f.member IS NOT NULL, f.member";

enum { MAX_LEVELS = 2048 };

typedef struct {
	Reader *r;
	ReaderInfoFunc f;
	void *data;
	GPtrArray *levels; /* sqlite3_stmt */
	int64_t last; /* the node that was entered last */
	bool stopped;
} ListWalk;

static void reader_list_free_statement(void *statement)
{
	sqlite3_finalize(statement);
}

static bool reader_list_descend(ListWalk *walk, int64_t parent, GError **error)
{
	sqlite3_stmt *statement;
	if (walk->levels->len >= MAX_LEVELS)
		return true;
	if (sqlite3_prepare_v2(walk->r->db, children_sql, -1, &statement, NULL) != SQLITE_OK)
		return reader_fail(walk->r, error);
	sqlite3_bind_int64(statement, 1, parent);
	g_ptr_array_add(walk->levels, statement);
	return true;
}

/* Beside the documents of a source stands its root, whose URL may be that of one of them. */
static bool is_source(const Info *info)
{
	return info->stat.kind == ENTRY_DIR && info->source != ENTRY_OF_DISK;
}

static bool reader_show(ListWalk *walk, sqlite3_stmt *statement, Info **info_r)
{
	*info_r = reader_info_of_row(walk->r, statement, NULL);
	if (*info_r && !is_source(*info_r))
		walk->stopped = !walk->f(*info_r, walk->data);
	return *info_r != NULL;
}

/* Handles one row of the deepest level. */
static bool reader_list_step(ListWalk *walk, GError **error)
{
	sqlite3_stmt *statement = walk->levels->pdata[walk->levels->len - 1];
	int row = reader_step(walk->r, statement, error);
	if (row < 0)
		return false;
	if (row == 0) {
		g_ptr_array_set_size(walk->levels, walk->levels->len - 1);
		return true;
	}
	g_autoptr(Info) info = NULL;
	if (!reader_show(walk, statement, &info) || info->stat.kind != ENTRY_DIR)
		return true;
	return reader_list_descend(walk, info->node, error);
}

static bool walk_below(ListWalk *walk, int64_t node, GError **error)
{
	bool ok = reader_list_descend(walk, node, error);
	while (ok && !walk->stopped && walk->levels->len > 0)
		ok = reader_list_step(walk, error);
	g_ptr_array_set_size(walk->levels, 0);
	return ok;
}

/* Shows a file or link, and its members. */
static bool show_node(ListWalk *walk, int64_t node, GError **error)
{
	sqlite3_stmt *statement = reader_statement(walk->r, node_sql, error);
	if (!statement)
		return false;
	sqlite3_bind_int64(statement, 1, node);
	int row = 0;
	while (!walk->stopped && (row = reader_step(walk->r, statement, error)) > 0) {
		g_autoptr(Info) info = NULL;
		if (reader_show(walk, statement, &info) && info->stat.kind == ENTRY_DIR)
			break;
	}
	sqlite3_reset(statement);
	return row >= 0;
}

/* ---- pages and items, whose directories are in their URLs alone */

typedef struct {
	ReaderInfoFunc f;
	void *data;
	const char *site; /* the URL without slashes at the end */
	bool whole; /* all documents of the source, wherever they lie */
} PageWalk;

static bool reader_show_page(const Info *info, void *data)
{
	const PageWalk *pages = data;
	bool below = pages->whole || url_is_of_site(info->path, pages->site);
	return !below || pages->f(info, pages->data);
}

static bool reader_read_sources(Reader *r, GArray *nodes, GPtrArray *urls, GError **error)
{
	static const char sql[] = "SELECT id, name FROM node WHERE parent = 0 AND "
	                          "substr(name, 1, 1) <> x'2f' ORDER BY name";
	sqlite3_stmt *statement = reader_statement(r, sql, error);
	int row = statement ? 1 : -1;
	while (row > 0 && (row = reader_step(r, statement, error)) > 0) {
		int64_t id = sqlite3_column_int64(statement, 0);
		g_array_append_val(nodes, id);
		g_ptr_array_add(urls, g_strndup(sqlite3_column_blob(statement, 1),
		                              sqlite3_column_bytes(statement, 1)));
	}
	return row == 0;
}

/* Lists the documents of all sources at a URL or below it; of a source with this URL, all. */
static bool reader_list_pages(ListWalk *walk, const char *url, GError **error)
{
	g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(int64_t));
	g_autoptr(GPtrArray) urls = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *site = g_strdup(url);
	for (size_t n = strlen(site); n > 0 && site[n - 1] == '/'; n--)
		site[n - 1] = '\0';
	PageWalk pages = {walk->f, walk->data, site, false};
	bool ok = reader_read_sources(walk->r, nodes, urls, error);
	walk->f = reader_show_page;
	walk->data = &pages;
	for (guint i = 0; ok && !walk->stopped && i < nodes->len; i++) {
		pages.whole = g_strcmp0(urls->pdata[i], url) == 0;
		ok = walk_below(walk, g_array_index(nodes, int64_t, i), error);
	}
	return ok;
}

bool reader_list(Reader *r, const char *dir, ReaderInfoFunc f, void *data, GError **error)
{
	ListWalk walk = {.r = r, .f = f, .data = data};
	if (!reader_begin(r, 0, error))
		return false;
	walk.levels = g_ptr_array_new_with_free_func(reader_list_free_statement);
	bool pages = dir && path_is_web(dir);
	int64_t node = dir && !pages ? reader_resolve(r, dir, error) : 0;
	bool ok = node >= 0;
	if (ok && dir && node > 0)
		ok = show_node(&walk, node, error);
	if (ok && pages)
		ok = reader_list_pages(&walk, dir, error);
	else if (ok && !walk.stopped && (!dir || node > 0))
		ok = walk_below(&walk, node, error);
	g_ptr_array_unref(walk.levels);
	reader_end(r);
	return ok;
}

static bool call_rows(
        Reader *r, const char *sql, ReaderInfoFunc f, void *data, bool *stopped, GError **error)
{
	sqlite3_stmt *statement = reader_statement(r, sql, error);
	int row = statement ? 1 : -1;
	while (row > 0 && !*stopped && (row = reader_step(r, statement, error)) > 0) {
		g_autoptr(Info) info = reader_info_of_row(r, statement, NULL);
		if (info)
			*stopped = !f(info, data);
	}
	if (statement)
		sqlite3_reset(statement);
	return row >= 0;
}

bool reader_failed(Reader *r, ReaderInfoFunc f, void *data, GError **error)
{
	/* Failures before conversion; of the file as a whole; of a member of a file that
	 * succeeded, and documents that were read in part. */
	static const char *const statements[] = {
	        "SELECT " INFO_COLUMNS "FROM inode i CROSS JOIN node n ON n.inode = i.id "
	        "LEFT JOIN content c ON c.id = i.content LEFT JOIN document d ON d.id = 0 "
	        "LEFT JOIN fact f ON f.document = 0 WHERE i.state <> " SQL_INODE_DONE
	        " AND i.state = " SQL_INODE_FAILED,
	        "SELECT " INFO_COLUMNS "FROM content c CROSS JOIN inode i ON i.content = c.id "
	        "CROSS JOIN node n ON n.inode = i.id LEFT JOIN document d ON d.id = 0 "
	        "LEFT JOIN fact f ON f.document = 0 WHERE c.state <> " SQL_STATE_OK
	        " AND c.state = " SQL_STATE_FAILED " AND i.state = " SQL_INODE_DONE,
	        "SELECT " INFO_COLUMNS "FROM fact f CROSS JOIN document d ON d.id = f.document "
	        "CROSS JOIN content c ON c.id = d.content CROSS JOIN inode i ON i.content = c.id "
	        "CROSS JOIN node n ON n.inode = i.id WHERE (f.state = " SQL_STATE_FAILED
	        " OR f.truncated <> 0) "
	        "AND c.state <> " SQL_STATE_FAILED " AND i.state = " SQL_INODE_DONE,
	};
	bool ok = reader_begin(r, 0, error), stopped = false;
	if (!ok)
		return false;
	for (size_t i = 0; ok && !stopped && i < G_N_ELEMENTS(statements); i++)
		ok = call_rows(r, statements[i], f, data, &stopped, error);
	reader_end(r);
	return ok;
}
