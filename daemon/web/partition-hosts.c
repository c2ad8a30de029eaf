/* SPDX-License-Identifier: GPL-3.0-or-later */
/* partition-hosts.c - which hosts are ours */
#include <config.h>
#include "daemon/web/partition-private.h"
#include <string.h>

SharedHost *shared_host_of(const WebPartition *p, const char *origin)
{
	return g_hash_table_lookup(p->by_origin, origin);
}

/* ---- the hosts of the sources */

/* "https://[::1]:8080" -> "[::1]" */
static char *host_name_of(const char *origin)
{
	const char *host = strstr(origin, "://");
	host = host ? host + 3 : origin;
	const char *colon = strrchr(host, ':');
	return colon && !strchr(colon, ']') ? g_strndup(host, colon - host) : g_strdup(host);
}

static SharedHost *shared_host_add(WebPartition *p, const char *origin)
{
	g_autofree char *name = host_name_of(origin);
	SharedHost *host = g_hash_table_lookup(p->hosts, name);
	if (!host) {
		host = g_new0(SharedHost, 1);
		host->name = g_steal_pointer(&name);
		host->origins = g_ptr_array_new_with_free_func(g_free);
		g_hash_table_insert(p->hosts, host->name, host);
		g_ptr_array_add(p->order, host);
	}
	if (!g_hash_table_contains(p->by_origin, origin)) {
		char *own = g_strdup(origin);
		g_ptr_array_add(host->origins, own);
		g_hash_table_insert(p->by_origin, own, host);
	}
	return host;
}

/* A source that is shared shares its host, and with it all sources there. */
void shared_hosts_configure(WebCrawl *c)
{
	WebPartition *p = c->partition;
	WebTime now = web_now();
	for (guint i = 0; i < p->order->len; i++)
		((SharedHost *)p->order->pdata[i])->wanted = false;
	for (guint i = 0; i < c->sources->len; i++) {
		const WebSource *s = c->sources->pdata[i];
		if (s->partition)
			shared_host_add(p, s->origin)->wanted = true;
	}
	for (guint i = 0; i < c->sources->len; i++) {
		const WebSource *s = c->sources->pdata[i];
		g_autofree char *name = host_name_of(s->origin);
		SharedHost *host = g_hash_table_lookup(p->hosts, name);
		if (host && host->wanted)
			shared_host_add(p, s->origin);
	}
	/* the frontier may have been opened anew */
	for (guint i = 0; i < p->order->len; i++) {
		SharedHost *host = p->order->pdata[i];
		bool closed = !p->open || host->state != SHARED_OURS;
		for (guint k = 0; k < host->origins->len; k++)
			frontier_close_host(
			        c->frontier, &now, host->origins->pdata[k], closed && host->wanted);
		host->touched |= host->state >= SHARED_OURS;
	}
	p->wants_new = true;
}

/* ---- states */

static void shared_host_close(WebCrawl *c, const SharedHost *host, bool closed)
{
	WebTime now = web_now();
	for (guint i = 0; c->frontier && i < host->origins->len; i++)
		frontier_close_host(c->frontier, &now, host->origins->pdata[i], closed);
}

void shared_host_set(WebCrawl *c, SharedHost *host, SharedState state)
{
	host->state = state;
	shared_host_close(c, host, state != SHARED_OURS || !c->partition->open);
}

void shared_hosts_open(WebCrawl *c, bool open)
{
	WebPartition *p = c->partition;
	if (p->open == open)
		return;
	p->open = open;
	for (guint i = 0; i < p->order->len; i++) {
		const SharedHost *host = p->order->pdata[i];
		if (host->state == SHARED_OURS)
			shared_host_close(c, host, !open);
	}
	if (!open)
		p->open_s = g_get_real_time() / G_USEC_PER_SEC;
}

void shared_hosts_lose(WebCrawl *c)
{
	WebPartition *p = c->partition;
	shared_hosts_open(c, false);
	for (guint i = 0; i < p->order->len; i++) {
		SharedHost *host = p->order->pdata[i];
		host->touched = false;
		shared_host_set(c, host, SHARED_AWAY);
	}
	g_ptr_array_set_size(p->acquire, 0);
	g_ptr_array_set_size(p->loading, 0);
}

void shared_hosts_end(WebCrawl *c)
{
	const WebPartition *p = c->partition;
	for (guint i = 0; i < p->order->len; i++)
		shared_host_close(c, p->order->pdata[i], false);
}

/* ---- the next message */

/* Of the origins of a host, the latest moment counts. */
static FrontierHostState host_state(const WebCrawl *c, const SharedHost *host)
{
	WebTime now = web_now();
	FrontierHostState all = {.gap_ms = POLITE_LEAST_MS};
	for (guint i = 0; i < host->origins->len; i++) {
		FrontierHostState one;
		if (!frontier_host_state(c->frontier, &now, host->origins->pdata[i], &one))
			continue;
		all.asking |= one.asking;
		all.left_ms = MAX(all.left_ms, one.left_ms);
		all.gap_ms = MAX(all.gap_ms, one.gap_ms);
		all.backoff = MAX(all.backoff, one.backoff);
	}
	return all;
}

void shared_hosts_states(WebCrawl *c, GVariantBuilder *states)
{
	WebPartition *p = c->partition;
	for (guint i = 0; i < p->order->len; i++) {
		SharedHost *host = p->order->pdata[i];
		if (!host->touched || host->state < SHARED_OURS)
			continue;
		FrontierHostState state = host_state(c, host);
		PartitionAsking asking = host->to_ask   ? PARTITION_TO_ASK
		                         : state.asking ? PARTITION_ASKED
		                                        : PARTITION_NOT_ASKED;
		g_variant_builder_add(states, "(sxxuu)", host->name, (gint64)state.left_ms,
		        (gint64)state.gap_ms, (guint32)state.backoff, (guint32)asking);
		host->touched = host->to_ask = host->kept = false;
		g_ptr_array_add(p->sent_hosts, host);
	}
}

void shared_hosts_release(WebCrawl *c, GVariantBuilder *release)
{
	WebPartition *p = c->partition;
	for (guint i = 0; i < p->order->len; i++) {
		SharedHost *host = p->order->pdata[i];
		if (host->state != SHARED_LEAVING || host->queued > 0 || host->touched ||
		        host_state(c, host).asking)
			continue;
		g_variant_builder_add(release, "s", host->name);
		g_ptr_array_add(p->released, host);
	}
}

/* ---- surveys */

typedef struct {
	const char **crawlers; /* NULL-terminated */
	GHashTable *unwanted; /* host -> GPtrArray of crawlers that have no source there */
	GHashTable *held; /* host -> doublings, of our hosts */
	GHashTable *free; /* host -> int64_t, milliseconds until it may be acquired */
} Survey;

static void survey_clear(Survey *survey)
{
	g_free(survey->crawlers);
	g_hash_table_unref(survey->unwanted);
	g_hash_table_unref(survey->held);
	g_hash_table_unref(survey->free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Survey, survey_clear)

/* Strings are of the body. */
static void survey_read(GVariant *body, Survey *survey)
{
	g_autoptr(GVariant) crawlers = g_variant_get_child_value(body, 4);
	g_autoptr(GVariant) unwanted = g_variant_get_child_value(body, 5);
	g_autoptr(GVariant) free = g_variant_get_child_value(body, 6);
	g_autoptr(GVariant) held = g_variant_get_child_value(body, 7);
	const char *host, *crawler;
	int64_t number;
	uint32_t backoff;
	GVariantIter iter;
	survey->crawlers = g_variant_get_strv(crawlers, NULL);
	survey->unwanted = g_hash_table_new_full(
	        g_str_hash, g_str_equal, NULL, (GDestroyNotify)g_ptr_array_unref);
	survey->held = g_hash_table_new(g_str_hash, g_str_equal);
	survey->free = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
	g_variant_iter_init(&iter, unwanted);
	while (g_variant_iter_next(&iter, "(&s&s)", &host, &crawler)) {
		GPtrArray *list = g_hash_table_lookup(survey->unwanted, host);
		if (!list)
			g_hash_table_insert(
			        survey->unwanted, (char *)host, list = g_ptr_array_new());
		g_ptr_array_add(list, (char *)crawler);
	}
	g_variant_iter_init(&iter, free);
	while (g_variant_iter_next(&iter, "(&sx)", &host, &number))
		g_hash_table_insert(survey->free, (char *)host, g_memdup2(&number, sizeof number));
	g_variant_iter_init(&iter, held);
	while (g_variant_iter_next(&iter, "(&sxu)", &host, &number, &backoff))
		g_hash_table_insert(survey->held, (char *)host, GUINT_TO_POINTER(backoff));
}

static bool lacks_crawler(const GPtrArray *list, const char *crawler)
{
	for (guint i = 0; list && i < list->len; i++)
		if (strcmp(list->pdata[i], crawler) == 0)
			return false;
	return true;
}

static bool survey_gives(const Survey *survey, const SharedHost *host, const char *id)
{
	const GPtrArray *unwanted = g_hash_table_lookup(survey->unwanted, host->name);
	const char *const *crawlers = survey->crawlers;
	g_autofree const char **some = NULL;
	if (!host->wanted)
		return false;
	if (unwanted) {
		guint n = 0;
		some = g_new0(const char *, g_strv_length((char **)crawlers) + 1);
		for (guint i = 0; crawlers[i]; i++)
			if (lacks_crawler(unwanted, crawlers[i]))
				some[n++] = crawlers[i];
		crawlers = some;
	}
	int owner = partition_owner(host->name, crawlers);
	return owner >= 0 && strcmp(crawlers[owner], id) == 0;
}

static bool survey_take_over(WebCrawl *c, SharedHost *host, unsigned backoff, GError **error)
{
	WebTime now = web_now();
	shared_host_set(c, host, SHARED_TAKEN);
	for (guint i = 0; i < host->origins->len; i++)
		if (!frontier_take_over(c->frontier, &now, host->origins->pdata[i], backoff, error))
			return false;
	return true;
}

static bool survey_judge(
        WebCrawl *c, const Survey *survey, SharedHost *host, int64_t *wait_ms_r, GError **error)
{
	WebPartition *p = c->partition;
	bool held = g_hash_table_contains(survey->held, host->name);
	bool to_be_ours = survey_gives(survey, host, p->id);
	const int64_t *free = g_hash_table_lookup(survey->free, host->name);
	unsigned backoff = GPOINTER_TO_UINT(g_hash_table_lookup(survey->held, host->name));
	if (!held && host->state != SHARED_AWAY)
		shared_host_set(c, host, SHARED_AWAY);
	if (held && host->state == SHARED_AWAY)
		return survey_take_over(c, host, backoff, error);
	if (held && host->state == SHARED_OURS && !to_be_ours)
		shared_host_set(c, host, SHARED_LEAVING);
	else if (held && host->state == SHARED_LEAVING && to_be_ours)
		shared_host_set(c, host, SHARED_OURS);
	if (!held && to_be_ours && free && *free <= 0)
		g_ptr_array_add(p->acquire, host);
	else if (!held && to_be_ours && free)
		*wait_ms_r = MIN(*wait_ms_r, *free);
	return true;
}

bool shared_hosts_survey(WebCrawl *c, GVariant *body, int64_t *next_ms, GError **error)
{
	WebPartition *p = c->partition;
	g_auto(Survey) survey = {0};
	int64_t wait_ms = LEASE_PERIOD_MOST_MS;
	survey_read(body, &survey);
	p->crawlers = g_strv_length((char **)survey.crawlers);
	g_ptr_array_set_size(p->acquire, 0);
	for (guint i = 0; i < p->order->len; i++)
		if (!survey_judge(c, &survey, p->order->pdata[i], &wait_ms, error))
			return false;
	*next_ms = MIN(*next_ms, lease_now_ms() + wait_ms + 1);
	return true;
}
