/* SPDX-License-Identifier: GPL-3.0-or-later */
/* journal.h - the list of files in progress, which tells after a crash what may have caused it
 *
 * INDEX_DIR/in-work holds the rows of the inodes that are being converted: eight bytes for each
 * slot, 0 for a free one; changes are written together. The file is not synced, because it need not
 * survive a crash of the machine. If the daemon starts and finds an inode there, that inode was in
 * work when the last daemon died: it is a suspect. Its tries are counted (writer_attempt()), and
 * after JOURNAL_TRIES of them it is given up. */
#pragma once
#include <glib.h>
#include <stdint.h>

enum { JOURNAL_SLOTS = 128, JOURNAL_TRIES = 4 };

typedef struct Journal Journal;

/* Opens the journal and empties it. It is never NULL; if the file cannot be used, nothing is
 * recorded. *suspects_r: GArray of int64_t that the caller owns. */
Journal *journal_open(const char *index_dir, GArray **suspects_r);
/* Empties the file. */
void journal_close(Journal *journal);
void journal_add(Journal *journal, int64_t inode);
void journal_remove(Journal *journal, int64_t inode);
/* Writes what was added and removed since the last call. Call it before the work on what was added
 * begins. */
void journal_write(Journal *journal);
