/* SPDX-License-Identifier: GPL-3.0-or-later */
/* journal.h - which files were in work, for the case that one of them takes the daemon down
 *
 * INDEX_DIR/in-work holds the inode rows that are being converted, eight bytes a slot, 0 for a free
 * one. It is written without syncing: it need outlive this process, not the machine. Whoever is in
 * it at start was in work when the daemon died; it is suspected, counted (writer_attempt) and, past
 * JOURNAL_TRIES, not tried again. */
#pragma once
#include <glib.h>
#include <stdint.h>

enum { JOURNAL_SLOTS = 64, JOURNAL_TRIES = 4 };

typedef struct Journal Journal;

/* Never NULL: without a file it only forgets. *suspects_r: GArray of int64_t, yours; the file is
 * empty afterwards. */
Journal *journal_open(const char *index_dir, GArray **suspects_r);
/* Empties it. */
void journal_close(Journal *journal);
void journal_add(Journal *journal, int64_t inode);
void journal_remove(Journal *journal, int64_t inode);
