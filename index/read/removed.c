/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/read/removed.h"
#include "common/base/paths.h"
#include <string.h>

static const char removed_sql[] =
        "SELECT n.id, n.parent, n.name FROM inode i CROSS JOIN node n ON n.inode = i.id "
        "WHERE i.state <> " SQL_INODE_DONE " AND i.state = " SQL_INODE_ORPHAN
        " AND i.kind = " SQL_ENTRY_DIR;

/* Cuts the last component off. False if there is none. */
static bool cut(char *path)
{
	char *slash = strrchr(path, '/');
	if (!slash || !slash[1])
		return false;
	slash[slash == path] = '\0';
	return true;
}

/* Of the nearest directory above the path, or the path itself, that is in one of the two sets: is
 * it in the first? */
static bool is_nearest(GHashTable *set, GHashTable *other, const char *path)
{
	g_autofree char *dir = g_strdup(path);
	do {
		if (g_hash_table_contains(set, dir))
			return true;
		if (g_hash_table_contains(other, dir))
			return false;
	} while (cut(dir));
	return false;
}

static bool read_removed(Reader *r, GPtrArray *dirs, GPtrArray *roots)
{
	sqlite3_stmt *statement = reader_statement(r, removed_sql, NULL);
	int row = statement ? 1 : -1;
	while (row > 0 && (row = reader_step(r, statement, NULL)) > 0) {
		int64_t parent = sqlite3_column_int64(statement, 1);
		char *path = reader_path(r, parent, sqlite3_column_int64(statement, 0),
		        sqlite3_column_blob(statement, 2), sqlite3_column_bytes(statement, 2),
		        NULL);
		if (path)
			g_ptr_array_add(parent == 0 ? roots : dirs, path);
	}
	return row == 0;
}

static void add_path(void *path, void *set)
{
	g_hash_table_add(set, g_strdup(path));
}

static void read_sets(Reader *r)
{
	g_autoptr(GPtrArray) dirs = g_ptr_array_new_with_free_func(g_free),
	                     roots = g_ptr_array_new_with_free_func(g_free), live = NULL;
	if (!read_removed(r, dirs, roots) || dirs->len + roots->len == 0 ||
	        !(live = reader_read_root_paths(r, NULL)))
		return;
	g_ptr_array_foreach(live, add_path, r->roots);
	for (guint i = 0; i < roots->len; i++)
		if (!is_nearest(r->roots, r->removed, roots->pdata[i]))
			add_path(roots->pdata[i], r->removed);
	g_ptr_array_foreach(dirs, add_path, r->removed);
}

bool removed_has(Reader *r, const char *path)
{
	if (!r->removed_known)
		read_sets(r);
	r->removed_known = true;
	return g_hash_table_size(r->removed) > 0 && !path_is_web(path) &&
	       is_nearest(r->removed, r->roots, path);
}
