/* SPDX-License-Identifier: GPL-3.0-or-later */
/* db.h - opens the index file: pragmas, version, migration, damage
 *
 * INDEX_DIR/index.db is an SQLite database in WAL mode. A single connection writes: that of the
 * process which holds the lock INDEX_DIR/lock. No other process checkpoints. Readers open it
 * read-only and prepare SELECTs only. */
#pragma once
#include "index/store/db-error.h"
#include <sqlite3.h>
#include <stdbool.h>

/* So much of the index a reader keeps in memory; what it does not need takes none. */
#define DB_READER_CACHE_KIB 16384

enum { DB_VERSION = 18, DB_APPLICATION_ID = 0x54617273 }; /* "Tars" */

/* Opens the index for reading and writing. Creates directory and file (0700, 0600); refuses a link
 * or another user's file; migrates an older version, one transaction a step. A damaged file, or one
 * that is marked so, is moved aside (index.db.damaged-DATE, kept for a week), and a new one is
 * created whose meta 'rebuilt' says when and why. Sets meta 'clean' to 0. The caller holds
 * db_lock(). The process must not fork afterwards. */
sqlite3 *db_open_writer(const char *index_dir, GError **error);
/* Opens the index once more beside its writer, in the same process, to checkpoint the log. */
sqlite3 *db_open_log(const char *index_dir, GError **error);
/* Opens the index read-only; never changes a byte of it and never checkpoints. */
sqlite3 *db_open_reader(const char *index_dir, GError **error);
/* Notes that the writer left the index in order; its last action. */
bool db_set_clean(sqlite3 *db, GError **error);
void db_close(sqlite3 *db); /* NULL is allowed */

/* tokenizer_register() for a connection; the openers above have called it. */
bool db_register_tokenizer(sqlite3 *db, GError **error);
/* Reads all pages and checks that they are consistent. Returns false if that cannot be determined.
 */
bool db_is_damaged(sqlite3 *db);
/* Removes files that were moved aside as damaged. */
void db_remove_damaged(const char *index_dir);
