/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dbfile.h - SQLite files as files: private, owned by the user, no links; moving a damaged one
 * aside
 *
 * No function here opens a database file that SQLite may have open: closing such a descriptor would
 * drop SQLite's locks (sqlite.org/howtocorrupt.html, 2.2). */
#pragma once
#include <glib.h>
#include <stdbool.h>

/* Creates dir (0700) and an empty file dir/name (0600) unless they exist. Refuses links, files of
 * other users, and files that others could open. SQLite gives its -wal and -shm the mode of this
 * file. */
bool dbfile_prepare(const char *dir, const char *name, GError **error);
/* Makes the same checks for a reader, without creating anything. INDEX_ERROR_NONE_YET: the file
 * does not exist or is empty. */
bool dbfile_check(const char *dir, const char *name, GError **error);
/* Renames dir/name to name.damaged-DATE and removes its -wal and -shm, as well as earlier damaged
 * files. */
bool dbfile_move_aside(const char *dir, const char *name, GError **error);
/* Removes name.damaged-*. */
void dbfile_remove_damaged(const char *dir, const char *name);
/* Removes name.damaged-* older than a week. */
void dbfile_forget_damaged(const char *dir, const char *name);
/* Removes dir/name with its -wal and -shm. */
void dbfile_remove(const char *dir, const char *name);
