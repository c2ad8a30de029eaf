/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-order.h - from matches to groups in order */
#pragma once
#include "index/search/search-private.h"

/* Matches that are shown as one hit: count of them, beginning with first. */
typedef struct {
	double order;
	int64_t group;
	guint first, count;
	bool demoted; /* order has been changed: lowered (index/search/demote.h), or to that of a
	                 match that may be shown */
} SearchGroup;

typedef struct {
	GArray *groups; /* SearchGroup */
	bool ascending;
} SearchHeap;

/* Sorts the matches by group, except the first single ones, each of which is a group. collapse:
 * matches with equal content form a group. lowest: its match with the lowest order comes first, not
 * that with the highest; the first gives the group its place. Returns an array of SearchGroup that
 * the caller owns. */
GArray *search_groups(GArray *matches, guint single, bool collapse, bool lowest);
void search_heap_make(SearchHeap *heap);
/* Takes the next group in order; false: there are no more. */
bool search_heap_take(SearchHeap *heap, SearchGroup *out);
/* Puts a group back, with another order. */
void search_heap_put(SearchHeap *heap, const SearchGroup *group);
