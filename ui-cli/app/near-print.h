/* SPDX-License-Identifier: GPL-3.0-or-later */
/* near-print.h - the fingerprint of a file or member, indexed or not */
#pragma once
#include "ui-cli/app/cli.h"

/* From the index if the file is in it as it is now, else by converting it in the sandbox. path_r:
 * absolute, member_r: NULL for the file itself; both yours. False with error: it cannot be read, or
 * has too few words to be compared. */
bool near_print_of(Cli *cli, const char *argument, NearPrint *print_r, char **path_r,
        char **member_r, GError **error);
/* The same for "near:FILE" of a query: a QueryPrintFunc. cli: the Cli. */
bool near_print_asked(const char *file, NearPrint *print_r, void *cli, GError **error);
