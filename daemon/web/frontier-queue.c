/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier-queue.c - the part of a back queue that is in memory */
#include <config.h>
#include "daemon/web/frontier-private.h"

/* URLs that were due when the queue was read are in the order of their priority. */
static int compare_next(const WebNext *a, const WebNext *b, int64_t queued_s)
{
	int64_t a_s = MAX(a->due_s, queued_s), b_s = MAX(b->due_s, queued_s);
	if (a_s != b_s)
		return a_s < b_s ? -1 : 1;
	if (a->priority != b->priority)
		return a->priority > b->priority ? -1 : 1;
	return a->due_s < b->due_s ? -1 : a->due_s > b->due_s;
}

/* Puts the URL where it belongs. *last_r: all others come before it. */
static void back_queue_insert(FrontierHost *h, const WebNext *next, bool *last_r)
{
	guint place = h->queue->len;
	while (place > 0 &&
	        compare_next(next, &g_array_index(h->queue, WebNext, place - 1), h->queued_s) < 0)
		place--;
	*last_r = place == h->queue->len;
	g_array_insert_val(h->queue, place, *next);
}

/* ---- reading it */

typedef struct {
	Frontier *f;
	FrontierHost *h;
	GHashTable *yields; /* for frontier_focus_rank() */
} FocusedFill;

static bool fill_with_judged(WebNext *next, const char *path, void *data, GError **error)
{
	const FocusedFill *fill = data;
	bool last;
	if (!frontier_focus_rank(fill->f, fill->h, next, path, fill->yields, error))
		return false;
	back_queue_insert(fill->h, next, &last);
	if (fill->h->queue->len > FRONTIER_QUEUE)
		g_array_set_size(fill->h->queue, FRONTIER_QUEUE);
	return true;
}

/* The yield of siblings is in no row of a URL: the rows of all are judged, and the first kept. */
static bool back_queue_judge(Frontier *f, FrontierHost *h, GError **error)
{
	g_autoptr(GHashTable) yields =
	        g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	FocusedFill fill = {f, h, yields};
	return writer_web_each_next(
	        f->w, h->row.id, h->queued_s + 2 * SCHEDULE_MOST_S, fill_with_judged, &fill, error);
}

static bool back_queue_read(Frontier *f, FrontierHost *h, GError **error)
{
	if (frontier_is_focused(h))
		return back_queue_judge(f, h, error);
	return writer_web_next(f->w, h->row.id, h->queued_s, h->queued_s + 2 * SCHEDULE_MOST_S,
	        FRONTIER_QUEUE, h->queue, error);
}

bool frontier_fill_queue(Frontier *f, FrontierHost *h, const WebTime *now, GError **error)
{
	if (!h->queue)
		h->queue = g_array_sized_new(FALSE, FALSE, sizeof(WebNext), FRONTIER_QUEUE);
	if (!h->has_more || h->queue->len > 0)
		return true;
	if (h->set_back && !frontier_plan_again(f, h, now, error))
		return false;
	h->queued_s = web_seconds(now);
	if (!back_queue_read(f, h, error))
		return false;
	h->has_more = h->queue->len == FRONTIER_QUEUE;
	if (h->held_read)
		return true;
	h->held_read = writer_web_has_held(f->w, h->row.id, &h->has_held, error);
	return h->held_read;
}

/* ---- the rest */

void frontier_reset_queue(FrontierHost *h)
{
	if (h->queue)
		g_array_set_size(h->queue, 0);
	h->has_more = true;
}

/* Takes the URL out of the queue if its priority there is lower. Returns whether it stays. */
static bool stays_in_queue(FrontierHost *h, const WebNext *next)
{
	for (guint i = 0; i < h->queue->len; i++) {
		const WebNext *known = &g_array_index(h->queue, WebNext, i);
		if (known->hash != next->hash)
			continue;
		if (known->priority >= next->priority)
			return true;
		g_array_remove_index(h->queue, i);
		return false;
	}
	return false;
}

/* An empty queue with rows after it is read again; one without may take anything. */
void frontier_offer(FrontierHost *h, const WebNext *next)
{
	if (!h->queue || (h->queue->len == 0 && h->has_more)) {
		h->has_more = true;
		return;
	}
	if (stays_in_queue(h, next))
		return;
	bool last, full = h->queue->len == FRONTIER_QUEUE;
	back_queue_insert(h, next, &last);
	if (last ? h->has_more || full : full) {
		g_array_set_size(h->queue, h->queue->len - 1);
		h->has_more = true;
	}
}

/* Feeds of a host lie a minute apart. */
static int64_t next_moment_ms(const FrontierHost *h, const WebNext *next, const WebTime *now)
{
	int64_t moment = next->due_s * 1000;
	int64_t feeds = h->row.feed_ms + POLITE_FEED_MS;
	if (next->kind == WEB_FEED && feeds <= now->wall_ms + POLITE_FEED_MS)
		moment = MAX(moment, feeds);
	return moment;
}

int frontier_pick(const FrontierHost *h, const WebTime *now, int64_t *moment_r)
{
	*moment_r = INT64_MAX;
	for (guint i = 0; i < h->queue->len; i++) {
		const WebNext *next = &g_array_index(h->queue, WebNext, i);
		int64_t moment = next_moment_ms(h, next, now);
		if (moment <= now->wall_ms)
			return (int)i;
		*moment_r = MIN(*moment_r, moment);
	}
	return -1;
}
