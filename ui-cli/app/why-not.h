/* SPDX-License-Identifier: GPL-3.0-or-later */
/* why-not.h - finds out why a path is not in the index */
#pragma once
#include "ui-cli/app/cli.h"

/* One clause for the user: the rule, the permission, the missing watch. path: absolute. The caller
 * frees it. */
char *why_not_indexed(Cli *cli, const Settings *settings, const char *path);
/* The same, without asking whether tarsierd runs; NULL: nothing keeps the path out. */
char *why_not_kept_out(Cli *cli, const Settings *settings, const char *path);
/* The same as why_not_indexed(), for a member of a container. */
char *why_not_member(Cli *cli, const Settings *settings, const char *member);
/* Notes that a directory that was named is missing, and false otherwise. directory: absolute. */
bool why_not_note_missing(Cli *cli, const char *directory);
/* Notes why the index has nothing below it: it is missing, or kept out. False: neither. */
bool why_not_note_empty(Cli *cli, const char *directory);
