/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dbfile.h - SQLite files as files: private, ours, no links; moving a damaged one aside
 *
 * Nothing here opens a database file that SQLite may have open: closing such a descriptor would
 * drop SQLite's locks (sqlite.org/howtocorrupt.html, 2.2). */
#pragma once
#include <glib.h>
#include <stdbool.h>

/* Makes dir (0700) and an empty file dir/name (0600) unless they are there; refuses links, files
 * that are not ours and what others could open. SQLite gives its -wal and -shm the mode of the
 * file. */
bool dbfile_prepare(const char *dir, const char *name, GError **error);
/* The same checks for a reader, which makes nothing. INDEX_ERROR_NONE_YET if there is no file or an
 * empty one. */
bool dbfile_check(const char *dir, const char *name, GError **error);
/* Renames dir/name to name.damaged-DATE and removes its -wal and -shm; earlier ones are removed. */
bool dbfile_move_aside(const char *dir, const char *name, GError **error);
/* Removes name.damaged-*. */
void dbfile_remove_damaged(const char *dir, const char *name);
/* Removes name.damaged-* that are older than a week. */
void dbfile_forget_damaged(const char *dir, const char *name);
/* Removes dir/name with its -wal and -shm. */
void dbfile_remove(const char *dir, const char *name);
