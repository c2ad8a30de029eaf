/* SPDX-License-Identifier: GPL-3.0-or-later */
/* db-marks.h - the files beside the index file: the lock of the writer, and marks that outlive a
 * process */
#pragma once
#include <glib.h>
#include <stdbool.h>

/* Takes the lock of the single writer. Returns -1 and INDEX_ERROR_LOCKED if it is held for a
 * second. Closing the descriptor releases it. */
int db_lock(const char *index_dir, GError **error);

/* Marks the index so that the next db_open_writer() moves the file aside. why: one line. */
bool db_mark_damaged(const char *index_dir, const char *why, GError **error);
/* The reason why the index was marked, or NULL. The caller owns it. */
char *db_damage_mark(const char *index_dir);
void db_unmark_damaged(const char *index_dir);

/* A bulk load without syncing is marked by a file, which is synced and holds the boot number. While
 * the machine runs, nothing is lost whatever becomes of the process; after a power cut
 * db_open_writer() creates the index anew. */
typedef enum { DB_BULK_NONE, DB_BULK_OPEN, DB_BULK_CUT } DbBulk;
DbBulk db_bulk_mark(const char *index_dir);
bool db_mark_bulk(const char *index_dir, GError **error);
void db_unmark_bulk(const char *index_dir); /* once everything is synced */
