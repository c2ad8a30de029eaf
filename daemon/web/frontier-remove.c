/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier-remove.c - sources that somebody removed, and hosts that have none left
 *
 * The row of a host stays for as long as somebody who adds its source again would ask it too early.
 * A request that is being made is answered as usual, and finds no URL. */
#include <config.h>
#include "daemon/web/frontier-private.h"
#include <string.h>

static void count_visit(float weight, void *data)
{
	WebPlanRow *plan = data;
	plan->sources++;
	plan->weight += weight;
}

/* The sums in the plan of the host have changed by more than one URL. */
static bool sum_plan(Frontier *f, FrontierHost *h, GError **error)
{
	h->row.plan.sources = 0;
	h->row.plan.weight = 0;
	return writer_web_each_visit(f->w, h->row.id, count_visit, &h->row.plan, error);
}

static FrontierSource *unlink_source(FrontierHost *h, FrontierSource *s)
{
	FrontierSource **place = &h->sources;
	while (*place != s)
		place = &(*place)->next;
	*place = s->next;
	if (h->probed == s)
		h->probed = NULL;
	return s;
}

/* The URLs that lie below another source of the host belong to that one now. */
static bool give_urls(Frontier *f, FrontierHost *h, const WebSourceRow *row, GError **error)
{
	FrontierSource *outer = frontier_source_of(h, WEB_PAGE, row->prefix);
	if (!outer)
		return true;
	outer->row.urls += row->urls;
	outer->row.pages += row->pages;
	outer->row.bytes += row->bytes;
	outer->walk_due = true; /* aliases by rules of the other source */
	return writer_web_count_source(f->w, &outer->row, error);
}

static bool is_host_closed(const FrontierHost *h, const WebTime *now, bool starting)
{
	int64_t feeds_ms = h->row.feed_ms + POLITE_FEED_MS - now->wall_ms;
	if (feeds_ms > 0 && feeds_ms <= POLITE_FEED_MS)
		return true;
	if (starting)
		return h->row.next_ms > now->wall_ms || h->row.server_ms > now->wall_ms;
	return polite_gate_left_ms(&h->gate, now) > 0 ||
	       polite_gate_left_ms(&h->server->gate, now) > 0;
}

bool frontier_forget_host(
        Frontier *f, FrontierHost *h, const WebTime *now, bool starting, GError **error)
{
	if (h->sources || h->row.id == 0)
		return true;
	if (!writer_web_drop_branches(f->w, h->row.id, error))
		return false;
	if (h->row.has_asked || is_host_closed(h, now, starting))
		return frontier_write_host(f, h, error);
	if (!writer_web_drop_host(f->w, h->row.id, error))
		return false;
	frontier_drop_rules(f, h);
	h->row.id = 0;
	h->row.robots = WEB_ROBOTS_UNKNOWN;
	return true;
}

bool frontier_forget_url(
        Frontier *f, const char *origin, const char *path, WebKind kind, GError **error)
{
	FrontierHost *h = frontier_find_host(f, origin);
	if (!h || h->row.id == 0)
		return true;
	frontier_reset_queue(h);
	return writer_web_forget_url(f->w, h->row.id, web_hash(path, strlen(path)), kind, error) &&
	       sum_plan(f, h, error);
}

bool frontier_forget_items(Frontier *f, const char *origin, const char *prefix, GError **error)
{
	FrontierHost *h = frontier_find_host(f, origin);
	if (!h || h->row.id == 0)
		return true;
	frontier_reset_queue(h);
	return writer_web_forget_items(f->w, h->row.id, prefix, error);
}

bool frontier_remove_source(
        Frontier *f, const WebTime *now, const char *origin, const char *prefix, GError **error)
{
	FrontierHost *h = frontier_find_host(f, origin);
	FrontierSource *s = h ? frontier_find_source(h, prefix) : NULL;
	if (!s)
		return true;
	unlink_source(h, s);
	bool ok = writer_web_drop_source(f->w, h->row.id, s->row.id, error) &&
	          give_urls(f, h, &s->row, error) && sum_plan(f, h, error);
	frontier_source_free(s);
	frontier_reset_queue(h);
	h->has_more = h->sources != NULL;
	h->has_held = h->held_read = false;
	frontier_order_host(f, h, now);
	return ok && frontier_forget_host(f, h, now, false, error) &&
	       frontier_write_host(f, h, error);
}
