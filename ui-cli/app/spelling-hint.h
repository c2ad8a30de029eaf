/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spelling-hint.h - the corrected query for one that finds nothing or little */
#pragma once
#include "index/search/search.h"
#include "ui-cli/app/cli.h"

/* Returns the corrected query, which finds more than the one that was run with these options, or
 * NULL. total: the hits of the query that was run. others: receives the next best ones; NULL: they
 * are not wanted. The caller frees it. */
char *spelling_hint(Cli *cli, const Query *query, const SearchOptions *options, uint64_t total,
        GPtrArray *others);
/* Returns the sentence that tells it. shell: the query as it is typed in a shell. The caller frees
 * it. */
char *spelling_hint_line(const char *corrected, bool shell);
