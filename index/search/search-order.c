/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-order.c - from matches to groups in order
 *
 * A heap gives the best groups without sorting all: most searches show twenty of thousands. */
#include <config.h>
#include "index/search/search-order.h"
#include <stdlib.h>

static int compare_group(const void *a, const void *b)
{
	const SearchMatch *x = a, *y = b;
	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (x->order != y->order)
		return x->order > y->order ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

/* The lowest order of a group comes first. */
static int compare_group_up(const void *a, const void *b)
{
	const SearchMatch *x = a, *y = b;
	if (x->group == y->group && x->order != y->order)
		return x->order < y->order ? -1 : 1;
	return compare_group(a, b);
}

/* If every entry is shown, a group is one entry with one document. */
static bool same_group(const SearchMatch *a, const SearchMatch *b, bool collapse)
{
	return a->group == b->group &&
	       (collapse || (a->document == b->document && a->node == b->node));
}

GArray *search_groups(GArray *matches, guint single, bool collapse, bool lowest)
{
	GArray *groups = g_array_sized_new(FALSE, FALSE, sizeof(SearchGroup), matches->len);
	SearchMatch *all = (SearchMatch *)(void *)matches->data;
	if (matches->len > single)
		qsort(all + single, matches->len - single, sizeof *all,
		        lowest ? compare_group_up : compare_group);
	const SearchMatch *previous = NULL;
	for (guint i = 0; i < matches->len; i++) {
		const SearchMatch *match = &all[i];
		if (i > single && same_group(previous, match, collapse)) {
			g_array_index(groups, SearchGroup, groups->len - 1).count++;
			continue;
		}
		SearchGroup group = {match->order, match->group, i, 1, false};
		g_array_append_val(groups, group);
		previous = match;
	}
	return groups;
}

/* At equal order, newer documents come first. */
static bool search_before(const SearchHeap *heap, const SearchGroup *a, const SearchGroup *b)
{
	if (a->order != b->order)
		return heap->ascending ? a->order < b->order : a->order > b->order;
	return a->group != b->group ? a->group > b->group : a->first < b->first;
}

static void search_sift(SearchHeap *heap, guint at)
{
	SearchGroup *groups = (SearchGroup *)(void *)heap->groups->data;
	SearchGroup moving = groups[at];
	for (guint child; (child = 2 * at + 1) < heap->groups->len; at = child) {
		if (child + 1 < heap->groups->len &&
		        search_before(heap, &groups[child + 1], &groups[child]))
			child++;
		if (!search_before(heap, &groups[child], &moving))
			break;
		groups[at] = groups[child];
	}
	groups[at] = moving;
}

void search_heap_make(SearchHeap *heap)
{
	for (guint i = heap->groups->len / 2; i > 0; i--)
		search_sift(heap, i - 1);
}

bool search_heap_take(SearchHeap *heap, SearchGroup *out)
{
	guint n = heap->groups->len;
	if (n == 0)
		return false;
	*out = g_array_index(heap->groups, SearchGroup, 0);
	g_array_index(heap->groups, SearchGroup, 0) =
	        g_array_index(heap->groups, SearchGroup, n - 1);
	g_array_set_size(heap->groups, n - 1);
	if (n > 1)
		search_sift(heap, 0);
	return true;
}

void search_heap_put(SearchHeap *heap, const SearchGroup *group)
{
	g_array_append_val(heap->groups, *group);
	SearchGroup *groups = (SearchGroup *)(void *)heap->groups->data;
	guint at = heap->groups->len - 1;
	for (guint above; at > 0; at = above) {
		above = (at - 1) / 2;
		if (!search_before(heap, group, &groups[above]))
			break;
		groups[at] = groups[above];
	}
	groups[at] = *group;
}
