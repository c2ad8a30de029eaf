/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/store/db-key.h"
#include "common/base/i18n.h"
#include "index/store/db-exec.h"
#include "index/store/db-error.h"
#include <errno.h>
#include <string.h>
#include <sys/random.h>

char *db_key_mark(const char *prefix, int64_t content)
{
	return g_strdup_printf("%s%020" G_GINT64_FORMAT, prefix, content);
}

/* 1: the index has a secret; 0: it has none, or one that is none of ours; -1: error. */
static int db_key_find(sqlite3 *db, uint8_t secret[CHECKSUM_SECRET_BYTES], GError **error)
{
	static const char sql[] = "SELECT value FROM meta WHERE key = 'checksum_key'";
	sqlite3_stmt *row = NULL;
	int result = sqlite3_prepare_v2(db, sql, -1, &row, NULL);
	if (result == SQLITE_OK)
		result = sqlite3_step(row);
	bool found = result == SQLITE_ROW && sqlite3_column_bytes(row, 0) == CHECKSUM_SECRET_BYTES;
	if (found)
		memcpy(secret, sqlite3_column_blob(row, 0), CHECKSUM_SECRET_BYTES);
	if (result != SQLITE_ROW && result != SQLITE_DONE)
		db_fail(db, NULL, error);
	sqlite3_finalize(row);
	return result == SQLITE_ROW || result == SQLITE_DONE ? found : -1;
}

static bool db_key_insert(sqlite3 *db, const uint8_t secret[CHECKSUM_SECRET_BYTES], GError **error)
{
	static const char sql[] = "INSERT OR REPLACE INTO meta VALUES('checksum_key', ?1)";
	sqlite3_stmt *statement = NULL;
	bool ok = sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK &&
	          sqlite3_bind_blob(statement, 1, secret, CHECKSUM_SECRET_BYTES, SQLITE_STATIC) ==
	                  SQLITE_OK &&
	          sqlite3_step(statement) == SQLITE_DONE;
	if (!ok)
		db_fail(db, NULL, error);
	sqlite3_finalize(statement);
	return ok;
}

static bool db_key_make(sqlite3 *db, GError **error)
{
	uint8_t secret[CHECKSUM_SECRET_BYTES];
	if (getrandom(secret, sizeof secret, 0) != sizeof secret) {
		g_set_error(
		        error, INDEX_ERROR, INDEX_ERROR_OTHER, "getrandom: %s", g_strerror(errno));
		return false;
	}
	if (!db_exec(db, "BEGIN IMMEDIATE", error))
		return false;
	bool ok = db_key_insert(db, secret, error) &&
	          db_exec(db,
	                  "UPDATE content SET checksum = " DB_KEY_SQL_MARK(
	                          DB_KEY_REHASH) " WHERE length(checksum) = 16",
	                  error) &&
	          db_exec(db, "COMMIT", error);
	if (!ok)
		sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
	explicit_bzero(secret, sizeof secret);
	return ok;
}

bool db_key_ensure(sqlite3 *db, GError **error)
{
	uint8_t secret[CHECKSUM_SECRET_BYTES];
	int found = db_key_find(db, secret, error);
	return found > 0 || (found == 0 && db_key_make(db, error));
}

bool db_key_read(sqlite3 *db, ChecksumUse use, ChecksumKey *key_r, GError **error)
{
	uint8_t secret[CHECKSUM_SECRET_BYTES];
	int found = db_key_find(db, secret, error);
	if (found == 0)
		g_set_error(error, INDEX_ERROR, INDEX_ERROR_OTHER, _("a required row is missing"));
	if (found <= 0)
		return false;
	checksum_key_derive(secret, use, key_r);
	explicit_bzero(secret, sizeof secret);
	return true;
}
