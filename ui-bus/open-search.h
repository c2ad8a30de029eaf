/* SPDX-License-Identifier: GPL-3.0-or-later */
/* open-search.h - what another run of the program does for the search boxes: shows all hits */
#pragma once
#include "ui-cli/app/cli.h"

/* Searches for the text in "tarsier tui" in a terminal. If none starts, becomes "tarsier browse",
 * which opens the user's browser. Both have the configuration and index of cli. Returns the exit
 * code: EXIT_PARTIAL, after a message, if neither a terminal nor a browser is there. */
int open_search(Cli *cli, const char *text);
