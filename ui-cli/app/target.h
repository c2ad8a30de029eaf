/* SPDX-License-Identifier: GPL-3.0-or-later */
/* target.h - what a person means by FILE, ID or OUTER|inner/path */
#pragma once
#include "ui-cli/app/cli.h"

/* Splits "OUTER|inner": *path_r is absolute, *member_r NULL for the file itself. A file whose own
 * name has the "|" wins if it exists. Both yours. */
void target_split(const char *argument, char **path_r, char **member_r);
/* What the index knows of it. NULL without error: nothing. number_is_id: digits alone are a
 * document's id. */
Info *target_info(Cli *cli, const char *argument, bool number_is_id, GError **error);
/* True if text is a decimal number above 0. */
bool target_is_number(const char *text, uint64_t *number_r);
/* The path with the links in its directory resolved, or NULL. The last component may be a link
 * itself. Yours. */
char *target_real_path(const char *path);
/* The absolute path if it is a watched directory or below one, also by its real path; else NULL.
 * Yours. */
char *target_below_root(const Settings *settings, const char *argument);
