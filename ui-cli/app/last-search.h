/* SPDX-License-Identifier: GPL-3.0-or-later */
/* last-search.h - the hits of the last search, so that "open 3" opens the third of them
 *
 * Each terminal session (session of processes) has a file (mode 0600) in the directory
 * "last-search" (0700) beside the control socket, or in the cache directory: a search elsewhere
 * does not change what a number means here. The files of sessions that ended are removed by the
 * next search. */
#pragma once
#include "index/search/search.h"
#include "ui-cli/app/viewer.h"

typedef struct {
	char *path;
	char *member, *mime; /* may be NULL */
	ViewerPlace place; /* of the passage that was shown */
} LastHit;

/* key: of the words (choices_key()), or NULL. places: of the hits that have a ViewerPlace; may be
 * shorter than the list of hits. Best effort: a failure to save does not make the search fail. */
void last_search_save(const char *socket_path, const char *cache_dir, const char *key,
        const SearchResult *result, const GArray *places, unsigned first_rank);

typedef struct {
	GPtrArray *hits; /* LastHit */
	unsigned first_rank; /* of the first of them */
	char *key; /* of the words; empty: there were none */
} LastSearch;

/* NULL: there was no search in this session. */
LastSearch *last_search_load(const char *socket_path, const char *cache_dir);
/* NULL: there is no such hit. Borrowed. */
const LastHit *last_search_hit(const LastSearch *last, uint64_t rank);
void last_search_free(LastSearch *last);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LastSearch, last_search_free)
