/* SPDX-License-Identifier: GPL-3.0-or-later */
/* soft-search.h - documents that match only some of the words, if too few match all of them */
#pragma once
#include "index/search/search.h"
#include "ui-cli/app/cli.h"

/* Appends partial matches to the hits of result, up to the limit of the options, and counts them in
 * its partial. False with error. */
bool soft_search_append(Reader *reader, const Query *query, const SearchOptions *options,
        SearchResult *result, GError **error);
/* With --soft: appends partial matches to the hits of result, up to the limit. Otherwise, or if
 * there are none, a note on stderr tells that partial matches may exist. */
bool soft_search(Cli *cli, const Query *query, const SearchOptions *options, SearchResult *result,
        GError **error);
