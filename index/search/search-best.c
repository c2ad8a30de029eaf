/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-best.c - the best matches, without memory for all others
 *
 * A common word is in most of a million documents, and a page shows twenty. The kernel clears each
 * page of memory that a list of all matches takes, which is a third of the time of such a search.
 * So a list that has grown to twice of what can be needed is divided by quickselect (Hoare,
 * "Algorithm 65: Find", 1961), and the worse half is only counted. If hits that may not be shown
 * use up what is left, the whole search runs again without this. */
#include <config.h>
#include "index/search/search-private.h"

/* As many as are checked with -c, and those whose order changes later. */
guint search_best_spare = SEARCH_COUNT_CHECKS + 2000;

/* As search-order.c orders groups. */
static bool best_is_before(const SearchMatch *a, const SearchMatch *b)
{
	return a->order != b->order ? a->order > b->order : a->group > b->group;
}

static void best_swap(SearchMatch *a, SearchMatch *b)
{
	SearchMatch other = *a;
	*a = *b;
	*b = other;
}

/* Moves the median of three to the first place. */
static void best_choose_pivot(SearchMatch *list, guint n)
{
	SearchMatch *a = &list[1], *b = &list[n / 2], *c = &list[n - 1];
	if (best_is_before(b, a))
		best_swap(a, b);
	if (best_is_before(c, b))
		best_swap(b, c);
	if (best_is_before(b, a))
		best_swap(a, b);
	best_swap(&list[0], b);
}

/* Returns where the pivot stands once all before it come before it. n >= 3. */
static guint best_divide(SearchMatch *list, guint n)
{
	guint left = 0, right = n;
	best_choose_pivot(list, n);
	for (;;) {
		while (++left < n && best_is_before(&list[left], &list[0]))
			;
		while (--right > 0 && best_is_before(&list[0], &list[right]))
			;
		if (left >= right)
			break;
		best_swap(&list[left], &list[right]);
	}
	best_swap(&list[0], &list[right]);
	return right;
}

/* Moves the most best matches to the front. */
static void best_select(SearchMatch *list, guint n, guint most)
{
	while (n >= 3 && most > 0 && most < n) {
		guint at = best_divide(list, n);
		if (at >= most) {
			n = at;
			continue;
		}
		list += at + 1;
		n -= at + 1;
		most -= at + 1;
	}
	if (n == 2 && most == 1 && best_is_before(&list[1], &list[0]))
		best_swap(&list[0], &list[1]);
}

void search_keep_best(const Search *s, Matches *m)
{
	uint64_t most = (uint64_t)s->options->offset + s->options->limit + search_best_spare;
	if (m->list->len < 2 * most)
		return;
	best_select((SearchMatch *)(void *)m->list->data, m->list->len, (guint)most);
	m->least += m->list->len - (guint)most;
	m->unasked += m->list->len - (guint)most;
	g_array_set_size(m->list, (guint)most);
}
