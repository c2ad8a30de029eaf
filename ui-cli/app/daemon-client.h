/* SPDX-License-Identifier: GPL-3.0-or-later */
/* daemon-client.h - what the verbs ask of a running daemon, and how to start one that works and
 * ends */
#pragma once
#include "ui-cli/app/cli.h"

/* cli_daemon() must have connected. True when every change made before is searchable; false without
 * error: not within that time. */
bool daemon_sync(Cli *cli, unsigned seconds, GError **error);
bool daemon_sync_ms(Cli *cli, int64_t ms, GError **error);
/* a{sv} with the keys of common/ipc/control.h. Yours. */
GVariant *daemon_status(Cli *cli, GError **error);
/* One request with the words of the command line as paths. */
GVariant *daemon_call_paths(Cli *cli, const char *request, GError **error);

/* The program: $TARSIERD, else beside this one (installed, or in the build tree), else BINDIR.
 * Yours. */
char *daemon_program(void);
/* Runs "tarsierd --once PATH…" on this index until it has brought it up to date, with a progress
 * display if show. Returns its exit code, EXIT_INTERRUPTED after a signal. paths: NULL-terminated,
 * absolute; may be NULL: all. */
int daemon_run_once(Cli *cli, char *const *paths, bool show);
/* The same, then compacts. */
int daemon_run_compact(Cli *cli, bool scrub);
