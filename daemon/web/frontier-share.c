/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier-share.c - hosts that several crawlers share: one of them asks a host at a time, and each
 * knows all its URLs */
#include <config.h>
#include "daemon/web/frontier-private.h"

void frontier_close_host(Frontier *f, const WebTime *now, const char *origin, bool closed)
{
	FrontierHost *h = frontier_find_host(f, origin);
	if (!h || h->closed == closed)
		return;
	h->closed = closed;
	frontier_order_host(f, h, now);
}

bool frontier_host_state(
        const Frontier *f, const WebTime *now, const char *origin, FrontierHostState *state)
{
	const FrontierHost *h = frontier_find_host(f, origin);
	*state = (FrontierHostState){0};
	if (!h)
		return false;
	*state = (FrontierHostState){
	        .asking = h->row.has_asked,
	        .left_ms = MAX(polite_gate_left_ms(&h->gate, now),
	                polite_gate_left_ms(&h->server->gate, now)),
	        .gap_ms = politeness_gap_ms(h->row.delay_ms, 0, h->row.backoff),
	        .backoff = h->row.backoff,
	};
	return true;
}

bool frontier_take_over(
        Frontier *f, const WebTime *now, const char *origin, unsigned backoff, GError **error)
{
	FrontierHost *h = frontier_find_host(f, origin);
	if (!h)
		return true;
	h->row.backoff = MIN(backoff, POLITE_BACKOFF_MOST);
	h->row.feed_ms = now->wall_ms;
	return frontier_write_host(f, h, error);
}

void frontier_tell_found(Frontier *f, FrontierFoundFunc func, void *data)
{
	f->found = func;
	f->found_data = data;
}

int frontier_get_url(Frontier *f, const char *origin, int64_t hash, WebUrlRow *row, GError **error)
{
	const FrontierHost *h = frontier_find_host(f, origin);
	return h ? writer_web_get_url(f->w, h->row.id, hash, row, error) : 0;
}

bool frontier_urls_after(
        Frontier *f, const char *origin, int64_t hash, unsigned n, GArray *urls, GError **error)
{
	const FrontierHost *h = frontier_find_host(f, origin);
	return !h || writer_web_urls_after(f->w, h->row.id, hash, n, urls, error);
}

/* ---- what others know */

static bool share_count(Frontier *f, FrontierSource *s, bool url, bool page, GError **error)
{
	s->row.urls += url;
	s->row.pages += page;
	return (!url && !page) || writer_web_count_source(f->w, &s->row, error);
}

static bool share_add_answered(Frontier *f, const FrontierHost *h, FrontierSource *s,
        const WebUrlRow *told, GError **error)
{
	WebUrlRow row = *told;
	bool added;
	row.host = h->row.id;
	row.visit.interval = row.visit.weight = 0;
	row.visit.etag = row.visit.modified = NULL;
	return writer_web_add_url(f->w, &row, &added, error) &&
	       writer_web_set_url(f->w, &row, error) && share_count(f, s, added, added, error);
}

/* A URL that is held, or an alias, stays so: that is judged by rules that are known here. */
static bool share_renew(Frontier *f, FrontierHost *h, FrontierSource *s, const WebUrlRow *told,
        WebUrlRow *known, GError **error)
{
	bool first = known->status == 0;
	if (!first && known->status < 100)
		return true;
	web_visit_clear(&known->visit);
	known->status = told->status;
	known->due_s = told->due_s;
	known->priority = told->priority;
	known->visit.visited_s = told->visit.visited_s;
	known->visit.changes = told->visit.changes;
	known->visit.seconds = told->visit.seconds;
	known->visit.failures = told->visit.failures;
	known->is_over = told->is_over;
	if (told->is_over)
		frontier_end_visits(h, known);
	return writer_web_set_url(f->w, known, error) && share_count(f, s, false, first, error);
}

static bool share_answered(Frontier *f, FrontierHost *h, FrontierSource *s, const WebUrlRow *told,
        bool newer, GError **error)
{
	g_auto(WebUrlRow) known = {0};
	int found = writer_web_get_url(f->w, h->row.id, told->hash, &known, error);
	if (found < 0)
		return false;
	if (found == 0)
		return share_add_answered(f, h, s, told, error);
	bool counts =
	        (newer || known.status == 0) && !(h->row.has_asked && h->row.asked == told->hash);
	return !counts || share_renew(f, h, s, told, &known, error);
}

bool frontier_take_url(Frontier *f, const WebTime *now, const char *origin, const WebUrlRow *row,
        bool newer, GError **error)
{
	FrontierHost *h = frontier_find_host(f, origin);
	FrontierSource *s = h ? frontier_source_of(h, row->kind, row->path) : NULL;
	const WebFound found = {
	        .origin = origin, .path = row->path, .kind = row->kind, .depth = row->depth};
	if (!s)
		return true;
	if (row->status == 0)
		return frontier_add_told(f, now, &found, row, error);
	if (!share_answered(f, h, s, row, newer, error))
		return false;
	frontier_reset_queue(h);
	if (!h->row.has_asked)
		frontier_order_host(f, h, now);
	return true;
}
