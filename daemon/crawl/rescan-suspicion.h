/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rescan-suspicion.h - files that may have changed by a name that nobody saw
 *
 * An event names a name, not a file. When a file that is known by one name is linked to another,
 * written by that, and the second name is gone before anybody looks at it, no event says which file
 * was written: only a comparison of everything can tell. This tells whether such a thing may have
 * happened, from the hints that led to a look and from what was found there:
 *
 * - the name came, was written by, and is gone, or has come to stand for another file;
 * - or what was written by it moved on to a name that was gone, or taken, in its turn: both seen
 *   within SUSPICION_CHAIN_US;
 * - or the name came to stand for the very file that was found there before, when what it stood
 *   for at first had been written.
 *
 * Temporary files that live for some milliseconds look the same, so that it is often wrong, and the
 * comparison must be cheap or rare. Saving by a temporary file that is renamed is told apart.
 * Engine only. */
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
	int64_t inode; /* row of what was found; 0: nothing */
} SuspicionLook;

/* SUSPICION_LOOK_AGAIN: the event that says what became of it is still to come: look again with
 * HINT_LOOK_AGAIN added, SUSPICION_LOOK_AGAIN_US later. */
typedef enum { SUSPICION_NONE, SUSPICION_LOOK_AGAIN, SUSPICION_RAISED } SuspicionAnswer;
SuspicionAnswer suspicion_ask(Suspicion *suspicion, const SuspicionLook *look, int64_t now_us);
/* Is the row of what was found needed for suspicion_ask()? */
bool suspicion_wants_inode(unsigned what);
/* Nothing is left to look at. */
void suspicion_forget(Suspicion *suspicion);
