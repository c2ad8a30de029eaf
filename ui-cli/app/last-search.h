/* SPDX-License-Identifier: GPL-3.0-or-later */
/* last-search.h - the hits of the last search, so that "open 3" means the third of them
 *
 * One file, 0600, beside the control socket or in the cache directory. The rank of the first, then
 * for each hit path NUL member NUL (empty: none). */
#pragma once
#include "index/read/reader.h"

/* Best effort: a search does not fail for it. */
void last_search_save(const char *socket_path, const char *cache_dir, const SearchResult *result,
        unsigned first_rank);
/* Path of the hit with this rank, or NULL. Yours. */
char *last_search_path(const char *socket_path, const char *cache_dir, unsigned rank);
