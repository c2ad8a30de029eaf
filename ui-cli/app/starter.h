/* SPDX-License-Identifier: GPL-3.0-or-later */
/* starter.h - a process that starts programs of the user for a client that confines itself
 *
 * These programs would inherit the confinement, and may need more. So a process is forked before
 * it. It can do three things for its client: run the command that was given at the fork, with a
 * path in it, open a file in the user's viewer, and ask the daemon for its status. A path is
 * absolute, or the URL of a page, http or https alone. It ends with the client. */
#pragma once
#include "ui-cli/app/viewer.h"

typedef struct Starter Starter;

/* Forks the process. command: words with "{}" for starter_run(), copied; NULL: it runs none.
 * daemon: the path of the socket on which the daemon listens. Call it before confine_client(), in a
 * process with a single thread. NULL with error. */
Starter *starter_new(char *const *command, const char *daemon, GError **error);
/* Ends the process. NULL is fine. */
void starter_free(Starter *starter);

/* As run_for_path() with the command of starter_new(). */
bool starter_run(Starter *starter, const char *path, GError **error);
/* As viewer_open(), or viewer_open_url() for a URL. A terminal that is the standard
 * input of this process at the call is that of the viewer. */
bool starter_open(
        Starter *starter, const char *path, const char *mime, ViewerPlace place, GError **error);
/* As starter_open() for VIEWER_APART: it neither waits for another opening nor keeps one waiting,
 * and signals of this process mean what they meant. May be called from any thread. */
bool starter_open_apart(const Starter *starter, const char *path, const char *mime,
        ViewerPlace place, GError **error);
/* The status as daemon_status() returns it, asked for by the process, since a confined client makes
 * no connection. NULL: no daemon answers. The caller unrefs it. */
GVariant *starter_daemon_status(const Starter *starter);
