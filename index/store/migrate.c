/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/store/migrate.h"
#include "common/base/i18n.h"
#include "index/store/db-error.h"
#include "index/store/db-exec.h"

bool migrate_version(sqlite3 *db, int *version_r, GError **error)
{
	sqlite3_stmt *statement = NULL;
	bool ok =
	        sqlite3_prepare_v2(db, "PRAGMA user_version", -1, &statement, NULL) == SQLITE_OK &&
	        sqlite3_step(statement) == SQLITE_ROW;
	if (ok)
		*version_r = sqlite3_column_int(statement, 0);
	else
		db_fail(db, NULL, error);
	sqlite3_finalize(statement);
	return ok;
}

static bool set_version(sqlite3 *db, int version, GError **error)
{
	g_autofree char *sql = g_strdup_printf("PRAGMA user_version = %d", version);
	return db_exec(db, sql, error);
}

static bool run_step(sqlite3 *db, const Migration *step, GError **error)
{
	if (!db_exec(db, "BEGIN IMMEDIATE", error))
		return false;
	if (db_exec(db, step->sql, error) && set_version(db, step->to, error) &&
	        db_exec(db, "COMMIT", error))
		return true;
	sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
	return false;
}

bool migrate_run(sqlite3 *db, const Migration *steps, int version, GError **error)
{
	int at;
	if (!migrate_version(db, &at, error))
		return false;
	for (const Migration *step = steps; step->sql && at < version; step++) {
		if (step->to <= at)
			continue;
		if (step->to != at + 1)
			break;
		if (!run_step(db, step, error)) {
			g_prefix_error(error, "migration to version %d: ", step->to);
			return false;
		}
		at = step->to;
	}
	if (at == version)
		return true;
	g_set_error(error, INDEX_ERROR, INDEX_ERROR_TOO_OLD,
	        _("the index cannot be upgraded from version %d to version %d"), at, version);
	return false;
}
