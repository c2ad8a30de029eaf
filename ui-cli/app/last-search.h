/* SPDX-License-Identifier: GPL-3.0-or-later */
/* last-search.h - the hits of the last search, so that "open 3" opens the third of them
 *
 * They are kept in one file (mode 0600) beside the control socket or in the cache directory. It has
 * the rank of the first hit, then for each hit: path NUL member NUL (empty if none). */
#pragma once
#include "index/search/search.h"

/* Best effort: a failure to save does not make the search fail. */
void last_search_save(const char *socket_path, const char *cache_dir, const SearchResult *result,
        unsigned first_rank);
/* The path of the hit with this rank, or NULL. The caller frees it. */
char *last_search_path(const char *socket_path, const char *cache_dir, unsigned rank);
