/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/db.h"

G_DEFINE_QUARK(index - error - quark, index_error)

static IndexError error_code(int result)
{
	switch (result & 0xff) {
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
		return INDEX_ERROR_DAMAGED;
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return INDEX_ERROR_BUSY;
	case SQLITE_FULL:
		return INDEX_ERROR_FULL;
	case SQLITE_READONLY:
		return INDEX_ERROR_READ_ONLY;
	default:
		return INDEX_ERROR_OTHER;
	}
}

bool db_fail(sqlite3 *db, const char *what, GError **error)
{
	g_set_error(error, INDEX_ERROR, error_code(sqlite3_extended_errcode(db)), "%s%s%s",
	        what ? what : "", what ? ": " : "", sqlite3_errmsg(db));
	return false;
}

bool db_exec(sqlite3 *db, const char *sql, GError **error)
{
	if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
		return db_fail(db, NULL, error);
	return true;
}
