/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reserve-host.h - a host that the client asks itself, while the daemon leaves it alone */
#pragma once
#include "ui-cli/app/cli.h"

/* Makes a running daemon leave the host alone for a minute. Returns for how many milliseconds the
 * client must do so too, above patience_ms if that is for longer or the daemon asks it all the
 * time; -1: no daemon answers. */
int64_t reserve_host(Cli *cli, const char *origin, int64_t patience_ms);
/* The client has had its last answer. */
void release_host(Cli *cli, const char *origin);
