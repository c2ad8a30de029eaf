/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.h - how far indexing is, on stderr: a bar on a terminal, else a line every few seconds
 */
#pragma once
#include "ui-cli/app/cli.h"

typedef struct Progress Progress;

/* cli must outlive it. */
Progress *progress_new(Cli *cli);
/* Asks the daemon that cli is connected to and draws; a daemon that is gone is fine. */
void progress_look(Progress *progress);
/* Ends the bar's line, and frees. */
void progress_free(Progress *progress);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Progress, progress_free)

/* The bar as text without line end: "[####    ]  40%  12 of 30 files, 5/s  name". width in cells.
 * Yours. */
char *progress_bar(uint64_t done, uint64_t left, double rate, const char *current, unsigned width);
