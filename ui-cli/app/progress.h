/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.h - progress of indexing on stderr: a bar on a terminal, otherwise a line every few
 * seconds */
#pragma once
#include "ui-cli/app/cli.h"

typedef struct Progress Progress;

/* cli must outlive it. */
Progress *progress_new(Cli *cli);
/* Asks the connected daemon for its progress and draws it. Does nothing if the daemon is gone. */
void progress_update(Progress *progress);
/* Ends the line of the bar and frees progress. */
void progress_free(Progress *progress);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Progress, progress_free)

/* The bar as text without newline: "[#### ] 40% 12 of 30 files, 5/s name". width in cells. The
 * caller frees it. */
char *progress_bar(uint64_t done, uint64_t left, double rate, const char *current, unsigned width);
