/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/read/away-roots.h"
#include "index/read/reachable.h"
#include "index/read/reader-private.h"

static const char away_roots_sql[] =
        "SELECT n.id, n.name, EXISTS (SELECT 1 FROM node c WHERE c.parent = n.id) " READER_ROOTS_SQL
        " ORDER BY n.name";

static void away_root_clear(void *data)
{
	g_free(((AwayRoot *)data)->path);
}

static void add_root(GArray *away, sqlite3_stmt *row)
{
	AwayRoot root = {sqlite3_column_int64(row, 0),
	        g_strndup(sqlite3_column_blob(row, 1), sqlite3_column_bytes(row, 1))};
	bool filled = sqlite3_column_int(row, 2);
	const char *path = root.path ? root.path : "";
	if (filled ? reachable_filled(path) : reachable(path))
		away_root_clear(&root);
	else
		g_array_append_val(away, root);
}

GArray *away_roots(Reader *r, GError **error)
{
	g_autoptr(GArray) away = g_array_new(FALSE, FALSE, sizeof(AwayRoot));
	g_array_set_clear_func(away, away_root_clear);
	sqlite3_stmt *statement = reader_statement(r, away_roots_sql, error);
	int row = statement ? 1 : -1;
	while (row > 0 && (row = reader_step(r, statement, error)) > 0)
		add_root(away, statement);
	return row == 0 ? g_steal_pointer(&away) : NULL;
}
