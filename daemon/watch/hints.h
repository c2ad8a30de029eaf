/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hints.h - the set of places where the file system may differ from the index
 *
 * Filled by the notify thread, emptied by the engine. An event is only a hint "entry NAME of the
 * directory with this watch may have changed": duplicates merge, the order is lost on purpose. The
 * set is bounded: past HINTS_MAX entries it keeps directories only, past HINTS_MAX_DIRS of them it
 * says "anything may have changed". Thread-safe. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum { HINTS_MAX = 200000, HINTS_MAX_DIRS = 50000 };

/* What was seen, as bits. It only decides how long to wait and whether the content must be read
 * even if the facts are equal. */
typedef enum {
	HINT_CREATED = 1, /* a new name; perhaps still being written */
	HINT_MODIFIED = 2, /* written to */
	HINT_CLOSED = 4, /* closed after writing */
	HINT_MOVED = 8, /* the name came or went by a rename */
	HINT_GONE = 16,
	HINT_FACTS = 32, /* permissions, owner, times, links */
	HINT_DIR = 64, /* the entry is a directory */
	HINT_SELF = 128, /* the watched directory itself moved or went; name is "" */
	HINT_UNWATCHED = 256, /* the kernel dropped the watch; name is "" */
	HINT_WHOLE = 512, /* any entry of it; name is "" */
	HINT_UNMOUNTED = 1024, /* its file system went; name is "" */
	HINT_ARRIVED = 2048, /* the name came to stand for a file, by creation, link or rename */
	HINT_AGAIN = 4096, /* and for another one before anybody looked */
	HINT_MOVED_ON = 8192, /* what it stood for went to another watched name */
	HINT_CARRIED = 16384, /* that had arrived, and was written by this name, at some time */
	HINT_LOOK_AGAIN = 32768, /* nothing was there although no event has told yet that it went */
	HINT_WRITTEN = HINT_MODIFIED | HINT_CLOSED | HINT_FACTS,
} HintWhat;

/* What was seen before and what was seen now, together. GONE and MOVED_ON are of the file that the
 * name stood for last. */
unsigned hint_merge(unsigned before, unsigned now);

typedef struct {
	int watch;
	unsigned what;
	char name[];
} Hint;

typedef struct {
	GPtrArray *hints; /* Hint */
	bool overflow; /* the kernel or this set lost some */
	uint64_t cookie; /* highest number of a cookie file seen; 0 none yet */
} HintBatch;

typedef struct Hints Hints;

Hints *hints_new(void);
void hints_free(Hints *hints);
void hints_add(Hints *hints, int watch, const char *name, unsigned what);
void hints_overflow(Hints *hints);
void hints_cookie(Hints *hints, uint64_t number);
/* Everything so far, which leaves the set. Clear with hint_batch_clear(). */
void hints_take(Hints *hints, HintBatch *out);
void hint_batch_clear(HintBatch *batch);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HintBatch, hint_batch_clear)
