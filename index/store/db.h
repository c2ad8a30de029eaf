/* SPDX-License-Identifier: GPL-3.0-or-later */
/* db.h - opens the index file: pragmas, version, migration, damage
 *
 * INDEX_DIR/index.db is an SQLite database in WAL mode. A single connection writes and checkpoints:
 * that of the process which holds the lock INDEX_DIR/lock. Readers open it read-only and prepare
 * SELECTs only. */
#pragma once
#include <glib.h>
#include <sqlite3.h>
#include <stdbool.h>

/* So much of the index a reader keeps in memory; what it does not need takes none. */
#define DB_READER_CACHE_KIB 16384

enum { DB_VERSION = 13, DB_APPLICATION_ID = 0x54617273 }; /* "Tars" */

#define INDEX_ERROR index_error_quark()
GQuark index_error_quark(void);
typedef enum {
	INDEX_ERROR_NONE_YET, /* there is no index */
	INDEX_ERROR_TOO_NEW,
	INDEX_ERROR_TOO_OLD, /* a reader found an older version: the daemon migrates it at its next
	                        start */
	INDEX_ERROR_DAMAGED,
	INDEX_ERROR_BUSY,
	INDEX_ERROR_LOCKED, /* another process holds INDEX_DIR/lock */
	INDEX_ERROR_FULL, /* the disk or the quota is full */
	INDEX_ERROR_READ_ONLY,
	INDEX_ERROR_STOPPED, /* the caller stopped a query: reader_set_stop() */
	INDEX_ERROR_OTHER
} IndexError;

/* Opens the index for reading and writing. Creates directory and file (0700, 0600); refuses a link
 * or another user's file; migrates an older version, one transaction a step. A damaged file, or one
 * that is marked so, is moved aside (index.db.damaged-DATE, kept for a week), and a new one is
 * created whose meta 'rebuilt' says when and why. Sets meta 'clean' to 0. The caller holds
 * db_lock(). The process must not fork afterwards. */
sqlite3 *db_open_writer(const char *index_dir, GError **error);
/* Opens the index read-only; never changes a byte of it and never checkpoints. */
sqlite3 *db_open_reader(const char *index_dir, GError **error);
/* Notes that the writer left the index in order; its last action. */
bool db_set_clean(sqlite3 *db, GError **error);
void db_close(sqlite3 *db); /* NULL is allowed */

/* Turns the connection's last error into INDEX_ERROR_*. Always returns false, for "return
 * db_fail(...)". what: may be NULL. */
bool db_fail(sqlite3 *db, const char *what, GError **error);
/* tokenizer_register() for a connection; the openers above have called it. */
bool db_register_tokenizer(sqlite3 *db, GError **error);
/* Runs constant SQL. */
bool db_exec(sqlite3 *db, const char *sql, GError **error);
/* Returns the first column of the first row; 0: there is none. bound: the value of ?1, or NULL. */
bool db_get_int(sqlite3 *db, const char *sql, const char *bound, int64_t *value_r, GError **error);

/* Reads all pages and checks that they are consistent. Returns false if that cannot be determined.
 */
bool db_is_damaged(sqlite3 *db);
/* Marks the index so that the next db_open_writer() moves the file aside. why: one line. */
bool db_mark_damaged(const char *index_dir, const char *why, GError **error);

/* A bulk load without syncing is marked by a file, which is synced and holds the boot number. While
 * the machine runs, nothing is lost whatever becomes of the process; after a power cut
 * db_open_writer() creates the index anew. */
typedef enum { DB_BULK_NONE, DB_BULK_OPEN, DB_BULK_CUT } DbBulk;
DbBulk db_bulk_mark(const char *index_dir);
bool db_mark_bulk(const char *index_dir, GError **error);
void db_unmark_bulk(const char *index_dir); /* once everything is synced */

/* Takes the lock of the single writer. Returns -1 and INDEX_ERROR_LOCKED if it is held for a
 * second. Closing the descriptor releases it. */
int db_lock(const char *index_dir, GError **error);

/* Removes files that were moved aside as damaged. */
void db_remove_damaged(const char *index_dir);
