/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run-command.h - other programs, never through a shell */
#pragma once
#include <glib.h>
#include <stdbool.h>

/* Runs a command with the path in place of each "{}" and waits. False: it could not be started
 * (with error) or did not end with 0 (without). */
bool run_for_path(char *const *command, const char *path, GError **error);
/* Opens a file in the user's viewer: "gio open", else xdg-open. Returns when that program has. */
bool open_in_viewer(const char *path, GError **error);
