/* SPDX-License-Identifier: GPL-3.0-or-later */
/* daemon-wait.h - waits until the daemon has indexed earlier changes */
#pragma once
#include "ui-cli/app/cli.h"

/* EXIT_OK when every earlier change is searchable, EXIT_BUSY if the time is over, or at once if
 * indexing is paused. Says why it failed. */
int daemon_wait(Cli *cli, unsigned seconds);
