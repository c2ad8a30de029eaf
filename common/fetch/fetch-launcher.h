/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fetch-launcher.h - a process that starts tarsier-fetch, and tarsier-partition, for a daemon that
 * may not
 *
 * The daemon confines itself without a network, and what it starts inherits that. So it forks the
 * launcher before, which confines itself too, but may make connections, as its programs must. It
 * runs one of each at a time, takes orders without any content from the daemon alone, and ends with
 * it, after it has killed the programs. */
#pragma once
#include "common/sandbox/converter.h"
#include <stdbool.h>

typedef struct FetchLauncher FetchLauncher;

/* Forks the launcher, waits until it is confined, and makes it the one that fetch_host_start() of
 * this process uses. Call it while the process has a single thread and few pages of its own, and
 * before confine(). readable: a file that programs may read besides the system's, or NULL;
 * tarsier-fetch narrows it to certificates. NULL: tarsier-fetch is not installed, or there can be
 * no process. */
FetchLauncher *fetch_launcher_new(const char *certificates);
/* Ends the launcher and what it runs, and reaps it. NULL is fine. */
void fetch_launcher_free(FetchLauncher *launcher);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FetchLauncher, fetch_launcher_free)

/* The part of its confinement that the launcher could set up. */
SandboxLevel fetch_launcher_level(const FetchLauncher *launcher);

/* The launcher of this process; NULL: programs are started directly. */
FetchLauncher *fetch_launcher_of_process(void);

/* Starts the program and returns at once. A program that runs is killed. control: the program's end
 * of a socket pair, which stays open here; when the program has ended, FETCH_ENDED comes from it.
 * False: the launcher is gone. */
bool fetch_launcher_start(FetchLauncher *launcher, int control);
/* Kills the program soon, if one runs. */
void fetch_launcher_stop(FetchLauncher *launcher);
/* Starts tarsier-partition and returns at once. One that runs is killed. control: its end of a
 * stream socket, which stays open here; the program ends when ours is closed, and its end is closed
 * when it has ended or could not be started. False: the launcher is gone. Any thread. */
bool fetch_launcher_partition(FetchLauncher *launcher, int control);
