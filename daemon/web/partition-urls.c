/* SPDX-License-Identifier: GPL-3.0-or-later */
/* partition-urls.c - URLs that crawlers tell each other
 *
 * A page is told as answered when it is on the disk, since nobody asks it again, and when its links
 * were told before, so that whoever takes the host over either has the links or asks the page
 * again. */
#include <config.h>
#include "common/url/url-origin.h"
#include "daemon/web/partition-private.h"
#include <math.h>
#include <string.h>

enum { WALK_SLICE = 200 };

guint shared_url_hash(gconstpointer key)
{
	const SharedUrl *url = key;
	return (guint)url->hash ^ GPOINTER_TO_UINT(url->origin);
}

gboolean shared_url_equal(gconstpointer a, gconstpointer b)
{
	const SharedUrl *one = a, *other = b;
	return one->hash == other->hash && one->origin == other->origin;
}

/* An answer goes after what was queued meanwhile: the links of the page. */
void shared_url_queue(
        WebPartition *p, SharedHost *host, const char *origin, int64_t hash, bool fresh)
{
	const SharedUrl key = {.origin = origin, .hash = hash};
	SharedUrl *url = g_hash_table_lookup(p->queued, &key);
	if (url && !fresh)
		return;
	if (url) {
		url->fresh = true;
		g_queue_unlink(&p->outbox, url->place);
		g_queue_push_tail_link(&p->outbox, url->place);
		return;
	}
	url = g_new0(SharedUrl, 1);
	*url = (SharedUrl){host, origin, hash, fresh, NULL};
	g_queue_push_tail(&p->outbox, url);
	url->place = p->outbox.tail;
	host->queued++;
	g_hash_table_add(p->queued, url);
}

/* ---- to the database */

/* An answer that leaves a page as others have it, or that tells nothing of it. */
static bool status_takes_place(unsigned status)
{
	return status == 200 || status == 203 || status == 301 || status == 308 || status == 404 ||
	       status == 410;
}

static void urls_add_row(GVariantBuilder *urls, const SharedUrl *url, const WebUrlRow *row)
{
	int64_t now_s = g_get_real_time() / G_USEC_PER_SEC;
	bool answered = row->status >= 100;
	unsigned flags = answered && row->is_over ? PARTITION_URL_OVER : 0;
	if (answered && url->fresh)
		flags |= PARTITION_URL_FRESH |
		         (status_takes_place(row->status) ? PARTITION_URL_KEPT : 0);
	g_variant_builder_add(urls, PARTITION_URL, url->origin, row->hash, row->path,
	        (guchar)row->kind, (guint32)row->depth, (guchar)MIN(row->priority, 255),
	        (guint32)(answered ? row->status : 0), (guchar)flags,
	        (gint64)CLAMP(row->due_s - now_s, 0, SCHEDULE_MOST_S),
	        (gint64)MAX(0, now_s - row->visit.visited_s), (double)row->visit.changes,
	        (double)row->visit.seconds, (guint32)row->visit.failures);
}

/* The page of an item is asked by whoever reads the feed, who has the item. */
static bool row_is_shared(const WebUrlRow *row)
{
	return row->kind != WEB_ITEM && row->status != WEB_ALIAS && row->status != WEB_HELD_SEEN &&
	       g_utf8_validate(row->path, -1, NULL);
}

static bool urls_add(WebCrawl *c, GVariantBuilder *urls, SharedUrl *url, GError **error)
{
	g_auto(WebUrlRow) row = {0};
	int found = frontier_get_url(c->frontier, url->origin, url->hash, &row, error);
	if (found > 0 && row_is_shared(&row))
		urls_add_row(urls, url, &row);
	return found >= 0;
}

/* False: there is none left. */
static bool walk_next_origin(const WebPartition *p, SharedWalk *walk, SharedHost **host_r)
{
	for (; walk->host < p->order->len; walk->host++, walk->origin = 0) {
		SharedHost *host = p->order->pdata[walk->host];
		if (walk->origin < host->origins->len) {
			*host_r = host;
			return true;
		}
	}
	walk->running = false;
	return false;
}

/* Queues some of the URLs that are known from before. */
static bool urls_walk(WebCrawl *c, GError **error)
{
	WebPartition *p = c->partition;
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(WebUrlRow));
	SharedHost *host;
	g_array_set_clear_func(rows, (GDestroyNotify)web_url_row_clear);
	if (!p->walk.running || p->outbox.length > 0 || !walk_next_origin(p, &p->walk, &host))
		return true;
	const char *origin = host->origins->pdata[p->walk.origin];
	if (!frontier_urls_after(c->frontier, origin, p->walk.hash, WALK_SLICE, rows, error))
		return false;
	for (guint i = 0; i < rows->len; i++) {
		p->walk.hash = g_array_index(rows, WebUrlRow, i).hash;
		shared_url_queue(p, host, origin, p->walk.hash, false);
	}
	if (rows->len < WALK_SLICE) {
		p->walk.origin++;
		p->walk.hash = INT64_MIN;
	}
	return true;
}

bool shared_urls_take(WebCrawl *c, GVariantBuilder *urls, GError **error)
{
	WebPartition *p = c->partition;
	bool fresh = false;
	if (!urls_walk(c, error))
		return false;
	while (p->outbox.length > 0 && p->sent_urls->len < PARTITION_URLS_MOST) {
		SharedUrl *url = g_queue_peek_head(&p->outbox);
		if (!urls_add(c, urls, url, error))
			return false;
		g_queue_pop_head(&p->outbox);
		g_hash_table_remove(p->queued, url);
		g_ptr_array_add(p->sent_urls, url);
		fresh |= url->fresh;
	}
	return !fresh || frontier_commit(c->frontier, error);
}

void shared_urls_return(WebPartition *p)
{
	for (guint i = p->sent_urls->len; i-- > 0;) {
		SharedUrl *url = p->sent_urls->pdata[i];
		if (g_hash_table_contains(p->queued, url))
			continue; /* it has been queued again */
		SharedUrl *again = g_new0(SharedUrl, 1);
		*again = *url;
		g_queue_push_head(&p->outbox, again);
		again->place = p->outbox.head;
		again->host->queued++;
		g_hash_table_add(p->queued, again);
	}
	for (guint i = 0; i < p->sent_urls->len; i++)
		((SharedUrl *)p->sent_urls->pdata[i])->host->queued--;
	g_ptr_array_set_size(p->sent_urls, 0);
}

/* ---- from the database */

static bool numbers_are_good(const WebUrlRow *row)
{
	return row->kind < N_WEB_KINDS && row->kind != WEB_ITEM &&
	       (row->status == 0 || (row->status >= 100 && row->status <= 999)) &&
	       row->depth <= INT16_MAX && row->visit.failures <= 255 &&
	       isfinite(row->visit.changes) && row->visit.changes >= 0 &&
	       isfinite(row->visit.seconds) && row->visit.seconds >= 0;
}

static bool path_is_good(const WebUrlRow *row)
{
	size_t length = strlen(row->path);
	return row->path[0] == '/' && length <= WEB_PATH_MOST &&
	       web_hash(row->path, length) == row->hash;
}

static bool import_url(WebCrawl *c, GVariant *url, const WebTime *now, GError **error)
{
	WebUrlRow row = {0};
	const char *origin, *path;
	uint8_t kind, priority, flags;
	int64_t due, visited, now_s = now->wall_ms / 1000;
	double changes, seconds;
	g_variant_get(url, "(&sx&syuyuyxxddu)", &origin, &row.hash, &path, &kind, &row.depth,
	        &priority, &row.status, &flags, &due, &visited, &changes, &seconds,
	        &row.visit.failures);
	row.path = (char *)path;
	row.kind = kind;
	row.priority = priority;
	row.is_over = row.status != 0 && (flags & PARTITION_URL_OVER);
	row.due_s = row.status == 0 ? 0 : now_s + CLAMP(due, 0, SCHEDULE_MOST_S);
	row.visit.visited_s =
	        row.status == 0 ? 0 : MAX(1, now_s - CLAMP(visited, 0, WEB_AMOUNT_MOST / 1000));
	row.visit.changes = (float)changes;
	row.visit.seconds = (float)seconds;
	if (!numbers_are_good(&row) || !path_is_good(&row) || !shared_host_of(c->partition, origin))
		return true;
	return frontier_take_url(
	        c->frontier, now, origin, &row, !(flags & PARTITION_URL_MINE), error);
}

bool shared_urls_import(
        WebCrawl *c, GVariant *urls, char **origin_r, int64_t *hash_r, GError **error)
{
	WebTime now = web_now();
	gsize n = g_variant_n_children(urls);
	bool ok = true;
	c->partition->importing = true;
	for (gsize i = 0; i < n && ok; i++) {
		g_autoptr(GVariant) url = g_variant_get_child_value(urls, i);
		ok = import_url(c, url, &now, error);
		if (ok && i == n - 1 && origin_r) {
			g_free(*origin_r);
			g_variant_get_child(url, 0, "s", origin_r);
			g_variant_get_child(url, 1, "x", hash_r);
		}
	}
	c->partition->importing = false;
	return ok;
}

bool shared_urls_remove(WebCrawl *c, GVariant *obsolete, GError **error)
{
	WebPartition *p = c->partition;
	const char *origin, *path;
	int64_t number;
	GVariantIter iter;
	g_variant_iter_init(&iter, obsolete);
	while (g_variant_iter_next(&iter, "(x&s&s)", &number, &origin, &path)) {
		WebSource *s = web_source_of(c, origin, path, WEB_PAGE);
		g_autofree char *url = g_strconcat(origin, path, NULL);
		if (s && s->id != 0 && !web_page_remove(c, s, url, error))
			return false;
		g_array_append_val(p->removed, number);
	}
	return true;
}
