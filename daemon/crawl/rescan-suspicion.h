/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rescan-suspicion.h - detects that a file may have been changed by a name that was never seen
 *
 * An event names a name, not a file. A file with a known name may be linked to a second name,
 * written by that name, and the second name be gone before anybody looks at it. No event then says
 * which file was written: only comparing everything can tell. This module tells whether such a
 * thing may have happened, from the hints that led to a look and from what was found there:
 *
 * - the name appeared, was written by, and is gone or has come to stand for another file; - or the
 * file written by it moved on to a name that in turn was gone or taken: both seen within
 * SUSPICION_CHAIN_US; - or the name came to stand for the file that was found there before, after
 * the file it stood for at first had been written.
 *
 * Temporary files that live for some milliseconds look the same, so the suspicion is often wrong,
 * and the comparison must be cheap or rare. Saving through a temporary file that is then renamed is
 * recognised and raises no suspicion. Only the engine uses it. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum { SUSPICION_CHAIN_US = 3 * 1000 * 1000, SUSPICION_LOOK_AGAIN_US = 50 * 1000 };

typedef struct Suspicion Suspicion;

Suspicion *suspicion_new(void);
void suspicion_free(Suspicion *suspicion);

typedef struct {
	int64_t dir;
	const char *name;
	unsigned what; /* HintWhat */
	int64_t inode; /* row of the inode that was found; 0: none */
} SuspicionLook;

/* SUSPICION_LOOK_AGAIN: the event that tells what became of the file has not come yet: look again
 * SUSPICION_LOOK_AGAIN_US later, with HINT_LOOK_AGAIN added. */
typedef enum { SUSPICION_NONE, SUSPICION_LOOK_AGAIN, SUSPICION_RAISED } SuspicionAnswer;
SuspicionAnswer suspicion_ask(Suspicion *suspicion, const SuspicionLook *look, int64_t now_us);
/* True if suspicion_ask() needs the row of the inode that was found. */
bool suspicion_wants_inode(unsigned what);
/* Forgets everything: there is nothing left to look at. */
void suspicion_forget(Suspicion *suspicion);
