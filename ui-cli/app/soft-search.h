/* SPDX-License-Identifier: GPL-3.0-or-later */
/* soft-search.h - what meets only some of the words, where too little meets all */
#pragma once
#include "index/read/reader.h"
#include "ui-cli/app/cli.h"

/* With --soft: appends partial matches behind the hits of result as far as the limit goes. Else, or
 * if there are none, says on stderr that there could be some. */
bool soft_search(Cli *cli, const Query *query, const SearchOptions *options, SearchResult *result,
        GError **error);
