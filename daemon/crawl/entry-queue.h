/* SPDX-License-Identifier: GPL-3.0-or-later */
/* entry-queue.h - directory entries that are to be compared with the file system, and when
 *
 * There is one entry per (directory, name): pushing a name that already waits merges the hints. An
 * entry becomes due
 *
 *   - at once, when it was closed after writing, renamed or removed, when its owner or permissions
 *     changed, or when it is a directory;
 *   - after 10 ms, when only its creation was seen: most new files are closed by then, so that
 *     creation and content are handled once;
 *   - 1 s after the last write, and 60 s after the first at the latest, while it stays open. The
 *     60 s count from the first write since the entry was last taken.
 *
 * Not thread-safe: only the engine uses it. Time is a parameter. */
#pragma once
#include "daemon/watch/hints.h"

enum {
	QUEUE_CREATED_US = 10 * 1000,
	QUEUE_OPEN_US = 1000 * 1000,
	QUEUE_OPEN_MAX_US = 60 * 1000 * 1000,
};

typedef struct Queue Queue;

typedef struct {
	int64_t dir; /* node of the directory */
	unsigned what; /* HintWhat */
	char *name;
} QueueEntry;

void queue_entry_clear(QueueEntry *entry);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(QueueEntry, queue_entry_clear)

Queue *queue_new(void);
void queue_free(Queue *queue);
void queue_push(Queue *queue, int64_t dir, const char *name, unsigned what, int64_t now_us);
/* Adds an entry that is not due before due_us. If it already waits, the earlier time holds. */
void queue_push_at(Queue *queue, int64_t dir, const char *name, unsigned what, int64_t due_us);
/* Takes the entry that was due first. Returns false if none is due. */
bool queue_take(Queue *queue, int64_t now_us, QueueEntry *out);
/* When the next entry is due; INT64_MAX: there is none. */
int64_t queue_next_us(const Queue *queue);
/* Makes every entry due now. */
void queue_flush(Queue *queue, int64_t now_us);
void queue_clear(Queue *queue);
size_t queue_length(const Queue *queue);
