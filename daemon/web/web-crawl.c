/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/url/url-origin.h"
#include "daemon/web/web-crawl-private.h"
#include <string.h>

enum { MOST_ASKING = 24, MOST_REPLIES = 8 };

WebTime web_now(void)
{
	return (WebTime){g_get_real_time() / 1000, g_get_monotonic_time() / 1000};
}

/* ---- life */

WebCrawl *web_crawl_new(const char *index_dir)
{
	WebCrawl *c = g_new0(WebCrawl, 1);
	c->stores = g_build_filename(index_dir, "web", NULL);
	c->sources = g_ptr_array_new_with_free_func(web_source_free);
	c->texts = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	c->hops = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_queue_init(&c->lists);
	g_queue_init(&c->held);
	c->rules = web_rules_new();
	c->trap_texts = trap_texts_new();
	return c;
}

void web_crawl_start(WebCrawl *c, Pool *pool, void (*wake)(void *data), void *data)
{
	c->pool = pool;
	c->wake = wake;
	c->wake_data = data;
}

void web_crawl_free(WebCrawl *c)
{
	if (!c)
		return;
	web_partition_free(c->partition);
	c->partition = NULL;
	web_crawl_reset(c);
	web_fetcher_free(c->fetcher);
	web_rules_free(c->rules);
	trap_texts_free(c->trap_texts);
	g_ptr_array_unref(c->sources);
	g_hash_table_unref(c->texts);
	g_hash_table_unref(c->hops);
	g_free(c->stores);
	g_free(c);
}

const char *web_crawl_stores(const WebCrawl *c)
{
	return c->stores;
}

void web_crawl_configure(WebCrawl *c, const Settings *settings)
{
	GPtrArray *sources = web_sources_new(settings);
	web_rules_reset(c); /* another source may get the number of the one that is worked on */
	web_sources_hand_over(c->sources, sources);
	g_ptr_array_unref(c->sources);
	c->sources = sources;
	c->configured = false;
	c->compaction.running = false;
}

void web_crawl_reset(WebCrawl *c)
{
	g_clear_pointer(&c->frontier, frontier_free);
	web_partition_reset(c);
	g_queue_clear_full(&c->lists, web_list_free);
	g_queue_clear_full(&c->held, (GDestroyNotify)web_reply_free);
	g_hash_table_remove_all(c->texts);
	trap_texts_free(c->trap_texts); /* its pages may be judged anew */
	c->trap_texts = trap_texts_new();
	web_rules_reset(c);
	c->configured = false;
	c->compaction.running = false;
	c->asking = 0;
	c->era++;
	for (guint i = 0; i < c->sources->len; i++) {
		WebSource *s = c->sources->pdata[i];
		g_clear_pointer(&s->store, warc_store_close);
		s->dirty = false;
	}
}

/* ---- steps */

static bool take_replies(WebCrawl *c, WebCrawlStep *step, GError **error)
{
	for (unsigned n = 0; c->fetcher && n < MOST_REPLIES; n++) {
		WebReply *reply = web_fetcher_take(c->fetcher);
		if (!reply)
			return true;
		if (!web_answer_take(c, reply, error))
			return false;
	}
	step->more |= c->fetcher != NULL;
	return true;
}

static bool add_lists(WebCrawl *c, WebCrawlStep *step, GError **error)
{
	WebList *list = g_queue_peek_head(&c->lists);
	bool done;
	if (!list)
		return true;
	if (!web_answer_take_some(c, list, &done, error))
		return false;
	if (done)
		web_list_free(g_queue_pop_head(&c->lists));
	step->more |= c->lists.length > 0;
	return true;
}

void web_crawl_ask(WebCrawl *c, FrontierRequest *request, int64_t begin_until_ms, unsigned seconds)
{
	const char *contact = NULL;
	for (guint i = 0; i < c->sources->len && !contact; i++) {
		const WebSource *one = c->sources->pdata[i];
		if (strcmp(one->origin, request->origin) == 0)
			contact = one->contact;
	}
	const WebAsk ask = {.era = c->era,
	        .host = request->host,
	        .is_robots = request->is_robots,
	        .is_probe = request->is_probe,
	        .kind = request->kind,
	        .depth = request->depth,
	        .begin_until_ms = begin_until_ms,
	        .seconds = seconds,
	        .origin = g_strdup(request->origin),
	        .path = g_steal_pointer(&request->path),
	        .etag = g_steal_pointer(&request->etag),
	        .modified = g_steal_pointer(&request->modified),
	        .local = g_strdup(web_sources_local(c, request->origin)),
	        .contact = g_strdup(contact)};
	g_debug("web: asks %s%s", ask.origin, ask.path);
	web_fetcher_ask(c->fetcher, &ask);
}

static bool ask_next(WebCrawl *c, GError **error)
{
	WebTime now = web_now();
	unsigned room = web_network_room(c, &now, MOST_ASKING - c->asking);
	if (room == 0 || frontier_wait_ms(c->frontier, &now) != 0)
		return true;
	g_autoptr(GArray) requests = g_array_new(FALSE, FALSE, sizeof(FrontierRequest));
	g_array_set_clear_func(requests, (GDestroyNotify)frontier_request_clear);
	if (!frontier_next(c->frontier, &now, room, requests, error))
		return false;
	if (!c->fetcher && requests->len > 0)
		c->fetcher = web_fetcher_new(c->pool, c->wake, c->wake_data);
	c->asking += requests->len;
	for (guint i = 0; i < requests->len; i++) {
		FrontierRequest *request = &g_array_index(requests, FrontierRequest, i);
		if (!web_partition_takes(c, request))
			web_crawl_ask(c, request, 0, POLITE_REQUEST_MOST_MS / 1000);
	}
	return true;
}

static bool open_if_needed(WebCrawl *c, Writer *w, GError **error)
{
	bool removed;
	c->w = w;
	if (c->configured)
		return true;
	if (!web_sources_open(c, &removed, error))
		return false;
	c->removed |= removed;
	c->configured = !c->removing;
	return !c->configured || web_partition_configure(c, error);
}

/* Comes last, and only when nothing else is left to do. */
static bool learn_rules(WebCrawl *c, WebCrawlStep *step, GError **error)
{
	bool more;
	if (!web_rules_step(c, &more, error))
		return false;
	step->more |= more;
	return true;
}

bool web_crawl_step(WebCrawl *c, Writer *w, WebCrawlStep *step, GError **error)
{
	c->added = false;
	if (!open_if_needed(c, w, error))
		return false;
	step->removed = c->removed;
	step->more |= c->removing;
	c->removed = false;
	if (!c->frontier || !c->configured)
		return true; /* replies wait until each source has its row */
	if (!take_replies(c, step, error) || !web_answer_take_held(c, error) ||
	        !add_lists(c, step, error) || !web_recheck(c, error) || !web_sources_sync(c, error))
		return false;
	step->full = c->full;
	c->full = false;
	if ((step->may_ask && !step->full && !ask_next(c, error)) ||
	        !web_partition_step(c, step->may_ask, error))
		return false;
	step->added = c->added;
	step->more |= frontier_has_unchecked(c->frontier);
	return !step->may_ask || step->more || learn_rules(c, step, error);
}

bool web_crawl_stored(WebCrawl *c)
{
	bool stored = c->stored;
	c->stored = false;
	return stored;
}

int64_t web_crawl_next_us(const WebCrawl *c)
{
	if (!c->configured || c->lists.length > 0 ||
	        (c->frontier && frontier_has_unchecked(c->frontier)))
		return 0;
	if (!c->frontier)
		return INT64_MAX;
	int64_t rules_us = MIN(web_rules_next_us(c), web_partition_next_us(c));
	if (c->asking >= MOST_ASKING)
		return rules_us;
	WebTime now = web_now();
	int64_t wait_ms = frontier_wait_ms(c->frontier, &now);
	int64_t next_ms = MAX(now.monotonic_ms + wait_ms, web_network_next_ms(c));
	return wait_ms < 0 || next_ms == INT64_MAX ? rules_us : MIN(rules_us, next_ms * 1000);
}

/* The user who asks for a visit may know that the stored bytes are damaged. */
static bool verify_page(
        WebCrawl *c, const char *origin, const char *path, const char *url, GError **error)
{
	const WebSource *s = web_source_of(c, origin, path, WEB_PAGE);
	g_auto(WebPageRow) page = {0};
	Entry entry;
	bool lost = false;
	int found = s ? writer_web_find_page(c->w, s->id, url, &entry, error) : 0;
	if (found > 0)
		found = writer_web_get_page(c->w, entry.inode, &page, error);
	if (found <= 0)
		return found == 0;
	g_autoptr(WarcContent) content = web_source_read(c, &page, &lost);
	return !lost || web_page_lose(c, &page, error);
}

bool web_crawl_reserve(WebCrawl *c, Writer *w, const char *origin, int64_t patience_ms,
        int64_t *wait_r, GError **error)
{
	WebTime now = web_now();
	*wait_r = 0;
	return open_if_needed(c, w, error) &&
	       (!c->frontier ||
	               frontier_reserve(c->frontier, &now, origin, patience_ms, wait_r, error));
}

bool web_crawl_release(WebCrawl *c, Writer *w, const char *origin, GError **error)
{
	WebTime now = web_now();
	return open_if_needed(c, w, error) &&
	       (!c->frontier || frontier_end_reserve(c->frontier, &now, origin, error));
}

bool web_crawl_visit(WebCrawl *c, Writer *w, const char *url, bool *known_r, GError **error)
{
	const char *path;
	WebTime now = web_now();
	g_autofree char *origin = url_origin(url, &path);
	*known_r = false;
	if (!open_if_needed(c, w, error))
		return false;
	if (!c->frontier || !origin)
		return true;
	return verify_page(c, origin, path, url, error) &&
	       frontier_ask_again(c->frontier, &now, origin, path, known_r, error);
}
