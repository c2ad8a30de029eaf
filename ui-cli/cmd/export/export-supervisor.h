/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export-supervisor.h - starts an export again when its target, or the daemon, was away
 *
 * Each try is a process of its own: it connects, and is then confined so that it can connect to
 * nothing more. */
#pragma once

/* Runs session in a child, and returns its exit code unless the target, the index or the daemon is
 * away, or the child dies. At the first try the daemon and an index must be there. Between two
 * tries it waits 1 s, doubling to 5 minutes, each with up to half as much more by chance; after a
 * try that brought the target into step it begins with 1 s. SIGTERM, SIGINT and SIGHUP are passed
 * on, and end the last try or the wait: it returns EXIT_OK after SIGTERM, else EXIT_INTERRUPTED.
 * Call it in a process with a single thread. */
int export_supervise(int (*session)(void *data), void *data);
/* In the child: the target is in step. Does nothing without a supervisor. */
void export_supervisor_note_step(void);
