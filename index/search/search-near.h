/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-near.h - near copies among the hits of one answer */
#pragma once
#include "index/search/search-private.h"
#include "index/text/fingerprint.h"

/* The facts that decide whether a document is shown under another one. A few words that differ make
 * a short text another one, however near it is: invoices differ in a number, a date and a sum. So a
 * text of less than FOLDED_LEAST_WORDS is shown under another one only if they have the same words,
 * or if one is a page that names the other as its own address. */
enum { FOLDED_LEAST_WORDS = 400 };
typedef struct {
	NearPrint near;
	int64_t words;
	uint64_t text; /* the kept bytes of the checksum of its text; 0: none */
} SearchPrint;

/* The hits so far, of which others may be near copies. */
typedef struct {
	GArray *prints; /* SearchPrint */
	GPtrArray *hits; /* the hit of each, borrowed; NULL: it is on an earlier page */
} SearchLeaders;

/* True if near copies of some length are shown under the best one. They are not if the query asks
 * for near copies.
 */
bool search_collapses_near(const Search *s);

void search_leaders_begin(SearchLeaders *leaders);
void search_leaders_clear(SearchLeaders *leaders);
void search_leaders_add(SearchLeaders *leaders, const SearchPrint *print, Hit *hit);
/* True if one of the last thousand leaders is a near copy. */
bool search_leaders_any_near(const SearchLeaders *leaders, const NearPrint *near);
/* Returns the index of a leader under which the hit is shown; -1: there is none. Only the last
 * thousand are compared. print: of the hit's document. */
int search_leaders_find(
        const Search *s, const SearchLeaders *leaders, const SearchPrint *print, const Hit *hit);

/* Reads the fingerprint of a document; *has_r false: it has none. */
bool search_print_of(
        const Search *s, int64_t document, SearchPrint *out, bool *has_r, GError **error);
/* Drops the matches that have neither an exact copy anywhere nor a near copy among the matches. */
bool search_keep_dups(const Search *s, Matches *m, GError **error);
