/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-order.h - from matches to groups in order */
#pragma once
#include "index/search/search-private.h"

/* Matches that are shown as one hit: count of them, beginning with first. */
typedef struct {
	double order;
	int64_t group;
	guint first, count;
	bool demoted; /* order has been lowered (index/search/demote.h) */
} SearchGroup;

typedef struct {
	GArray *groups; /* SearchGroup */
	bool ascending;
} SearchHeap;

/* Sorts the matches by group, except the first single ones, each of which is a group. collapse:
 * matches with equal content form a group. ascending: the lowest order of a group counts. Returns
 * an array of SearchGroup that the caller owns. */
GArray *search_groups(GArray *matches, guint single, bool collapse, bool ascending);
void search_heap_make(SearchHeap *heap);
/* Takes the next group in order; false: there are no more. */
bool search_heap_take(SearchHeap *heap, SearchGroup *out);
/* Puts a group back, with another order. */
void search_heap_put(SearchHeap *heap, const SearchGroup *group);
