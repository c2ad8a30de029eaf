/* SPDX-License-Identifier: GPL-3.0-or-later */
/* follow-status.h - "status --follow" */
#pragma once
#include "ui-cli/app/cli.h"

/* Shows the status until the terminal, or the reader of the pipe, is gone. On a terminal it is
 * drawn anew in its place; in a pipe a line tells of changes, at most every five seconds; as JSON
 * every change is an object. Returns the exit code. */
int follow_status(Cli *cli);
