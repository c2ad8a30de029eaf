/* SPDX-License-Identifier: GPL-3.0-or-later */
/* daemon-client.h - requests to a running daemon, and starting one that works and ends */
#pragma once
#include "ui-cli/app/cli.h"

/* Requires a successful cli_daemon(). True when every earlier change is searchable; false without
 * error if the time is over. again: only the changes before the last call count, whose time was
 * over. */
bool daemon_sync_ms(Cli *cli, int64_t ms, bool again, GError **error);
/* The status as a{sv} with the keys of common/ipc/control.h. The caller unrefs it. */
GVariant *daemon_status(Cli *cli, GError **error);
/* The path in progress in an answer of daemon_status(), which the caller frees; NULL if there is
 * none, or none that the user may read now. */
char *daemon_current(GVariant *status);
/* Sends one request with the arguments of the command line as paths; a member is that of its
 * container. */
GVariant *daemon_call_paths(Cli *cli, const char *request, GError **error);

/* The path of the program: $TARSIERD, else the one beside this program (installed or in the build
 * tree), else in BINDIR. The caller frees it. */
char *daemon_program(void);
/* Runs "tarsierd --once PATH…" on this index until the index is up to date, and shows progress
 * unless quiet. paths: NULL-terminated, absolute; NULL means all. Returns the exit code of
 * tarsierd, EXIT_INTERRUPTED after a signal. */
int daemon_run_once(Cli *cli, char *const *paths);
/* Runs "tarsierd --once --purge" in the same way, after a root was removed. EXIT_BUSY: another
 * process reads the index, so that words are left on the disk. */
int daemon_run_purge(Cli *cli);
/* The same; all files that are listed as equal are read again first. */
int daemon_run_verify(Cli *cli);
/* The same, followed by a compaction. */
int daemon_run_compact(Cli *cli, bool scrub);
