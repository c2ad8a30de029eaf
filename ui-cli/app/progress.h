/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.h - progress of indexing on stderr: a bar on a terminal, otherwise a line every few
 * seconds */
#pragma once
#include "ui-cli/app/cli.h"

typedef struct Progress Progress;

/* The work that the user waits for. */
typedef enum { PROGRESS_INDEX, PROGRESS_REMOVE } ProgressWork;

/* cli must outlive it. fresh: the daemon begins to count with this work; otherwise what it did
 * before the first progress_update() does not count. */
Progress *progress_new(Cli *cli, ProgressWork work, bool fresh);
/* Asks the daemon for its progress and draws it: what is done of how much if that is known, else
 * what goes on and for how long. False if the terminal or the reader of stderr is gone. */
bool progress_update(Progress *progress);
/* Ends the line of the bar and frees progress. */
void progress_free(Progress *progress);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Progress, progress_free)

typedef struct {
	uint64_t done, left; /* files */
	double rate; /* files a second; 0: not known */
	int64_t left_s; /* seconds; -1: not known */
	double part; /* of all that is done, 0 to 1 */
} ProgressState;

/* "Reading directories: 120 files so far, 12 s", for work of unknown size. state: as the daemon
 * calls it; NULL: it does not answer yet. The caller frees it. */
char *progress_unknown_text(ProgressWork work, const char *state, uint64_t files, int64_t seconds);

/* "12 of 30 files, 5/s, 4 s left"; what is not known is left out. The caller frees it. */
char *progress_text(const ProgressState *state);
/* "Compacting, step 2 of 5: words of deleted documents, 12 s". step: as the daemon calls it. The
 * caller frees it. */
char *progress_compaction_text(const char *step, int64_t seconds);
/* The bar as text without newline: "[#### ] 40% 12 of 30 files, 5/s, 4 s left  name". width in
 * cells. The caller frees it. */
char *progress_bar(const ProgressState *state, const char *current, unsigned width);
