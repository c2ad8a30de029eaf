/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-near.h - near copies among the hits of one answer */
#pragma once
#include "index/search/search-private.h"

/* The hits so far, of which others may be near copies. */
typedef struct {
	GArray *prints; /* NearPrint */
	GPtrArray *hits; /* the hit of each, borrowed; NULL: it is on an earlier page */
} SearchLeaders;

/* True if near copies are shown under the best one. They are not if the query asks for near copies.
 */
bool search_collapses_near(const Search *s);

void search_leaders_begin(SearchLeaders *leaders);
void search_leaders_clear(SearchLeaders *leaders);
void search_leaders_add(SearchLeaders *leaders, const NearPrint *print, Hit *hit);
/* Returns the index of a leader that print is a near copy of; -1: there is none. Only the last
 * thousand are compared. */
int search_leaders_find(const SearchLeaders *leaders, const NearPrint *print);

/* Reads the fingerprint of a document; *has_r false: it has none. */
bool search_print_of(
        const Search *s, int64_t document, NearPrint *out, bool *has_r, GError **error);
/* Drops the matches that have neither an exact copy anywhere nor a near copy among the matches. */
bool search_keep_dups(const Search *s, Matches *m, GError **error);
