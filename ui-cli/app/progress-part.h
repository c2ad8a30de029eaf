/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress-part.h - progress of long work inside this process, shown on a terminal */
#pragma once
#include "ui-cli/app/cli.h"

typedef struct ProgressPart ProgressPart;

/* what: translated, without full stop; borrowed. */
ProgressPart *progress_part_new(const Cli *cli, const char *what);
/* part: from 0 to 1. Draws nothing in the first second, with -q, or if stderr is not a terminal.
 * data is the ProgressPart, so the function can be a callback. */
void progress_part_show(double part, void *data);
void progress_part_free(ProgressPart *progress); /* clears the line; NULL is fine */
