/* SPDX-License-Identifier: GPL-3.0-or-later */
/* journal.h - which files are in work, in case that one of them takes the daemon down
 *
 * INDEX_DIR/in-work holds the inode rows that are being converted, eight bytes a slot, 0 for a free
 * one. It is not synced: it need not outlive the machine. An inode found there at the start was in
 * work when the daemon died: it is a suspect. Its tries are counted (writer_attempt()), and after
 * JOURNAL_TRIES it is given up. */
#pragma once
#include <glib.h>
#include <stdint.h>

enum { JOURNAL_SLOTS = 64, JOURNAL_TRIES = 4 };

typedef struct Journal Journal;

/* Never NULL: if the file cannot be used, nothing is kept. *suspects_r: GArray of int64_t, yours.
 * The file is empty afterwards. */
Journal *journal_open(const char *index_dir, GArray **suspects_r);
/* Empties the file. */
void journal_close(Journal *journal);
void journal_add(Journal *journal, int64_t inode);
void journal_remove(Journal *journal, int64_t inode);
