/* SPDX-License-Identifier: GPL-3.0-or-later */
/* near-print.h - the fingerprint of a file or member, which need not be indexed */
#pragma once
#include "ui-cli/app/cli.h"

/* Takes the fingerprint from the index if it has the file's current version, else converts the file
 * in the sandbox. *path_r: absolute; *member_r: NULL for the file itself; the caller frees both.
 * False with error if the file cannot be read or converted, or has too few words for a comparison
 * (QUERY_ERROR). */
bool near_print_of(Cli *cli, const char *argument, NearPrint *print_r, char **path_r,
        char **member_r, GError **error);
