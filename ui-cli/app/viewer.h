/* SPDX-License-Identifier: GPL-3.0-or-later */
/* viewer.h - opens a file in the user's viewer, at a page or line where the viewer can
 *
 * The desktop entry of the default application says which program it is. A viewer that takes a page
 * or line is started by itself; anything else is left to "gio open" or xdg-open. */
#pragma once
#include <glib.h>
#include <stdbool.h>

/* Where in a document: at most one of both is not 0. */
typedef struct {
	unsigned page; /* or chapter of a recording, from 1 */
	unsigned line; /* from 1 */
} ViewerPlace;

/* The parts of its client that a viewer may use. */
typedef enum {
	VIEWER_HERE, /* the terminal: a viewer that needs one runs in it; no pipe */
	VIEWER_APART, /* nothing: only a desktop shows it, and the terminal neither interrupts it
	                 nor has its output */
} ViewerHost;

/* mime: of the file; NULL if unknown, then it opens at its beginning. Waits for a viewer in this
 * terminal until it ends, and for others until they seem to run. False with error. */
bool viewer_open(
        const char *path, const char *mime, ViewerPlace place, ViewerHost host, GError **error);
/* Is there a desktop that shows windows? */
bool viewer_has_desktop(void);
/* http or https? */
bool viewer_is_url(const char *text);
/* Opens a page, http or https alone, in the user's browser. */
bool viewer_open_url(const char *url, ViewerHost host, GError **error);
/* Starts a program, searched for in PATH, with the standard streams of this process, and looks for
 * so many milliseconds whether it ends. False with error if it could not be started, or ended with
 * a status other than 0; G_SPAWN_ERROR_NOENT: it is not installed. */
bool viewer_start_program(char **argv, int wait_ms, GError **error);
