/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reader-path.c - finds the path of a node and the node of a path */
#include <config.h>
#include "common/base/paths.h"
#include "index/read/reader-private.h"
#include <string.h>

enum { PATH_LEVELS = 2048 };

static const char parent_sql[] = "SELECT parent, name FROM node WHERE id = ?1";
static const char child_sql[] = "SELECT id FROM node WHERE parent = ?1 AND name = ?2";

static bool is_web_name(const char *name, int length)
{
	return name[0] != '/' && g_strstr_len(name, length, "://") != NULL;
}

/* A component of a path is not empty and contains neither slash nor NUL. A root is an absolute
 * path. A source and its documents have their URL as name. */
static bool is_name(const char *name, int length, bool root)
{
	if (!name || length <= 0 || memchr(name, '\0', length))
		return false;
	if (is_web_name(name, length))
		return true;
	return root ? name[0] == '/' : memchr(name, '/', length) == NULL;
}

static char *reader_join(const char *dir, const char *name, int length)
{
	size_t end = strlen(dir);
	bool slash = end > 0 && dir[end - 1] == '/';
	return g_strdup_printf("%s%s%.*s", dir, slash ? "" : "/", length, name);
}

static ReaderDir *reader_remember(Reader *r, int64_t node, char *path, int64_t root)
{
	ReaderDir *dir = g_new(ReaderDir, 1);
	*dir = (ReaderDir){path, root, ENTRY_OF_DISK};
	g_hash_table_insert(r->dirs, g_memdup2(&node, sizeof node), dir);
	return dir;
}

/* A source that no row names is taken for a site. */
static EntrySource source_of_root(Reader *r, int64_t node, const char *name)
{
	static const char sql[] = "SELECT 1 FROM web_root WHERE node = ?1 AND is_feed <> 0";
	sqlite3_stmt *statement = path_is_web(name) ? reader_statement(r, sql, NULL) : NULL;
	if (!statement)
		return ENTRY_OF_DISK;
	sqlite3_bind_int64(statement, 1, node);
	bool feed = reader_step(r, statement, NULL) > 0;
	sqlite3_reset(statement);
	return feed ? ENTRY_OF_FEED : ENTRY_OF_SITE;
}

static ReaderDir *reader_remember_root(Reader *r, int64_t node, char *name)
{
	EntrySource source = source_of_root(r, node, name);
	ReaderDir *dir = reader_remember(r, node, name, node);
	dir->source = source;
	return dir;
}

static const ReaderDir *reader_find_dir(Reader *r, int64_t node, unsigned level)
{
	ReaderDir *known = g_hash_table_lookup(r->dirs, &node);
	if (known)
		return known;
	sqlite3_stmt *statement =
	        level < PATH_LEVELS ? reader_statement(r, parent_sql, NULL) : NULL;
	if (!statement)
		return reader_remember(r, node, NULL, 0);
	sqlite3_bind_int64(statement, 1, node);
	if (reader_step(r, statement, NULL) <= 0)
		return reader_remember(r, node, NULL, 0);
	int64_t parent = sqlite3_column_int64(statement, 0);
	int length = sqlite3_column_bytes(statement, 1);
	g_autofree char *name = g_strndup(sqlite3_column_blob(statement, 1), length);
	sqlite3_reset(statement);
	if (!is_name(name, length, parent == 0))
		return reader_remember(r, node, NULL, 0);
	if (parent == 0)
		return reader_remember_root(r, node, g_steal_pointer(&name));
	const ReaderDir *above = reader_find_dir(r, parent, level + 1);
	return reader_remember(
	        r, node, above->path ? reader_join(above->path, name, length) : NULL, above->root);
}

const ReaderDir *reader_dir(Reader *r, int64_t node)
{
	return reader_find_dir(r, node, 0);
}

char *reader_path(
        Reader *r, int64_t parent, int64_t node, const void *name, int length, int64_t *root_r)
{
	if (!is_name(name, length, parent == 0))
		return NULL;
	if (root_r)
		*root_r = node;
	if (parent == 0)
		return g_strndup(name, length);
	const ReaderDir *dir = reader_dir(r, parent);
	if (root_r)
		*root_r = dir->root;
	if (is_web_name(name, length))
		return g_strndup(name, length);
	return dir->path ? reader_join(dir->path, name, length) : NULL;
}

static int64_t find_child(
        Reader *r, int64_t parent, const char *name, size_t length, GError **error)
{
	sqlite3_stmt *statement = reader_statement(r, child_sql, error);
	if (!statement)
		return -1;
	sqlite3_bind_int64(statement, 1, parent);
	sqlite3_bind_blob(statement, 2, name, length, SQLITE_STATIC);
	int row = reader_step(r, statement, error);
	int64_t id = row > 0 ? sqlite3_column_int64(statement, 0) : row;
	sqlite3_reset(statement);
	return id;
}

/* Follows the components below a root. */
static int64_t reader_path_descend(Reader *r, int64_t node, const char *rest, GError **error)
{
	while (node > 0) {
		rest += strspn(rest, "/");
		size_t length = strcspn(rest, "/");
		if (length == 0)
			return node;
		node = find_child(r, node, rest, length, error);
		rest += length;
	}
	return node;
}

static const char page_sql[] =
        "SELECT n.id FROM node r CROSS JOIN node n ON n.parent = r.id AND n.name = ?1 "
        "WHERE r.parent = 0 AND substr(r.name, 1, 1) <> X'2F' LIMIT 1";

/* A document before a source of the same URL. */
static int64_t reader_resolve_url(Reader *r, const char *url, GError **error)
{
	sqlite3_stmt *statement = reader_statement(r, page_sql, error);
	if (!statement)
		return -1;
	sqlite3_bind_blob(statement, 1, url, strlen(url), SQLITE_STATIC);
	int row = reader_step(r, statement, error);
	int64_t id = row > 0 ? sqlite3_column_int64(statement, 0) : row;
	sqlite3_reset(statement);
	return id == 0 ? find_child(r, 0, url, strlen(url), error) : id;
}

/* The longest root that contains the path counts. Roots are not nested, but for a moment after the
 * removal of a root its children may still exist. */
int64_t reader_resolve(Reader *r, const char *path, GError **error)
{
	g_autofree char *root = g_strdup(path);
	if (path_is_web(path))
		return reader_resolve_url(r, path, error);
	for (size_t length = strlen(root); length > 0; length = strlen(root)) {
		int64_t node = find_child(r, 0, root, length, error);
		if (node < 0)
			return -1;
		if (node > 0) {
			node = reader_path_descend(r, node, path + length, error);
			if (node != 0)
				return node;
		}
		char *slash = strrchr(root, '/');
		if (!slash || length == 1)
			return 0;
		slash[slash == root] = '\0';
	}
	return 0;
}
