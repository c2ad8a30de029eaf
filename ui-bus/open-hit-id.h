/* SPDX-License-Identifier: GPL-3.0-or-later */
/* open-hit-id.h - what another run of the program does for the search boxes: opens a hit */
#pragma once
#include "ui-cli/app/cli.h"

/* Opens the hit with this id (hit-id.h), at the passage that the text finds, as "tarsier open"
 * does. Returns the exit code. */
int open_hit_id(Cli *cli, const char *id, const char *text);
