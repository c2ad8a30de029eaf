/* SPDX-License-Identifier: GPL-3.0-or-later */
/* meaning-search.h - documents about the subject of a query that do not match it (--meaning) */
#pragma once
#include "index/search/search.h"
#include "ui-cli/app/cli.h"

/* Are the options of the command line ones that --meaning works with? Otherwise says which not. */
bool meaning_search_fits(const Cli *cli);
/* Appends them to the hits of result, up to the limit, the nearest first, and counts them in its
 * by_meaning. A note on stderr tells why there are none. False with error. */
bool meaning_search(Cli *cli, const Query *query, const SearchOptions *options,
        SearchResult *result, GError **error);
