/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/read/reader-contents.h"
#include "index/read/reader-private.h"
#include "index/store/states.h"

int reader_next_content(
        Reader *r, int64_t after, int64_t *content_r, int64_t *document_r, GError **error)
{
	static const char sql[] =
	        "SELECT c.id, d.id FROM content c CROSS JOIN document d "
	        "ON d.id = (SELECT min(id) FROM document WHERE content = c.id) "
	        "WHERE c.id > ?1 AND c.state <> " SQL_STATE_UNFINISHED
	        " AND EXISTS (SELECT 1 FROM inode WHERE content = c.id) ORDER BY c.id LIMIT 1";
	if (!reader_begin(r, 0, error))
		return -1;
	sqlite3_stmt *statement = reader_statement(r, sql, error);
	int row = -1;
	if (statement) {
		sqlite3_bind_int64(statement, 1, after);
		row = reader_step(r, statement, error);
		if (row > 0) {
			*content_r = sqlite3_column_int64(statement, 0);
			*document_r = sqlite3_column_int64(statement, 1);
		}
		sqlite3_reset(statement);
	}
	reader_end(r);
	return row;
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
