/* SPDX-License-Identifier: GPL-3.0-or-later */
/* index-changes.h - waits until something was written to the index
 *
 * A commit of SQLite writes to the log beside the database (sqlite.org/walformat.html), which
 * inotify(7) reports. */
#pragma once
#include <glib.h>
#include <stdbool.h>

typedef struct IndexChanges IndexChanges;
typedef enum {
	INDEX_CHANGED,
	INDEX_REPLACED, /* the directory of the index was moved or removed */
	INDEX_CHANGES_INTERRUPTED, /* by SIGINT or SIGHUP, or nobody reads the output any more */
	INDEX_CHANGES_ENDED, /* by SIGTERM */
} IndexChange;

/* Watches from now on, and blocks SIGINT, SIGHUP and SIGTERM: they end the wait. Call it before
 * confine_client(), in a process with a single thread. NULL with error. */
IndexChanges *index_changes_new(const char *index_dir, GError **error);
/* The same for a loop that waits by itself: no signal is blocked, and only index_changes_fd() and
 * index_changes_take() are of use. */
IndexChanges *index_changes_new_without_signals(const char *index_dir, GError **error);
void index_changes_free(IndexChanges *changes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(IndexChanges, index_changes_free)

/* Readable when there may be something for index_changes_take(). */
int index_changes_fd(const IndexChanges *changes);
/* Was something written since the last call? Does not wait. *replaced_r: set if the directory of
 * the index was moved or removed; nothing is noticed any more then. */
bool index_changes_take(IndexChanges *changes, bool *replaced_r);

/* Has a signal come that ends the wait? For loops that work long between two waits. */
bool index_changes_signalled(const IndexChanges *changes);

/* Waits for the next write since the last call. Writes that follow each other quickly are one
 * change. pause_ms: the least time until it returns a change. output: a descriptor whose reader may
 * go away. */
IndexChange index_changes_wait(IndexChanges *changes, int output, int pause_ms);
