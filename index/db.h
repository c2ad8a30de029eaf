/* SPDX-License-Identifier: GPL-3.0-or-later */
/* db.h - opening the index file: pragmas, version, migration, damage
 *
 * INDEX_DIR/index.db, SQLite in WAL mode. One connection in the world writes and checkpoints (the holder of the
 * lock in INDEX_DIR/lock); readers open read-only and prepare only SELECTs. */
#pragma once
#include <glib.h>
#include <sqlite3.h>
#include <stdbool.h>

enum { DB_VERSION = 1, DB_APPLICATION_ID = 0x54617273 }; /* "Tars" */

#define INDEX_ERROR index_error_quark()
GQuark index_error_quark(void);
typedef enum {
	INDEX_ERROR_NONE_YET, /* no index there */
	INDEX_ERROR_TOO_NEW,
	INDEX_ERROR_TOO_OLD, /* a reader met an older version: the daemon migrates at its next start */
	INDEX_ERROR_DAMAGED,
	INDEX_ERROR_BUSY,
	INDEX_ERROR_LOCKED, /* another process holds INDEX_DIR/lock */
	INDEX_ERROR_FULL, /* disk full, quota */
	INDEX_ERROR_READ_ONLY,
	INDEX_ERROR_OTHER
} IndexError;

/* Read-write. Creates directory and file; migrates an older version, one transaction a step; a damaged file is moved aside
 * (index.db.damaged-DATE, 0600), a new one made, and meta 'rebuilt' says so. Never fork after this. */
sqlite3 *db_open_writer(const char *index_dir, GError **error);
sqlite3 *db_open_reader(const char *index_dir, GError **error);
void db_close(sqlite3 *db); /* NULL is fine */

/* Turns the connection's last error into INDEX_ERROR_*; returns false for "return db_fail(...)". what may be NULL. */
bool db_fail(sqlite3 *db, const char *what, GError **error);
/* Runs constant SQL. */
bool db_exec(sqlite3 *db, const char *sql, GError **error);

/* The lock of the one writer. -1 and INDEX_ERROR_LOCKED if it is held. Close the descriptor to unlock. */
int db_lock(const char *index_dir, GError **error);
