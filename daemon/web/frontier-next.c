/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier-next.c - requests that are handed out */
#include <config.h>
#include "daemon/web/frontier-private.h"

void frontier_request_clear(FrontierRequest *request)
{
	g_clear_pointer(&request->path, g_free);
	g_clear_pointer(&request->etag, g_free);
	g_clear_pointer(&request->modified, g_free);
}

/* Notes the request in the row of the host, closed for as long as after a quick answer. */
static bool begin_request(
        Frontier *f, FrontierHost *h, const WebTime *now, int64_t hash, GError **error)
{
	h->reserved = false;
	h->row.has_asked = true;
	h->row.asked = hash;
	h->row.asked_ms = now->wall_ms;
	polite_gate_close(&h->gate, now, politeness_gap_ms(h->row.delay_ms, 0, h->row.backoff));
	polite_gate_close(&h->server->gate, now, politeness_gap_ms(0, 0, 0));
	h->server->asking = h;
	return frontier_write_host(f, h, error);
}

static bool take_robots(
        Frontier *f, FrontierHost *h, const WebTime *now, GArray *requests, GError **error)
{
	FrontierRequest request = {.host = h->number, .origin = h->row.name, .is_robots = true};
	if (!begin_request(f, h, now, FRONTIER_ROBOTS_HASH, error))
		return false;
	request.path = g_strdup("/robots.txt");
	g_array_append_val(requests, request);
	return true;
}

/* Asks for a page that cannot exist. */
static bool take_probe(Frontier *f, FrontierHost *h, FrontierSource *s, const WebTime *now,
        GArray *requests, GError **error)
{
	FrontierRequest request = {.host = h->number, .origin = h->row.name, .is_probe = true};
	if (!frontier_begin_probe(f, h, s, now, &request.path, error))
		return false;
	if (!request.path)
		return true;
	g_array_append_val(requests, request);
	return begin_request(f, h, now, FRONTIER_PROBE_HASH, error);
}

/* Takes the URL out of the queue, and asks it if its row still wants that. */
static bool take_url(Frontier *f, FrontierHost *h, int place, const WebTime *now, GArray *requests,
        GError **error)
{
	g_auto(WebUrlRow) url = {0};
	const WebNext next = g_array_index(h->queue, WebNext, place);
	bool may, alias;
	g_array_remove_index(h->queue, place);
	int found = writer_web_get_url(f->w, h->row.id, next.hash, &url, error);
	if (found <= 0 || url.is_over)
		return found >= 0;
	if (!frontier_may_ask(f, h, &url, &may, error))
		return false;
	if (!may)
		return frontier_hold(f, h, &url, error);
	if (!frontier_turn_alias(f, h, now, &url, &alias, error))
		return false;
	if (alias)
		return true;
	if (url.kind == WEB_FEED)
		h->row.feed_ms = now->wall_ms;
	if (!begin_request(f, h, now, next.hash, error))
		return false;
	const FrontierRequest request = {.host = h->number,
	        .origin = h->row.name,
	        .kind = url.kind,
	        .depth = url.depth,
	        .path = g_steal_pointer(&url.path),
	        .etag = g_steal_pointer(&url.visit.etag),
	        .modified = g_steal_pointer(&url.visit.modified)};
	g_array_append_val(requests, request);
	return true;
}

/* One step with a host that may be asked: reads its queue, or takes one URL of it. */
static bool step_host(
        Frontier *f, FrontierHost *h, const WebTime *now, GArray *requests, GError **error)
{
	int64_t moment;
	FrontierSource *probed;
	if (!frontier_fill_queue(f, h, now, error))
		return false;
	int place = frontier_pick(h, now, &moment);
	if ((place >= 0 || h->has_held) && frontier_needs_robots(h, now))
		return take_robots(f, h, now, requests, error);
	if (place < 0 || h->row.robots == WEB_ROBOTS_UNREACHABLE)
		return true;
	if (!frontier_find_probe(f, h, now, &probed, error))
		return false;
	if (probed)
		return take_probe(f, h, probed, now, requests, error);
	return take_url(f, h, place, now, requests, error);
}

/* A source that is full may have any number of URLs to drop: the writer has other work too. */
bool frontier_next(Frontier *f, const WebTime *now, unsigned n, GArray *requests, GError **error)
{
	enum { MOST_DROPS = 256 };
	const HeapNode *first;
	frontier_follow_clock(f, now);
	guint most = requests->len + n;
	for (uint64_t steps = 0;
	        steps < (uint64_t)n + MOST_DROPS && requests->len < most &&
	        (first = web_heap_first(&f->ready)) && first->at <= now->monotonic_ms;
	        steps++) {
		FrontierServer *s = (FrontierServer *)first;
		FrontierHost *h = (FrontierHost *)web_heap_first(&s->hosts);
		if (!step_host(f, h, now, requests, error))
			return false;
		frontier_order_host(f, h, now);
	}
	return frontier_commit(f, error);
}
