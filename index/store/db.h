/* SPDX-License-Identifier: GPL-3.0-or-later */
/* db.h - opening the index file: pragmas, version, migration, damage
 *
 * INDEX_DIR/index.db, SQLite in WAL mode. One connection in the world writes and checkpoints (the
 * holder of the lock in INDEX_DIR/lock); readers open read-only and prepare only SELECTs. */
#pragma once
#include <glib.h>
#include <sqlite3.h>
#include <stdbool.h>

enum { DB_VERSION = 3, DB_APPLICATION_ID = 0x54617273 }; /* "Tars" */

#define INDEX_ERROR index_error_quark()
GQuark index_error_quark(void);
typedef enum {
	INDEX_ERROR_NONE_YET, /* no index there */
	INDEX_ERROR_TOO_NEW,
	INDEX_ERROR_TOO_OLD, /* a reader met an older version: the daemon migrates at its next start
	                      */
	INDEX_ERROR_DAMAGED,
	INDEX_ERROR_BUSY,
	INDEX_ERROR_LOCKED, /* another process holds INDEX_DIR/lock */
	INDEX_ERROR_FULL, /* disk full, quota */
	INDEX_ERROR_READ_ONLY,
	INDEX_ERROR_OTHER
} IndexError;

/* Read-write. Creates directory and file (0700, 0600), refuses what belongs to somebody else or is
 * a link; migrates an older version, one transaction a step. A damaged file, or one marked so, is
 * moved aside (index.db.damaged-DATE, kept a week), a new one made, and meta 'rebuilt' says when
 * and why. Sets meta 'clean' to 0. The caller holds db_lock(). Never fork after this. */
sqlite3 *db_open_writer(const char *index_dir, GError **error);
/* Read-only; never changes a byte of the index and never checkpoints. */
sqlite3 *db_open_reader(const char *index_dir, GError **error);
/* A writer's last words: the index was left in order. */
bool db_set_clean(sqlite3 *db, GError **error);
void db_close(sqlite3 *db); /* NULL is fine */

/* Turns the connection's last error into INDEX_ERROR_*; returns false for "return db_fail(...)".
 * what may be NULL. */
bool db_fail(sqlite3 *db, const char *what, GError **error);
/* Runs constant SQL. */
bool db_exec(sqlite3 *db, const char *sql, GError **error);

/* Reads all pages and looks whether they fit together. False if that cannot be told. */
bool db_is_damaged(sqlite3 *db);
/* Leaves a note that makes the next db_open_writer() move the file aside. why: one line. */
bool db_mark_damaged(const char *index_dir, const char *why, GError **error);

/* A bulk that is not synced is marked by a file that is, with the number of this start of the
 * machine: as long as the machine runs nothing is lost, whatever becomes of the process; after a
 * cut db_open_writer() makes the index anew. */
typedef enum { DB_BULK_NONE, DB_BULK_OPEN, DB_BULK_CUT } DbBulk;
DbBulk db_bulk_mark(const char *index_dir);
bool db_mark_bulk(const char *index_dir, GError **error);
void db_unmark_bulk(const char *index_dir); /* after all was synced */

/* The lock of the one writer. -1 and INDEX_ERROR_LOCKED if it is held. Close the descriptor to
 * unlock. */
int db_lock(const char *index_dir, GError **error);

/* Removes what was moved aside as damaged. */
void db_remove_damaged(const char *index_dir);
