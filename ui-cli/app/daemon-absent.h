/* SPDX-License-Identifier: GPL-3.0-or-later */
/* daemon-absent.h - what to do while tarsierd is not running */
#pragma once
#include "ui-cli/app/cli.h"

/* Says that changes may be missing from an answer, if no daemon is connected and a directory is
 * watched. cli_daemon() must have been called before confine_client(), which forbids connections.
 */
void daemon_absent_note(Cli *cli);
/* Says that there is no daemon, and how it is started here. */
void daemon_absent_say(void);
