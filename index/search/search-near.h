/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-near.h - near copies among the hits of one answer */
#pragma once
#include "index/search/search-private.h"

/* The hits so far that others may be near copies of. */
typedef struct {
	GArray *prints; /* NearPrint */
	GPtrArray *hits; /* Hit of each, borrowed; NULL: one before the page */
} SearchLeaders;

/* Are near copies to be shown under the best one? Not where they are what is asked for. */
bool search_collapses_near(const Search *s);

void search_leaders_begin(SearchLeaders *leaders);
void search_leaders_clear(SearchLeaders *leaders);
void search_leaders_add(SearchLeaders *leaders, const NearPrint *print, Hit *hit);
/* Index of a leader that print is a near copy of; -1: none. Only the last thousand are asked. */
int search_leaders_find(const SearchLeaders *leaders, const NearPrint *print);

/* Fingerprint of a document; *has_r false: it has none. */
bool search_print_of(
        const Search *s, int64_t document, NearPrint *out, bool *has_r, GError **error);
/* Drops matches that have neither an exact copy anywhere nor a near copy among the matches. */
bool search_keep_dups(const Search *s, Matches *m, GError **error);
