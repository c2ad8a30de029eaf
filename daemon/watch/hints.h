/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hints.h - the set of places where the file system may differ from the index
 *
 * The notify thread fills it and the engine empties it. An event is only a hint: "entry NAME of the
 * directory with this watch may have changed". Duplicates merge, and the order is dropped on
 * purpose. The set is bounded: beyond HINTS_MAX entries it keeps directories only, and beyond
 * HINTS_MAX_DIRS directories it says "anything may have changed". Thread-safe. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum { HINTS_MAX = 200000, HINTS_MAX_DIRS = 50000 };

/* The kinds of changes seen, as bits. They decide only how long to wait, and whether the content
 * must be read although size and times are equal. */
typedef enum {
	HINT_CREATED = 1, /* a new name, which may still be being written */
	HINT_MODIFIED = 2, /* written to */
	HINT_CLOSED = 4, /* closed after writing */
	HINT_MOVED = 8, /* the name came or went in a rename */
	HINT_GONE = 16,
	HINT_FACTS = 32, /* permissions, owner, times or link count */
	HINT_DIR = 64, /* the entry is a directory */
	HINT_SELF = 128, /* the watched directory itself was moved or removed; name is "" */
	HINT_UNWATCHED = 256, /* the kernel dropped the watch; name is "" */
	HINT_WHOLE = 512, /* any entry of the directory; name is "" */
	HINT_UNMOUNTED = 1024, /* its file system was unmounted; name is "" */
	HINT_ARRIVED = 2048, /* the name now refers to a file: by creation, link or rename */
	HINT_AGAIN = 4096, /* and then to another file, before the engine compared it */
	HINT_MOVED_ON = 8192, /* the file it stood for moved to another watched name */
	HINT_CARRIED =
	        16384, /* the file that moved on had arrived here, and was written by this name */
	HINT_LOOK_AGAIN =
	        32768, /* nothing was found, although no event has reported its removal yet */
	HINT_LEFT = 65536, /* a file that it stood for was renamed, whatever arrived since */
	HINT_WRITTEN = HINT_MODIFIED | HINT_CLOSED | HINT_FACTS,
} HintWhat;

/* Merges what was seen before with what is seen now. HINT_GONE and HINT_MOVED_ON refer to the file
 * that the name stood for last. */
unsigned hint_merge(unsigned before, unsigned now);

typedef struct {
	int watch;
	unsigned what;
	char name[];
} Hint;

typedef struct {
	GPtrArray *hints; /* Hint */
	bool overflow; /* the kernel or this set lost events */
	uint64_t cookie; /* highest number of a cookie file that was seen; 0: none yet */
} HintBatch;

typedef struct Hints Hints;

Hints *hints_new(void);
void hints_free(Hints *hints);
void hints_add(Hints *hints, int watch, const char *name, unsigned what);
void hints_overflow(Hints *hints);
void hints_cookie(Hints *hints, uint64_t number);
/* Moves everything collected so far into *out. Release it with hint_batch_clear(). */
void hints_take(Hints *hints, HintBatch *out);
/* Is there anything to take? */
bool hints_any(Hints *hints);
void hint_batch_clear(HintBatch *batch);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HintBatch, hint_batch_clear)
