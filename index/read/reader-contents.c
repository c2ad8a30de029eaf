/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/read/reader-contents.h"
#include "index/read/reader-private.h"
#include "index/store/states.h"

/* Runs in a transaction. */
static int next_content(Reader *r, int64_t after, ContentRow *row_r, GError **error)
{
	static const char sql[] =
	        "SELECT c.id, d.id, (SELECT max(id) FROM document WHERE content = c.id) "
	        "FROM content c CROSS JOIN document d "
	        "ON d.id = (SELECT min(id) FROM document WHERE content = c.id) "
	        "WHERE c.id > ?1 AND c.state <> " SQL_STATE_UNFINISHED
	        " AND EXISTS (SELECT 1 FROM inode WHERE content = c.id) ORDER BY c.id LIMIT 1";
	sqlite3_stmt *statement = reader_statement(r, sql, error);
	if (!statement)
		return -1;
	sqlite3_bind_int64(statement, 1, after);
	int row = reader_step(r, statement, error);
	if (row > 0) {
		row_r->content = sqlite3_column_int64(statement, 0);
		row_r->document = sqlite3_column_int64(statement, 1);
		row_r->single = sqlite3_column_int64(statement, 2) == row_r->document;
	}
	sqlite3_reset(statement);
	return row;
}

int reader_next_content(
        Reader *r, int64_t after, ContentRow *row_r, GPtrArray **infos_r, GError **error)
{
	g_autoptr(GPtrArray) infos = g_ptr_array_new_with_free_func((GDestroyNotify)info_free);
	if (!reader_begin(r, 0, error))
		return -1;
	int found = next_content(r, after, row_r, error);
	if (found > 0 && infos_r && !reader_read_info_by_id(r, row_r->document, infos, error))
		found = -1;
	reader_end(r);
	if (found > 0 && infos_r)
		*infos_r = g_steal_pointer(&infos);
	return found;
}

char *reader_identity(Reader *r)
{
	sqlite3_stmt *statement =
	        reader_statement(r, "SELECT value FROM meta WHERE key = 'identity'", NULL);
	char *identity = NULL;
	if (statement && reader_step(r, statement, NULL) > 0)
		identity = g_strdup((const char *)sqlite3_column_text(statement, 0));
	if (statement)
		sqlite3_reset(statement);
	return identity;
}
