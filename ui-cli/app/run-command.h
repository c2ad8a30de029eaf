/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run-command.h - runs other programs, never through a shell */
#pragma once
#include <glib.h>
#include <stdbool.h>

/* Runs a command with the path in place of each "{}" and waits for it. False with error if it could
 * not be started; false without error if its exit status is not 0. */
bool run_for_path(char *const *command, const char *path, GError **error);
