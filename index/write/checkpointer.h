/* SPDX-License-Identifier: GPL-3.0-or-later */
/* checkpointer.h - copies the log (WAL) into the database beside the writer
 *
 * A checkpoint of a long log takes tens of milliseconds, most of them waits for the disk, and a
 * commit that did it would let a file that was just saved wait. So it runs in a thread, over a
 * connection of its own, while the writer goes on: SQLite allows one checkpoint beside one writer
 * (sqlite.org/wal.html). The pages that the writer appends meanwhile are left to a short
 * checkpoint after it.
 *
 * All functions are called by the thread of the writer. */
#pragma once
#include <glib.h>
#include <stdbool.h>

typedef struct Checkpointer Checkpointer;
/* The writer has the index open as long as the result lives. */
Checkpointer *checkpointer_new(const char *index_dir);
void checkpointer_free(Checkpointer *c); /* waits for a running checkpoint; NULL is allowed */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Checkpointer, checkpointer_free)

typedef enum {
	CHECKPOINTER_RESTS,
	CHECKPOINTER_RUNS,
	CHECKPOINTER_IS_DONE /* and nobody has waited for it */
} CheckpointerState;
CheckpointerState checkpointer_state(const Checkpointer *c);
/* Begins a checkpoint, which waits for nobody; the state is CHECKPOINTER_RESTS. Returns false if
 * there is no thread for it. Its errors are met again by the next checkpoint of the writer. */
bool checkpointer_start(Checkpointer *c);
/* Waits until no checkpoint runs; then the state is CHECKPOINTER_RESTS. */
void checkpointer_wait(Checkpointer *c);
