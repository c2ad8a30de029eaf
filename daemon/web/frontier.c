/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/web/frontier-private.h"
#include "daemon/web/traps.h"
#include <string.h>

/* ---- hosts and addresses */

FrontierHost *frontier_find_host(const Frontier *f, const char *origin)
{
	return g_hash_table_lookup(f->by_name, origin);
}

static FrontierServer *new_server(Frontier *f, GBytes *address)
{
	FrontierServer *s = g_new0(FrontierServer, 1);
	s->node.order = f->n_servers++;
	s->address = address;
	return s;
}

static FrontierServer *server_of(Frontier *f, const WebHostRow *row)
{
	if (row->address_length == 0)
		return new_server(f, NULL);
	g_autoptr(GBytes) address = g_bytes_new(row->address, row->address_length);
	FrontierServer *s = g_hash_table_lookup(f->servers, address);
	if (!s) {
		s = new_server(f, g_bytes_ref(address));
		g_hash_table_insert(f->servers, s->address, s);
	}
	return s;
}

static void server_free(FrontierServer *s)
{
	web_heap_clear(&s->hosts);
	g_clear_pointer(&s->address, g_bytes_unref);
	g_free(s);
}

static void order_server(Frontier *f, FrontierServer *s)
{
	const HeapNode *first = web_heap_first(&s->hosts);
	if (!first || s->asking)
		web_heap_remove(&f->ready, &s->node);
	else
		web_heap_put(&f->ready, &s->node, MAX(first->at, s->gate.monotonic_ms));
}

/* A known address stays, with its gate, when its last host moves away. */
static void leave_server(Frontier *f, FrontierHost *h)
{
	FrontierServer *s = h->server;
	if (!s)
		return;
	web_heap_remove(&s->hosts, &h->node);
	if (s->asking == h)
		s->asking = NULL;
	h->server = NULL;
	if (s->address) {
		order_server(f, s);
		return;
	}
	web_heap_remove(&f->ready, &s->node);
	server_free(s);
}

void frontier_place_host(Frontier *f, FrontierHost *h, const WebTime *now)
{
	PoliteGate gate = h->server ? h->server->gate
	                            : gate_restore(h->row.server_ms, h->row.server_wait_ms, now);
	leave_server(f, h);
	h->server = server_of(f, &h->row);
	gate_close(&h->server->gate, now, gate_left_ms(&gate, now));
	if (h->row.has_asked && !h->server->asking)
		h->server->asking = h;
}

FrontierHost *frontier_new_host(Frontier *f, const WebHostRow *row, const WebTime *now)
{
	FrontierHost *h = g_new0(FrontierHost, 1);
	h->row = *row;
	h->row.name = g_strdup(row->name);
	h->gate = gate_restore(row->next_ms, row->wait_ms, now);
	h->has_more = true;
	h->number = h->node.order = f->hosts->len;
	g_ptr_array_add(f->hosts, h);
	g_hash_table_insert(f->by_name, h->row.name, h);
	frontier_place_host(f, h, now);
	return h;
}

static void host_free(Frontier *f, FrontierHost *h)
{
	leave_server(f, h);
	for (FrontierSource *s = h->sources; s;) {
		FrontierSource *next = s->next;
		g_free(s->row.prefix);
		g_free(s);
		s = next;
	}
	if (h->queue)
		g_array_unref(h->queue);
	g_free(h->row.name);
	g_free(h);
}

bool frontier_write_host(Frontier *f, FrontierHost *h, GError **error)
{
	h->row.next_ms = h->gate.next_ms;
	h->row.wait_ms = h->gate.wait_ms;
	h->row.server_ms = h->server->gate.next_ms;
	h->row.server_wait_ms = h->server->gate.wait_ms;
	return writer_web_set_host(f->w, &h->row, error);
}

FrontierSource *frontier_source_of(const FrontierHost *h, const char *path)
{
	for (FrontierSource *s = h->sources; s; s = s->next)
		if (g_str_has_prefix(path, s->row.prefix))
			return s;
	return NULL;
}

void frontier_add_source_row(Frontier *f, FrontierHost *h, const WebSourceRow *row)
{
	FrontierSource **place = &h->sources;
	size_t length = strlen(row->prefix);
	while (*place && strlen((*place)->row.prefix) > length)
		place = &(*place)->next;
	FrontierSource *s = g_new0(FrontierSource, 1);
	s->row = *row;
	s->row.prefix = g_strdup(row->prefix);
	s->next = *place;
	*place = s;
}

/* ---- the heaps, in monotonic time */

static int64_t wall_to_monotonic(int64_t wall_ms, const WebTime *now)
{
	return wall_ms - now->wall_ms + now->monotonic_ms;
}

/* A moment further away than robots.txt is ever kept comes from a clock that was wrong. */
static bool needs_robots(const FrontierHost *h, const WebTime *now)
{
	return h->row.robots == WEB_ROBOTS_UNKNOWN || h->row.robots_s <= web_seconds(now) ||
	       h->row.robots_s > web_seconds(now) + 2 * POLITE_ROBOTS_S;
}

/* The monotonic moment when the host may be asked something, or INT64_MAX. */
static int64_t host_moment(const FrontierHost *h, const WebTime *now)
{
	int64_t open = h->gate.monotonic_ms, moment;
	bool any = h->queue && h->queue->len > 0;
	if (h->row.has_asked || (!any && !h->has_more))
		return INT64_MAX;
	if (needs_robots(h, now) || !any)
		return open;
	if (h->row.robots == WEB_ROBOTS_UNREACHABLE)
		return MAX(open, wall_to_monotonic(h->row.robots_s * 1000, now));
	if (frontier_pick(h, now, &moment) >= 0)
		return open;
	return MAX(open, wall_to_monotonic(moment, now));
}

void frontier_order_host(Frontier *f, FrontierHost *h, const WebTime *now)
{
	int64_t moment = host_moment(h, now);
	if (moment == INT64_MAX)
		web_heap_remove(&h->server->hosts, &h->node);
	else
		web_heap_put(&h->server->hosts, &h->node, moment);
	order_server(f, h->server);
}

static void order_all(Frontier *f, const WebTime *now)
{
	f->clock_ms = now->wall_ms - now->monotonic_ms;
	for (guint i = 0; i < f->hosts->len; i++)
		frontier_order_host(f, f->hosts->pdata[i], now);
}

/* When the wall clock was set, the moments of URLs lie elsewhere in monotonic time. */
static void follow_clock(Frontier *f, const WebTime *now)
{
	enum { TOLERANCE_MS = 1000 };
	if (ABS(now->wall_ms - now->monotonic_ms - f->clock_ms) > TOLERANCE_MS)
		order_all(f, now);
}

/* ---- opening */

typedef struct {
	Frontier *f;
	const WebTime *now;
} Loading;

static void load_host(const WebHostRow *row, void *data)
{
	Loading *l = data;
	frontier_new_host(l->f, row, l->now);
}

static int compare_id(gconstpointer id, gconstpointer host)
{
	int64_t a = *(const int64_t *)id, b = (*(FrontierHost *const *)host)->row.id;
	return a < b ? -1 : a > b;
}

/* Hosts were loaded in the order of their ids. */
static void load_source(const WebSourceRow *row, void *data)
{
	Loading *l = data;
	guint low = 0, high = l->f->hosts->len;
	while (low < high) {
		guint middle = (low + high) / 2;
		if (compare_id(&row->host, &l->f->hosts->pdata[middle]) <= 0)
			high = middle;
		else
			low = middle + 1;
	}
	if (low < l->f->hosts->len && compare_id(&row->host, &l->f->hosts->pdata[low]) == 0)
		frontier_add_source_row(l->f, l->f->hosts->pdata[low], row);
}

static bool forget_url(Frontier *f, FrontierHost *h, const WebTime *now, GError **error)
{
	g_auto(WebUrlRow) url = {0};
	int found = writer_web_get_url(f->w, h->row.id, h->row.asked, &url, error);
	if (found <= 0)
		return found == 0;
	url.due_s = MAX(url.due_s, web_seconds_up(now) + SCHEDULE_RETRY_S);
	return writer_web_set_url(f->w, &url, error);
}

/* The request that was being made when the process died. */
static bool forget_request(Frontier *f, FrontierHost *h, const WebTime *now, GError **error)
{
	const WebHostRow *row = &h->row;
	int64_t lost = politeness_lost_ms(row->asked_ms, now->wall_ms, row->delay_ms, row->backoff);
	gate_close(&h->gate, now, lost);
	gate_close(&h->server->gate, now, politeness_lost_ms(row->asked_ms, now->wall_ms, 0, 0));
	if (row->asked == FRONTIER_ROBOTS_HASH) {
		h->row.robots = WEB_ROBOTS_UNREACHABLE;
		h->row.robots_s = web_seconds_up(now) + POLITE_ROBOTS_RETRY_S;
	} else if (!forget_url(f, h, now, error)) {
		return false;
	}
	h->row.has_asked = false;
	h->server->asking = NULL;
	return frontier_write_host(f, h, error);
}

static bool load(Frontier *f, const WebTime *now, GError **error)
{
	Loading loading = {f, now};
	if (!writer_web_each_host(f->w, load_host, &loading, error) ||
	        !writer_web_each_source(f->w, load_source, &loading, error))
		return false;
	for (guint i = 0; i < f->hosts->len; i++) {
		FrontierHost *h = f->hosts->pdata[i];
		if (h->row.has_asked && !forget_request(f, h, now, error))
			return false;
	}
	order_all(f, now);
	return frontier_commit(f, error);
}

Frontier *frontier_open(Writer *w, const WebTime *now, bool durably, GError **error)
{
	g_autoptr(Frontier) f = g_new0(Frontier, 1);
	f->w = w;
	f->durably = durably;
	f->hosts = g_ptr_array_new();
	f->by_name = g_hash_table_new(g_str_hash, g_str_equal);
	f->servers = g_hash_table_new(g_bytes_hash, g_bytes_equal);
	return load(f, now, error) ? g_steal_pointer(&f) : NULL;
}

void frontier_free(Frontier *f)
{
	GHashTableIter iter;
	void *server;
	if (!f)
		return;
	for (guint i = 0; i < f->hosts->len; i++)
		host_free(f, f->hosts->pdata[i]);
	g_hash_table_iter_init(&iter, f->servers);
	while (g_hash_table_iter_next(&iter, NULL, &server))
		server_free(server);
	web_heap_clear(&f->ready);
	g_ptr_array_unref(f->hosts);
	g_hash_table_unref(f->by_name);
	g_hash_table_unref(f->servers);
	g_free(f);
}

bool frontier_commit(Frontier *f, GError **error)
{
	return f->durably ? writer_commit_durably(f->w, error) : writer_commit(f->w, error);
}

/* ---- handing out */

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
	h->row.has_asked = true;
	h->row.asked = hash;
	h->row.asked_ms = now->wall_ms;
	gate_close(&h->gate, now, politeness_gap_ms(h->row.delay_ms, 0, h->row.backoff));
	gate_close(&h->server->gate, now, politeness_gap_ms(0, 0, 0));
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

/* A URL that was never answered is dropped when its source is full or its branch a trap. */
static bool may_ask(
        Frontier *f, const FrontierHost *h, const WebUrlRow *url, bool *may_r, GError **error)
{
	const FrontierSource *s = frontier_source_of(h, url->path);
	bool trap = false;
	*may_r = s != NULL;
	if (!s || url->status != 0)
		return true;
	if (s->row.pages >= s->row.pages_most || s->row.bytes >= s->row.bytes_most)
		*may_r = false;
	else if (url->kind == WEB_PAGE && !frontier_is_trap(f, h, url->path, &trap, error))
		return false;
	*may_r &= !trap;
	return true;
}

bool frontier_is_trap(
        Frontier *f, const FrontierHost *h, const char *path, bool *trap_r, GError **error)
{
	g_autofree char *shape = trap_shape(path);
	unsigned pages, poor;
	if (!writer_web_branch(
	            f->w, h->row.id, web_hash(shape, strlen(shape)), &pages, &poor, error))
		return false;
	*trap_r = trap_is_sunk(pages, poor);
	return true;
}

static bool drop_url(Frontier *f, WebUrlRow *url, GError **error)
{
	url->is_over = true;
	return writer_web_set_url(f->w, url, error);
}

/* Takes the URL out of the queue, and asks it if its row still wants that. */
static bool take_url(Frontier *f, FrontierHost *h, int place, const WebTime *now, GArray *requests,
        GError **error)
{
	g_auto(WebUrlRow) url = {0};
	const WebNext next = g_array_index(h->queue, WebNext, place);
	bool may;
	g_array_remove_index(h->queue, place);
	int found = writer_web_get_url(f->w, h->row.id, next.hash, &url, error);
	if (found <= 0 || url.is_over)
		return found >= 0;
	if (!may_ask(f, h, &url, &may, error))
		return false;
	if (!may)
		return drop_url(f, &url, error);
	if (url.kind == WEB_FEED)
		h->row.feed_ms = now->wall_ms;
	if (!begin_request(f, h, now, next.hash, error))
		return false;
	const FrontierRequest request = {h->number, h->row.name, false, url.kind, url.depth,
	        g_steal_pointer(&url.path), g_steal_pointer(&url.visit.etag),
	        g_steal_pointer(&url.visit.modified)};
	g_array_append_val(requests, request);
	return true;
}

/* One step with a host that may be asked: reads its queue, or takes one URL of it. */
static bool step_host(
        Frontier *f, FrontierHost *h, const WebTime *now, GArray *requests, GError **error)
{
	int64_t moment;
	if (!frontier_fill_queue(f, h, now, error))
		return false;
	if (h->queue->len > 0 && needs_robots(h, now))
		return take_robots(f, h, now, requests, error);
	int place = frontier_pick(h, now, &moment);
	if (place < 0 || h->row.robots == WEB_ROBOTS_UNREACHABLE)
		return true;
	return take_url(f, h, place, now, requests, error);
}

/* A source that is full may have any number of URLs to drop: the writer has other work too. */
bool frontier_next(Frontier *f, const WebTime *now, unsigned n, GArray *requests, GError **error)
{
	enum { MOST_DROPS = 256 };
	const HeapNode *first;
	follow_clock(f, now);
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

int64_t frontier_wait_ms(const Frontier *f, const WebTime *now)
{
	const HeapNode *first = web_heap_first(&f->ready);
	return first ? MAX(0, first->at - now->monotonic_ms) : -1;
}
