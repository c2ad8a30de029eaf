/* SPDX-License-Identifier: GPL-3.0-or-later */
/* web-partition.c - messages to the database of several crawlers, and what their replies mean */
#include <config.h>
#include "daemon/web/partition-private.h"
#include <string.h>

enum { RETRY_LEAST_MS = 1000, RETRY_MOST_MS = 60000, LOAD_HOSTS = 200 };

/* ---- life */

static void shared_host_free(void *data)
{
	SharedHost *host = data;
	g_free(host->name);
	g_ptr_array_unref(host->origins);
	g_free(host);
}

static GArray *partition_requests_new(void)
{
	GArray *requests = g_array_new(FALSE, FALSE, sizeof(FrontierRequest));
	g_array_set_clear_func(requests, (GDestroyNotify)frontier_request_clear);
	return requests;
}

static WebPartition *partition_new(const WebCrawl *c, const char *address)
{
	WebPartition *p = g_new0(WebPartition, 1);
	p->link = partition_link_new(c->wake, c->wake_data);
	p->address = g_strdup(address);
	p->session = g_uuid_string_random();
	p->hosts = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, shared_host_free);
	p->order = g_ptr_array_new();
	p->by_origin = g_hash_table_new(g_str_hash, g_str_equal);
	p->waiting = partition_requests_new();
	p->sent = partition_requests_new();
	p->acquire = g_ptr_array_new();
	p->sent_hosts = g_ptr_array_new();
	p->released = g_ptr_array_new();
	p->sent_urls = g_ptr_array_new_with_free_func(g_free);
	p->removed = g_array_new(FALSE, FALSE, sizeof(int64_t));
	p->sent_removed = g_array_new(FALSE, FALSE, sizeof(int64_t));
	p->loading = g_ptr_array_new();
	p->load_origin = g_strdup("");
	g_queue_init(&p->outbox);
	p->queued = g_hash_table_new(shared_url_hash, shared_url_equal);
	return p;
}

void web_partition_free(WebPartition *p)
{
	if (!p)
		return;
	partition_link_free(p->link);
	g_hash_table_unref(p->queued);
	g_queue_clear_full(&p->outbox, g_free);
	g_ptr_array_unref(p->sent_urls);
	g_ptr_array_unref(p->sent_hosts);
	g_ptr_array_unref(p->released);
	g_ptr_array_unref(p->acquire);
	g_ptr_array_unref(p->loading);
	g_array_unref(p->waiting);
	g_array_unref(p->sent);
	g_array_unref(p->removed);
	g_array_unref(p->sent_removed);
	g_hash_table_unref(p->by_origin);
	g_ptr_array_unref(p->order);
	g_hash_table_unref(p->hosts);
	g_free(p->address);
	g_free(p->id);
	g_free(p->session);
	g_free(p->error);
	g_free(p->load_origin);
	g_free(p);
}

static void partition_note_found(const char *origin, int64_t hash, void *data)
{
	const WebCrawl *c = data;
	WebPartition *p = c->partition;
	SharedHost *host = p && !p->importing ? shared_host_of(p, origin) : NULL;
	for (guint i = 0; host && i < host->origins->len; i++)
		if (strcmp(host->origins->pdata[i], origin) == 0)
			shared_url_queue(p, host, host->origins->pdata[i], hash, false);
}

static const char *partition_address(const WebCrawl *c)
{
	for (guint i = 0; i < c->sources->len; i++) {
		const WebSource *s = c->sources->pdata[i];
		if (s->partition)
			return s->partition;
	}
	return NULL;
}

/* The frontier that made these requests is gone; they count as lost. */
void web_partition_reset(WebCrawl *c)
{
	if (!c->partition)
		return;
	g_array_set_size(c->partition->waiting, 0);
	g_array_set_size(c->partition->sent, 0);
}

/* ---- what others tell */

bool web_partition_takes(WebCrawl *c, FrontierRequest *request)
{
	WebPartition *p = c->partition;
	SharedHost *host = p ? shared_host_of(p, request->origin) : NULL;
	if (!host || !host->wanted)
		return false;
	host->touched = host->to_ask = true;
	g_array_append_val(p->waiting, *request);
	*request = (FrontierRequest){0};
	return true;
}

void web_partition_touch(WebCrawl *c, const char *origin)
{
	SharedHost *host = c->partition ? shared_host_of(c->partition, origin) : NULL;
	if (host)
		host->touched = host->state >= SHARED_OURS;
}

void web_partition_note_answer(WebCrawl *c, const char *origin, const char *path)
{
	WebPartition *p = c->partition;
	SharedHost *host = p ? shared_host_of(p, origin) : NULL;
	bool ours = host && host->state >= SHARED_OURS;
	for (guint i = 0; ours && i < host->origins->len; i++)
		if (strcmp(host->origins->pdata[i], origin) == 0)
			shared_url_queue(p, host, host->origins->pdata[i],
			        web_hash(path, strlen(path)), true);
}

/* ---- failures */

static bool partition_take_back(WebCrawl *c, const FrontierRequest *request, GError **error)
{
	WebTime now = web_now();
	c->asking--;
	web_partition_touch(c, request->origin);
	return frontier_take_back(c->frontier, &now, request->host, 0, 0, error);
}

static bool partition_take_back_all(WebCrawl *c, GArray *requests, GError **error)
{
	for (guint i = 0; i < requests->len; i++)
		if (!partition_take_back(c, &g_array_index(requests, FrontierRequest, i), error))
			return false;
	g_array_set_size(requests, 0);
	return true;
}

/* The content of the message is sent again. */
static bool partition_return(WebCrawl *c, GError **error)
{
	WebPartition *p = c->partition;
	for (guint i = 0; i < p->sent_hosts->len; i++) {
		SharedHost *host = p->sent_hosts->pdata[i];
		host->touched |= host->state >= SHARED_OURS;
	}
	g_ptr_array_set_size(p->sent_hosts, 0);
	g_ptr_array_set_size(p->released, 0);
	shared_urls_return(p);
	g_array_append_vals(p->removed, p->sent_removed->data, p->sent_removed->len);
	g_array_set_size(p->sent_removed, 0);
	return partition_take_back_all(c, p->sent, error) &&
	       partition_take_back_all(c, p->waiting, error);
}

static void partition_note_error(WebPartition *p, const char *text)
{
	if (g_strcmp0(p->error, text) != 0)
		g_message("shared hosts: %s", text);
	g_free(p->error);
	p->error = g_strdup(text);
}

static bool partition_fail(WebCrawl *c, PartitionFailure failure, const char *text, GError **error)
{
	WebPartition *p = c->partition;
	p->opened = false;
	shared_hosts_open(c, false);
	g_ptr_array_set_size(p->loading, 0);
	if (!partition_return(c, error))
		return false;
	if (failure == PARTITION_LOST) {
		g_message("shared hosts: the lease has run out; a new session begins");
		shared_hosts_lose(c);
		p->lease = (Lease){0};
		g_free(p->session);
		p->session = g_uuid_string_random();
		p->next_ms = 0;
		return true;
	}
	partition_note_error(p, text);
	p->retry_ms = failure == PARTITION_REFUSED
	                      ? RETRY_MOST_MS
	                      : CLAMP(p->retry_ms * 2, RETRY_LEAST_MS, RETRY_MOST_MS);
	p->next_ms = lease_now_ms() + p->retry_ms;
	return true;
}

/* ---- configuration */

/* Requests that wait for the database are given back to the frontier, which makes them again. */
static bool partition_end(WebCrawl *c, GError **error)
{
	WebPartition *p = c->partition;
	if (p && c->frontier &&
	        (!partition_take_back_all(c, p->sent, error) ||
	                !partition_take_back_all(c, p->waiting, error)))
		return false;
	if (p)
		shared_hosts_end(c);
	g_clear_pointer(&c->partition, web_partition_free);
	return true;
}

static bool partition_begin(WebCrawl *c, const char *address, GError **error)
{
	if (c->partition && strcmp(c->partition->address, address) == 0)
		return true;
	if (!partition_end(c, error))
		return false;
	c->partition = partition_new(c, address);
	c->partition->id = writer_identity(c->w, error);
	return c->partition->id != NULL;
}

bool web_partition_configure(WebCrawl *c, GError **error)
{
	const char *address = c->frontier ? partition_address(c) : NULL;
	if (!address)
		return partition_end(c, error);
	if (!partition_begin(c, address, error))
		return false;
	frontier_tell_found(c->frontier, partition_note_found, c);
	shared_hosts_configure(c);
	c->partition->walk = (SharedWalk){.running = true, .hash = INT64_MIN};
	return true;
}

/* ---- replies */

static bool partition_take_opened(WebCrawl *c, const PartitionReply *reply, GError **error)
{
	WebPartition *p = c->partition;
	uint32_t failure;
	const char *text;
	int64_t length, mark;
	g_variant_get(reply->body, "(u&sxx)", &failure, &text, &length, &mark);
	if (failure != PARTITION_OK)
		return partition_fail(c, MIN(failure, PARTITION_REFUSED), text, error);
	p->opened = p->wants_new = true;
	if (p->mark == 0)
		p->mark = mark;
	p->walk = (SharedWalk){.running = true, .hash = INT64_MIN};
	p->next_ms = 0;
	return true;
}

static void partition_note_kept(WebPartition *p, GVariant *body)
{
	g_autoptr(GVariant) kept = g_variant_get_child_value(body, 3);
	GVariantIter iter;
	const char *name;
	g_variant_iter_init(&iter, kept);
	while (g_variant_iter_next(&iter, "&s", &name)) {
		SharedHost *host = g_hash_table_lookup(p->hosts, name);
		if (host)
			host->kept = true;
	}
}

/* Requests whose host is ours are made, as long as the lease allows. */
static bool partition_ask(WebCrawl *c, GError **error)
{
	WebPartition *p = c->partition;
	for (guint i = 0; i < p->sent->len; i++) {
		FrontierRequest *request = &g_array_index(p->sent, FrontierRequest, i);
		const SharedHost *host = shared_host_of(p, request->origin);
		if (host->kept)
			web_crawl_ask(c, request, lease_begin_until_ms(&p->lease),
			        lease_request_s(&p->lease, POLITE_REQUEST_MOST_MS / 1000));
		else if (!partition_take_back(c, request, error))
			return false;
	}
	g_array_set_size(p->sent, 0);
	return true;
}

static bool partition_take_survey(WebCrawl *c, const PartitionReply *reply, GError **error)
{
	WebPartition *p = c->partition;
	GVariant *body = reply->body;
	g_autoptr(GVariant) news = g_variant_get_child_value(body, 8);
	g_autoptr(GVariant) obsolete = g_variant_get_child_value(body, 10);
	p->next_ms = reply->sent_ms + lease_period_ms(&p->lease);
	g_variant_get_child(body, 9, "x", &p->mark);
	return shared_urls_import(c, news, NULL, NULL, error) &&
	       shared_urls_remove(c, obsolete, error) &&
	       shared_hosts_survey(c, body, &p->next_ms, error);
}

static void partition_end_release(WebCrawl *c)
{
	WebPartition *p = c->partition;
	for (guint i = 0; i < p->released->len; i++)
		shared_host_set(c, p->released->pdata[i], SHARED_AWAY);
	g_ptr_array_set_size(p->released, 0);
}

static bool partition_take_synced(WebCrawl *c, const PartitionReply *reply, GError **error)
{
	WebPartition *p = c->partition;
	uint32_t failure;
	const char *text;
	int64_t length;
	g_variant_get_child(reply->body, 0, "u", &failure);
	g_variant_get_child(reply->body, 1, "&s", &text);
	g_variant_get_child(reply->body, 2, "x", &length);
	if (failure != PARTITION_OK || length < LEASE_LEAST_MS || length > LEASE_MOST_MS)
		return partition_fail(
		        c, failure == PARTITION_OK ? PARTITION_AWAY : failure, text, error);
	p->lease = (Lease){reply->sent_ms, length};
	p->retry_ms = 0;
	g_clear_pointer(&p->error, g_free);
	for (guint i = 0; i < p->sent_urls->len; i++)
		((SharedUrl *)p->sent_urls->pdata[i])->host->queued--;
	g_ptr_array_set_size(p->sent_urls, 0);
	g_ptr_array_set_size(p->sent_hosts, 0);
	g_array_set_size(p->sent_removed, 0);
	partition_note_kept(p, reply->body);
	partition_end_release(c);
	return partition_ask(c, error) && (!p->surveying || partition_take_survey(c, reply, error));
}

static void partition_end_load(WebCrawl *c)
{
	WebPartition *p = c->partition;
	for (guint i = 0; i < p->loading->len; i++) {
		SharedHost *host = p->loading->pdata[i];
		if (host->state == SHARED_TAKEN)
			shared_host_set(c, host, SHARED_OURS);
	}
	g_ptr_array_set_size(p->loading, 0);
}

/* A part of a list that does not end after the part before is the last, whatever it says of more:
 * the program could go on for ever. */
static bool partition_take_loaded(WebCrawl *c, const PartitionReply *reply, GError **error)
{
	WebPartition *p = c->partition;
	g_autoptr(GVariant) urls = g_variant_get_child_value(reply->body, 3);
	g_autofree char *origin = g_strdup(p->load_origin);
	int64_t hash = p->load_hash;
	uint32_t failure;
	const char *text;
	gboolean more;
	g_variant_get_child(reply->body, 0, "u", &failure);
	g_variant_get_child(reply->body, 1, "&s", &text);
	g_variant_get_child(reply->body, 2, "b", &more);
	if (failure != PARTITION_OK)
		return partition_fail(c, failure, text, error);
	if (!shared_urls_import(c, urls, &p->load_origin, &p->load_hash, error))
		return false;
	int order = strcmp(p->load_origin, origin);
	if (!more || order < 0 || (order == 0 && p->load_hash <= hash))
		partition_end_load(c);
	return true;
}

static bool partition_take(WebCrawl *c, const PartitionReply *reply, GError **error)
{
	if (!reply->body)
		return partition_fail(c, PARTITION_AWAY, reply->error, error);
	switch (reply->kind) {
	case PARTITION_OPEN:
		return partition_take_opened(c, reply, error);
	case PARTITION_LOAD:
		return partition_take_loaded(c, reply, error);
	default:
		return partition_take_synced(c, reply, error);
	}
}

/* ---- messages */

static void partition_send_open(WebPartition *p)
{
	partition_link_send(p->link, PARTITION_OPEN,
	        g_variant_new(
	                PARTITION_OPEN_TYPE, p->address, p->id, p->session, g_get_host_name()));
}

static void partition_add_wants(const WebPartition *p, GVariantBuilder *wants)
{
	for (guint i = 0; p->wants_new && i < p->order->len; i++) {
		const SharedHost *host = p->order->pdata[i];
		if (host->wanted)
			g_variant_builder_add(wants, "s", host->name);
	}
}

static void partition_add_numbers(WebPartition *p, GVariantBuilder *numbers)
{
	for (guint i = 0; i < p->removed->len; i++)
		g_variant_builder_add(numbers, "x", g_array_index(p->removed, int64_t, i));
	g_array_append_vals(p->sent_removed, p->removed->data, p->removed->len);
	g_array_set_size(p->removed, 0);
}

/* The frontier has committed the requests before they are noted in the database. */
static bool partition_send_sync(WebCrawl *c, bool survey, GError **error)
{
	WebPartition *p = c->partition;
	GVariantBuilder wants, states, release, acquire, urls, removed;
	g_variant_builder_init(&wants, G_VARIANT_TYPE("as"));
	g_variant_builder_init(&states, G_VARIANT_TYPE("a(sxxuu)"));
	g_variant_builder_init(&release, G_VARIANT_TYPE("as"));
	g_variant_builder_init(&acquire, G_VARIANT_TYPE("as"));
	g_variant_builder_init(&urls, G_VARIANT_TYPE("a" PARTITION_URL));
	g_variant_builder_init(&removed, G_VARIANT_TYPE("ax"));
	bool ok = shared_urls_take(c, &urls, error);
	shared_hosts_release(c, &release);
	shared_hosts_states(c, &states);
	partition_add_wants(p, &wants);
	partition_add_numbers(p, &removed);
	for (guint i = 0; i < p->acquire->len; i++)
		g_variant_builder_add(&acquire, "s", ((SharedHost *)p->acquire->pdata[i])->name);
	survey |= p->acquire->len > 0 || p->released->len > 0 || p->wants_new;
	g_ptr_array_set_size(p->acquire, 0);
	GArray *empty = p->sent; /* there is one message at a time */
	p->sent = p->waiting;
	p->waiting = empty;
	g_autoptr(GVariant) body = g_variant_ref_sink(g_variant_new(
	        "(xbbasa(sxxuu)asasa" PARTITION_URL "xax)", ++p->serial, survey, p->wants_new,
	        &wants, &states, &release, &acquire, &urls, p->mark, &removed));
	if (!ok)
		return false;
	p->surveying = survey;
	p->wants_new = false;
	partition_link_send(p->link, PARTITION_SYNC, body);
	return true;
}

static bool partition_begin_load(WebPartition *p)
{
	for (guint i = 0; i < p->order->len && p->loading->len < LOAD_HOSTS; i++) {
		SharedHost *host = p->order->pdata[i];
		if (host->state == SHARED_TAKEN)
			g_ptr_array_add(p->loading, host);
	}
	g_free(p->load_origin);
	p->load_origin = g_strdup("");
	p->load_hash = INT64_MIN;
	return p->loading->len > 0;
}

static bool partition_send_load(WebPartition *p)
{
	GVariantBuilder hosts;
	if (p->loading->len == 0 && !partition_begin_load(p))
		return false;
	g_variant_builder_init(&hosts, G_VARIANT_TYPE("as"));
	for (guint i = 0; i < p->loading->len; i++)
		g_variant_builder_add(&hosts, "s", ((SharedHost *)p->loading->pdata[i])->name);
	partition_link_send(p->link, PARTITION_LOAD,
	        g_variant_new("(assx)", &hosts, p->load_origin, p->load_hash));
	return true;
}

/* Is there something to tell, besides what is due by time? */
static bool partition_has_news(const WebPartition *p)
{
	if (p->waiting->len > 0 || p->outbox.length > 0 || p->walk.running || p->removed->len > 0 ||
	        p->acquire->len > 0 || p->wants_new)
		return true;
	for (guint i = 0; i < p->order->len; i++) {
		const SharedHost *host = p->order->pdata[i];
		if (host->touched && host->state >= SHARED_OURS)
			return true;
	}
	return false;
}

static bool partition_has_leaving(const WebCrawl *c)
{
	WebPartition *p = c->partition;
	WebTime now = web_now();
	for (guint i = 0; i < p->order->len; i++) {
		const SharedHost *host = p->order->pdata[i];
		bool asking = false;
		if (host->state != SHARED_LEAVING || host->queued > 0)
			continue;
		for (guint k = 0; k < host->origins->len; k++) {
			FrontierHostState state;
			(void)frontier_host_state(
			        c->frontier, &now, host->origins->pdata[k], &state);
			asking |= state.asking;
		}
		if (!asking)
			return true;
	}
	return false;
}

static bool partition_send_next(WebCrawl *c, GError **error)
{
	WebPartition *p = c->partition;
	int64_t now_ms = lease_now_ms();
	if (!p->opened) {
		if (now_ms >= p->next_ms)
			partition_send_open(p);
		return true;
	}
	bool due = now_ms >= p->next_ms;
	if (due || p->waiting->len > 0)
		return partition_send_sync(c, due, error);
	if (partition_send_load(p))
		return true;
	if (partition_has_news(p) || partition_has_leaving(c))
		return partition_send_sync(c, false, error);
	return true;
}

bool web_partition_step(WebCrawl *c, bool may_send, GError **error)
{
	WebPartition *p = c->partition;
	if (!p)
		return true;
	g_autoptr(PartitionReply) reply = partition_link_take(p->link);
	if (reply && !partition_take(c, reply, error))
		return false;
	shared_hosts_open(c, p->opened && lease_allows(&p->lease, lease_now_ms()));
	if (!may_send || partition_link_is_busy(p->link))
		return true;
	return partition_send_next(c, error);
}

/* ---- what is told of it */

int64_t web_partition_next_us(const WebCrawl *c)
{
	const WebPartition *p = c->partition;
	if (!p)
		return INT64_MAX;
	int64_t now_ms = lease_now_ms(), now_us = g_get_monotonic_time();
	int64_t lapse_ms = p->open ? lease_begin_until_ms(&p->lease) : INT64_MAX;
	int64_t next_ms = partition_link_is_busy(p->link) ? INT64_MAX : p->next_ms;
	if (p->opened && !partition_link_is_busy(p->link) &&
	        (p->loading->len > 0 || partition_has_news(p) || partition_has_leaving(c)))
		next_ms = 0;
	next_ms = MIN(next_ms, lapse_ms);
	return next_ms == INT64_MAX ? INT64_MAX : now_us + MAX(0, next_ms - now_ms) * 1000;
}

void web_partition_status(const WebCrawl *c, WebPartitionStatus *status)
{
	const WebPartition *p = c->partition;
	*status = (WebPartitionStatus){.shared = p != NULL};
	if (!p)
		return;
	status->open = p->open;
	status->crawlers = p->crawlers;
	status->since_s = p->open_s;
	status->error = g_strdup(p->error);
	for (guint i = 0; i < p->order->len; i++) {
		const SharedHost *host = p->order->pdata[i];
		status->hosts += host->wanted;
		status->ours += host->state >= SHARED_OURS;
	}
}
