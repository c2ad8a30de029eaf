/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-order.h - from matching pairs to hits in order */
#pragma once
#include "index/search/search-private.h"

/* The matches that are shown as one hit: count of them from first on. */
typedef struct {
	double order;
	int64_t group;
	guint first, count;
} SearchGroup;

typedef struct {
	GArray *groups; /* SearchGroup */
	bool ascending;
} SearchHeap;

/* Sorts matches by group, but for the first ones that are groups of their own. collapse: equal
 * content is one group. ascending: the lowest order of a group counts. Yours. */
GArray *search_groups(GArray *matches, guint single, bool collapse, bool ascending);
void search_heap_make(SearchHeap *heap);
/* The next in order; false: no more. */
bool search_heap_take(SearchHeap *heap, SearchGroup *out);
