/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resolve-files.h - reads the files that a query names: "near:FILE", "related:FILE", "dup:FILE" and
 * "thread:FILE" */
#pragma once
#include "index/query/query.h"
#include "ui-cli/app/cli.h"

/* Call it before the query is used. False with error if a file cannot be read, or has too few words
 * for a comparison. */
bool resolve_files(Cli *cli, Query *query, GError **error);
/* Returns the checksum of a file, of a member of it (NULL: itself) or of a page for "sum:", which
 * the caller frees; NULL with error. */
char *resolve_files_sum(Cli *cli, const char *file, const char *member, GError **error);
