/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/store/db-exec.h"
#include "index/store/db-error.h"

bool db_exec(sqlite3 *db, const char *sql, GError **error)
{
	if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
		return db_fail(db, NULL, error);
	return true;
}

bool db_get_int(sqlite3 *db, const char *sql, int64_t *value_r, GError **error)
{
	sqlite3_stmt *statement = NULL;
	bool ok = sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK;
	int result = ok ? sqlite3_step(statement) : SQLITE_ERROR;
	*value_r = result == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
	ok = result == SQLITE_ROW || result == SQLITE_DONE || db_fail(db, NULL, error);
	sqlite3_finalize(statement);
	return ok;
}
