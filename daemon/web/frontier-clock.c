/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier-clock.c - visits that were planned by a clock that was set back since
 *
 * A URL is never asked later than after the wait that led to its moment: a visit that lies in the
 * future of the clock, or a failure whose wait would end later than one that begins now, was noted
 * before the clock was set back, and its wait begins anew. A clock that was set forward only makes
 * visits due, which politeness spreads (politeness.h). */
#include <config.h>
#include "daemon/web/frontier-private.h"

enum { CLOCK_SLICE = 256 };

/* The wait that led to the moment of the URL, as far as it is known; -1: it is not. */
static int64_t planned_wait_s(const WebUrlRow *url, int64_t now_s)
{
	int64_t wait;
	if (url->visit.failures > 0 &&
	        schedule_fate(url->status, url->visit.failures - 1, &wait) == SCHEDULE_LATER)
		return wait;
	if (url->visit.visited_s > now_s)
		return CLAMP(url->due_s - url->visit.visited_s, 0, SCHEDULE_MOST_S);
	return -1;
}

static bool plan_url_again(Frontier *f, WebUrlRow *url, const WebTime *now, GError **error)
{
	int64_t now_s = web_seconds_up(now), wait_s = planned_wait_s(url, now_s);
	if (url->is_over || wait_s < 0 || url->due_s <= now_s + wait_s)
		return true;
	url->due_s = now_s + wait_s;
	url->visit.visited_s = MIN(url->visit.visited_s, now_s);
	return writer_web_set_url(f->w, url, error);
}

bool frontier_plan_again(Frontier *f, FrontierHost *h, const WebTime *now, GError **error)
{
	int64_t last = INT64_MIN;
	guint n;
	do {
		g_autoptr(GArray) urls = g_array_new(FALSE, FALSE, sizeof(WebUrlRow));
		g_array_set_clear_func(urls, (GDestroyNotify)web_url_row_clear);
		if (!writer_web_urls_after(f->w, h->row.id, last, CLOCK_SLICE, urls, error))
			return false;
		n = urls->len;
		for (guint i = 0; i < n; i++) {
			WebUrlRow *url = &g_array_index(urls, WebUrlRow, i);
			last = url->hash;
			if (!plan_url_again(f, url, now, error))
				return false;
		}
	} while (n == CLOCK_SLICE);
	h->set_back = false;
	return true;
}
