/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress-part.h - how far long work of this process is, on a terminal */
#pragma once
#include "ui-cli/app/cli.h"

typedef struct ProgressPart ProgressPart;

/* what: translated, without a full stop; borrowed. */
ProgressPart *progress_part_new(const Cli *cli, const char *what);
/* part: from 0 to 1. Draws nothing in the first second, with -q, or if stderr is no terminal. For
 * callbacks: data is the ProgressPart. */
void progress_part_show(double part, void *data);
void progress_part_free(ProgressPart *progress); /* takes the line away; NULL is fine */
