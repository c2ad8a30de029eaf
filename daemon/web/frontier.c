/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/url/url-origin.h"
#include "daemon/web/frontier-private.h"
#include <string.h>

/* ---- hosts and addresses */

FrontierHost *frontier_find_host(const Frontier *f, const char *origin)
{
	return g_hash_table_lookup(f->by_name, origin);
}

/* Of an origin, without scheme, port and "www.". No address is as long. */
static GBytes *server_name(const char *origin)
{
	const char *host = strstr(origin, "://");
	host = host ? host + 3 : origin;
	if (g_str_has_prefix(host, "www."))
		host += 4;
	size_t length = *host == '[' ? strcspn(host, "]") : strcspn(host, ":");
	g_autofree char *name = g_strdup_printf("of the name %.*s", (int)length, host);
	return g_bytes_new(name, strlen(name));
}

/* Until their addresses are known, only the origins of one host name wait for each other. */
static FrontierServer *server_of(Frontier *f, const WebHostRow *row)
{
	bool named = row->address_length == 0;
	g_autoptr(GBytes) key =
	        named ? server_name(row->name) : g_bytes_new(row->address, row->address_length);
	FrontierServer *s = g_hash_table_lookup(f->servers, key);
	if (s)
		return s;
	s = g_new0(FrontierServer, 1);
	s->node.order = f->n_servers++;
	s->key = g_steal_pointer(&key);
	s->named = named;
	g_hash_table_insert(f->servers, s->key, s);
	return s;
}

static void server_free(FrontierServer *s)
{
	web_heap_clear(&s->hosts);
	g_clear_pointer(&s->key, g_bytes_unref);
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
	if (--s->n_hosts > 0 || !s->named) {
		order_server(f, s);
		return;
	}
	web_heap_remove(&f->ready, &s->node);
	g_hash_table_remove(f->servers, s->key);
	server_free(s);
}

void frontier_place_host(Frontier *f, FrontierHost *h, const WebTime *now)
{
	PoliteGate gate =
	        h->server ? h->server->gate
	                  : polite_gate_restore(h->row.server_ms, h->row.server_wait_ms, now);
	leave_server(f, h);
	h->server = server_of(f, &h->row);
	h->server->n_hosts++;
	polite_gate_close(&h->server->gate, now, polite_gate_left_ms(&gate, now));
	if (h->row.has_asked && !h->server->asking)
		h->server->asking = h;
}

FrontierHost *frontier_new_host(Frontier *f, const WebHostRow *row, const WebTime *now)
{
	FrontierHost *h = g_new0(FrontierHost, 1);
	h->row = *row;
	h->row.name = g_strdup(row->name);
	h->gate = polite_gate_restore(row->next_ms, row->wait_ms, now);
	h->set_back = row->next_ms - row->wait_ms > now->wall_ms + FRONTIER_SET_BACK_MS;
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
		frontier_source_free(s);
		s = next;
	}
	frontier_drop_rules(f, h);
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

FrontierSource *frontier_source_of(const FrontierHost *h, WebKind kind, const char *path)
{
	for (FrontierSource *s = h->sources; s; s = s->next) {
		bool feed = s->row.first == WEB_FEED; /* which is this one URL */
		if (kind == WEB_ITEM ? feed && s->row.full
		        : feed       ? strcmp(path, s->row.prefix) == 0
		                     : kind == WEB_SITEMAP || url_site_has(s->row.prefix, path))
			return s;
	}
	return NULL;
}

FrontierSource *frontier_find_source(const FrontierHost *h, const char *prefix)
{
	FrontierSource *s = h->sources;
	while (s && strcmp(s->row.prefix, prefix) != 0)
		s = s->next;
	return s;
}

void frontier_source_free(FrontierSource *s)
{
	g_clear_pointer(&s->include, glob_set_free);
	g_clear_pointer(&s->exclude, glob_set_free);
	web_scope_clear(&s->scope);
	frontier_drop_url_rules(s);
	g_free(s->row.prefix);
	g_free(s);
}

bool frontier_read_scope(Frontier *f, FrontierSource *s, GError **error)
{
	if (s->scope_read)
		return true;
	s->scope_read = writer_web_scope(f->w, s->row.id, &s->scope, error);
	return s->scope_read;
}

void frontier_add_source_row(FrontierHost *h, const WebSourceRow *row)
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

/* A moment further away than the wait that led to it comes from a clock that was set back since. */
bool frontier_needs_robots(const FrontierHost *h, const WebTime *now)
{
	int64_t wait_s =
	        h->row.robots == WEB_ROBOTS_KNOWN ? POLITE_ROBOTS_S : POLITE_ROBOTS_RETRY_S;
	return h->row.robots == WEB_ROBOTS_UNKNOWN || h->row.robots_s <= web_seconds(now) ||
	       h->row.robots_s > web_seconds_up(now) + wait_s;
}

/* The moment on the wall clock when something of the queue, or for what is held robots.txt, is to
 * be asked; 0: now. */
static int64_t due_moment(const FrontierHost *h, const WebTime *now)
{
	int64_t moment = INT64_MAX, robots = h->row.robots_s * 1000;
	bool stale = frontier_needs_robots(h, now);
	if (h->queue && h->queue->len > 0 && frontier_pick(h, now, &moment) >= 0)
		moment = 0;
	if (h->has_held)
		moment = MIN(moment, stale ? 0 : robots);
	if (h->row.robots == WEB_ROBOTS_UNREACHABLE && !stale)
		moment = MAX(moment, robots);
	return moment;
}

/* The monotonic moment when the host may be asked something, or INT64_MAX. */
static int64_t host_moment(const FrontierHost *h, const WebTime *now)
{
	int64_t open = MAX(h->gate.monotonic_ms, h->awaited ? h->awaited_ms : INT64_MIN);
	bool any = h->queue && h->queue->len > 0;
	if (h->row.has_asked || h->closed)
		return INT64_MAX;
	if (!any && h->has_more)
		return open;
	int64_t moment = due_moment(h, now);
	return moment == INT64_MAX ? moment : MAX(open, wall_to_monotonic(moment, now));
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

void frontier_follow_clock(Frontier *f, const WebTime *now)
{
	enum { TOLERANCE_MS = 1000 };
	int64_t forward_ms = now->wall_ms - now->monotonic_ms - f->clock_ms;
	for (guint i = 0; forward_ms < -FRONTIER_SET_BACK_MS && i < f->hosts->len; i++) {
		FrontierHost *h = f->hosts->pdata[i];
		h->set_back = true;
		frontier_reset_queue(h);
	}
	if (ABS(forward_ms) > TOLERANCE_MS)
		order_all(f, now);
}

int64_t frontier_wait_ms(const Frontier *f, const WebTime *now)
{
	const HeapNode *first = web_heap_first(&f->ready);
	return first ? MAX(0, first->at - now->monotonic_ms) : -1;
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
		frontier_add_source_row(l->f->hosts->pdata[low], row);
}

static bool forget_url(Frontier *f, FrontierHost *h, const WebTime *now, GError **error)
{
	g_auto(WebUrlRow) url = {0};
	int found = writer_web_get_url(f->w, h->row.id, h->row.asked, &url, error);
	if (found <= 0)
		return found == 0;
	if (url.visit.failures > 0) /* its answer may be what ends the process */
		url.due_s = MAX(url.due_s, web_seconds_up(now) + SCHEDULE_RETRY_S);
	url.visit.failures = MIN(url.visit.failures + 1, 255);
	return writer_web_set_url(f->w, &url, error);
}

/* A second loss in turn counts as an answer that cannot be read: it may be what ends the
 * process. */
static void forget_robots(FrontierHost *h, const WebTime *now)
{
	if (h->row.backoff > 0) {
		h->row.robots = WEB_ROBOTS_UNREACHABLE;
		h->row.robots_s = web_seconds_up(now) + POLITE_ROBOTS_RETRY_S;
	}
	h->row.backoff = politeness_backoff(h->row.backoff, 0);
}

/* The request that was being made when the process died. */
static bool forget_request(Frontier *f, FrontierHost *h, const WebTime *now, GError **error)
{
	const WebHostRow *row = &h->row;
	int64_t lost = politeness_lost_ms(row->asked_ms, now->wall_ms, row->delay_ms, row->backoff);
	polite_gate_close(&h->gate, now, lost);
	polite_gate_close(
	        &h->server->gate, now, politeness_lost_ms(row->asked_ms, now->wall_ms, 0, 0));
	if (row->asked == FRONTIER_ROBOTS_HASH)
		forget_robots(h, now);
	else if (!forget_url(f, h, now, error))
		return false;
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
		if ((h->row.has_asked && !forget_request(f, h, now, error)) ||
		        !frontier_forget_host(f, h, now, true, error))
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
