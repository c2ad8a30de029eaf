/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/text.h"
#include "common/url/url-origin.h"
#include "daemon/web/web-crawl-private.h"
#include <glib/gstdio.h>
#include <string.h>

enum { RECORD_BYTES = WARC_MAX_BODY_BYTES + 4 * WARC_MAX_HEAD_BYTES };

void web_source_free(void *data)
{
	WebSource *s = data;
	warc_store_close(s->store);
	g_free(s->url);
	g_free(s->origin);
	g_free(s->prefix);
	g_free(s->path);
	g_free(s->local);
	g_free(s->contact);
	g_free(s->partition);
	g_strfreev(s->include);
	topic_free(s->topic);
	web_source_end_test(s);
	g_strfreev(s->exclude);
	g_free(s);
}

/* ---- settings */

/* A feed is one URL; a site is what lies below its path. */
static char *source_prefix(const char *path, bool is_feed)
{
	return g_strndup(path, is_feed ? strlen(path) : url_site_length(path));
}

static WebKeep source_keep(const char *name)
{
	if (g_strcmp0(name, "text") == 0)
		return WEB_KEEP_TEXT;
	return g_strcmp0(name, "nothing") == 0 ? WEB_KEEP_NOTHING : WEB_KEEP_PAGE;
}

static WebSource *source_of_settings(const SettingsSource *settings)
{
	const char *path;
	char *origin = url_origin(settings->url, &path);
	if (!origin)
		return NULL;
	WebSource *s = g_new0(WebSource, 1);
	s->url = g_strdup(settings->url);
	s->origin = origin;
	s->path = g_strdup(path);
	s->prefix = source_prefix(path, settings->is_feed);
	s->local = url_host_is_local(s->url) ? url_place(s->url) : NULL;
	s->contact = g_strdup(settings->contact);
	s->is_feed = settings->is_feed;
	s->partition = *settings->partition ? g_strdup(settings->partition) : NULL;
	s->keep = source_keep(settings->keep);
	s->full = settings->is_feed && settings->full && s->keep != WEB_KEEP_NOTHING;
	s->pages = !settings->is_feed ? settings->pages : s->full ? settings->pages + 1 : 1;
	s->depth = settings->depth > 0 ? settings->depth : INT_MAX;
	s->bytes = settings->bytes > 0 ? settings->bytes : INT64_MAX / 2;
	s->every_s = settings->every_s;
	s->topic = settings->about ? topic_new(settings->about) : NULL;
	s->include = g_strdupv((char **)settings->include);
	s->exclude = g_strdupv((char **)settings->exclude);
	return s;
}

/* The URLs of a host that one prefix covers belong to one source. */
static const WebSource *source_with_prefix(
        const GPtrArray *sources, const char *origin, const char *prefix)
{
	for (guint i = 0; i < sources->len; i++) {
		const WebSource *s = sources->pdata[i];
		if (strcmp(s->origin, origin) == 0 && strcmp(s->prefix, prefix) == 0)
			return s;
	}
	return NULL;
}

GPtrArray *web_sources_new(const Settings *settings)
{
	unsigned n;
	const SettingsSource *all = settings_sources(settings, &n);
	GPtrArray *sources = g_ptr_array_new_with_free_func(web_source_free);
	for (unsigned i = 0; i < n; i++) {
		WebSource *s = source_of_settings(&all[i]);
		const WebSource *same =
		        s ? source_with_prefix(sources, s->origin, s->prefix) : NULL;
		if (s && !same) {
			g_ptr_array_add(sources, s);
			continue;
		}
		if (same)
			g_warning("%s is not read by itself: it has the pages of %s", s->url,
			        same->url);
		if (s)
			web_source_free(s);
	}
	return sources;
}

static void source_take_over(WebSource *s, WebSource *old)
{
	s->id = old->id;
	s->store = g_steal_pointer(&old->store);
	s->dirty = old->dirty;
	old->dirty = false;
}

void web_sources_hand_over(GPtrArray *old, GPtrArray *sources)
{
	for (guint i = 0; i < old->len; i++) {
		WebSource *from = old->pdata[i];
		g_autoptr(GError) failure = NULL;
		for (guint k = 0; k < sources->len; k++) {
			WebSource *to = sources->pdata[k];
			if (strcmp(to->url, from->url) == 0 && to->is_feed == from->is_feed &&
			        !to->store)
				source_take_over(to, from);
		}
		if (from->dirty && !warc_store_sync(from->store, &failure))
			g_warning("%s: %s", from->url, failure->message);
	}
}

/* ---- rows */

/* A page of a site before is this feed now. */
static bool feed_begin(WebCrawl *c, const WebSource *feed, GError **error)
{
	WebSource *site = web_source_of(c, feed->origin, feed->path, WEB_PAGE);
	return frontier_forget_url(c->frontier, feed->origin, feed->path, WEB_PAGE, error) &&
	       (!site || site->id == 0 || web_page_remove(c, site, feed->url, error));
}

/* Pages of items of a feed are pages of this site now. */
static bool site_begin(WebCrawl *c, const WebSource *site, GError **error)
{
	bool full = false;
	for (guint i = 0; i < c->sources->len && !full; i++) {
		const WebSource *s = c->sources->pdata[i];
		full = s->full && strcmp(s->origin, site->origin) == 0;
	}
	return !full || frontier_forget_items(c->frontier, site->origin, site->prefix, error);
}

static bool source_add(WebCrawl *c, WebSource *s, const WebTime *now, GError **error)
{
	WebSourceRow limits = {.prefix = s->prefix,
	        .pages_most = s->pages,
	        .depth_most = s->depth,
	        .bytes_most = s->bytes,
	        .every_s = s->every_s,
	        .first = s->is_feed ? WEB_FEED : WEB_PAGE,
	        .full = s->full,
	        .focused = s->topic != NULL};
	int64_t node;
	if (s->is_feed && !feed_begin(c, s, error))
		return false;
	if (!frontier_add_source(c->frontier, now, s->origin, &limits, 0, error) ||
	        !frontier_set_patterns(c->frontier, now, s->origin, s->prefix,
	                (const char *const *)s->include, (const char *const *)s->exclude, error) ||
	        !writer_web_host(c->w, s->origin, &limits.host, error) ||
	        !writer_web_add_source(c->w, &limits, &s->id, error) ||
	        !writer_web_name_source(c->w, s->id, s->url, s->is_feed, &node, error))
		return false;
	if (!s->is_feed && !site_begin(c, s, error))
		return false;
	if (strcmp(s->path, s->prefix) == 0)
		return true;
	return frontier_add(
	        c->frontier, now, &(WebFound){.origin = s->origin, .path = s->path}, error);
}

static bool add_sources(WebCrawl *c, bool feeds, const WebTime *now, GError **error)
{
	for (guint i = 0; i < c->sources->len; i++) {
		WebSource *s = c->sources->pdata[i];
		if (s->is_feed == feeds && !source_add(c, s, now, error))
			return false;
	}
	return true;
}

typedef struct {
	int64_t id;
	char *url;
	char *prefix; /* of its row, or as its URL says */
	bool is_feed;
} GoneSource;

static void gone_clear(void *gone)
{
	g_free(((GoneSource *)gone)->url);
	g_free(((GoneSource *)gone)->prefix);
}

typedef struct {
	const WebCrawl *crawl;
	GHashTable *prefixes; /* int64_t id of a row -> its prefix */
	GArray *gone; /* of GoneSource */
} FindGone;

static void note_prefix(const WebSourceRow *row, void *data)
{
	FindGone *find = data;
	g_hash_table_replace(
	        find->prefixes, g_memdup2(&row->id, sizeof row->id), g_strdup(row->prefix));
}

static void find_gone(const WebNamedSource *named, void *data)
{
	FindGone *find = data;
	const char *path;
	g_autofree char *origin = url_origin(named->url, &path);
	const char *known = g_hash_table_lookup(find->prefixes, &named->id);
	g_autofree char *prefix = known    ? g_strdup(known)
	                          : origin ? source_prefix(path, named->is_feed)
	                                   : NULL;
	const WebSource *s =
	        origin ? source_with_prefix(find->crawl->sources, origin, prefix) : NULL;
	if (s && s->is_feed == named->is_feed)
		return; /* another URL of the same pages takes it over */
	GoneSource gone = {
	        named->id, g_strdup(named->url), g_steal_pointer(&prefix), named->is_feed};
	g_array_append_val(find->gone, gone);
}

static void remove_store(const WebCrawl *c, int64_t id)
{
	g_autofree char *number = g_strdup_printf("%" G_GINT64_FORMAT, id);
	g_autofree char *path = g_build_filename(c->stores, number, NULL);
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	const char *name;
	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *file = g_build_filename(path, name, NULL);
		g_unlink(file);
	}
	g_rmdir(path);
}

static void note_id(const WebNamedSource *named, void *data)
{
	g_hash_table_add(data, g_memdup2(&named->id, sizeof named->id));
}

/* Removes the stores of sources that have no row. A store outlives its rows until these are gone
 * for good, so a kill leaves it behind; and its number may be given to a new source. */
static bool sweep_stores(const WebCrawl *c, GError **error)
{
	g_autoptr(GHashTable) ids =
	        g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	g_autoptr(GDir) dir = g_dir_open(c->stores, 0, NULL);
	const char *name;
	if (!dir)
		return true;
	if (!writer_web_each_named(c->w, note_id, ids, error))
		return false;
	while ((name = g_dir_read_name(dir))) {
		int64_t id = g_ascii_strtoll(name, NULL, 10);
		if (id > 0 && !g_hash_table_contains(ids, &id))
			remove_store(c, id);
	}
	return true;
}

typedef struct {
	WebCrawl *crawl;
	const WebTime *now;
} GivePages;

/* A page that lies below another site is asked again for that one, which does not have it. */
static bool give_page_back(const char *url, void *data, GError **error)
{
	const GivePages *give = data;
	WebCrawl *c = give->crawl;
	const char *path;
	bool known;
	g_autofree char *origin = url_origin(url, &path);
	return !origin || !web_source_of(c, origin, path, WEB_PAGE) ||
	       frontier_ask_whole(c->frontier, give->now, origin, path, &known, error);
}

/* The documents go in parts. Until all are gone, a start finds the source again and goes on. */
static bool source_remove(WebCrawl *c, const GoneSource *gone, const WebTime *now, GError **error)
{
	const char *path;
	g_autofree char *origin = url_origin(gone->url, &path);
	GivePages give = {c, now};
	bool more;
	g_debug("web: %s: the source is removed", gone->url);
	if (!writer_web_remove_documents(
	            c->w, gone->id, gone->is_feed ? NULL : give_page_back, &give, &more, error))
		return false;
	c->removing |= more;
	if (more || !origin)
		return true;
	if (gone->is_feed && !frontier_forget_url(c->frontier, origin, path, WEB_FEED, error))
		return false; /* a site around it may take it as a page */
	return frontier_remove_source(c->frontier, now, origin, gone->prefix, error);
}

static bool remove_gone(WebCrawl *c, const WebTime *now, bool *removed_r, GError **error)
{
	g_autoptr(GArray) gone = g_array_new(FALSE, FALSE, sizeof(GoneSource));
	g_autoptr(GHashTable) prefixes =
	        g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	FindGone find = {c, prefixes, gone};
	g_array_set_clear_func(gone, gone_clear);
	c->removing = false;
	if (!writer_web_each_source(c->w, note_prefix, &find, error) ||
	        !writer_web_each_named(c->w, find_gone, &find, error))
		return false;
	for (guint i = 0; i < gone->len; i++)
		if (!source_remove(c, &g_array_index(gone, GoneSource, i), now, error))
			return false;
	*removed_r = gone->len > 0;
	return !*removed_r || (frontier_commit(c->frontier, error) && sweep_stores(c, error));
}

static void note_named(const WebNamedSource *named, void *data)
{
	*(bool *)data = true;
}

/* Without sources, now and before, there is nothing to open. */
static bool needs_frontier(WebCrawl *c, bool *needed_r, GError **error)
{
	*needed_r = c->frontier || c->sources->len > 0;
	return *needed_r || writer_web_each_named(c->w, note_named, needed_r, error);
}

bool web_sources_open(WebCrawl *c, bool *removed_r, GError **error)
{
	bool needed;
	*removed_r = false;
	if (!sweep_stores(c, error) || !needs_frontier(c, &needed, error))
		return false;
	if (!needed)
		return true;
	WebTime now = web_now();
	if (!c->frontier)
		c->frontier = frontier_open(c->w, &now, true, error);
	if (!c->frontier || !remove_gone(c, &now, removed_r, error))
		return false;
	/* a feed takes its URL from the row of a site */
	if (!c->removing &&
	        (!add_sources(c, false, &now, error) || !add_sources(c, true, &now, error)))
		return false;
	return frontier_commit(c->frontier, error);
}

/* ---- finding */

WebSource *web_source_of(const WebCrawl *c, const char *origin, const char *path, WebKind kind)
{
	WebSource *best = NULL;
	for (guint i = 0; i < c->sources->len; i++) {
		WebSource *s = c->sources->pdata[i];
		if (strcmp(s->origin, origin) != 0 || s->is_feed != (kind == WEB_FEED))
			continue;
		bool below = s->is_feed ? strcmp(path, s->prefix) == 0
		                        : kind == WEB_SITEMAP || url_site_has(s->prefix, path);
		if (below && (!best || strlen(s->prefix) > strlen(best->prefix)))
			best = s;
	}
	return best;
}

WebSource *web_source_by_id(const WebCrawl *c, int64_t id)
{
	for (guint i = 0; i < c->sources->len; i++) {
		WebSource *s = c->sources->pdata[i];
		if (s->id == id)
			return s;
	}
	return NULL;
}

const char *web_sources_local(const WebCrawl *c, const char *origin)
{
	for (guint i = 0; i < c->sources->len; i++) {
		const WebSource *s = c->sources->pdata[i];
		if (s->local && strcmp(s->origin, origin) == 0)
			return s->local;
	}
	return NULL;
}

/* ---- stores */

static char *source_store_dir(const WebCrawl *c, int64_t id)
{
	g_autofree char *number = g_strdup_printf("%" G_GINT64_FORMAT, id);
	return g_build_filename(c->stores, number, NULL);
}

bool web_source_store(WebCrawl *c, WebSource *s, WarcStore **store_r, GError **error)
{
	WarcPlace last;
	*store_r = s->store;
	if (s->store)
		return true;
	if (!writer_web_last_place(c->w, s->id, &last, error))
		return false;
	g_autofree char *dir = source_store_dir(c, s->id);
	g_autoptr(GError) failure = NULL;
	g_mkdir(c->stores, 0700);
	s->store =
	        warc_store_open(dir, PACKAGE_NAME " " PACKAGE_VERSION, &last, NULL, NULL, &failure);
	if (!s->store) {
		c->full |= g_error_matches(failure, WARC_ERROR, WARC_ERROR_FULL);
		g_warning("%s: %s", dir, failure->message);
	}
	*store_r = s->store;
	return true;
}

bool web_source_append(
        WebCrawl *c, WebSource *s, const WarcDraft *draft, WarcPlace *place_r, GError **error)
{
	g_autoptr(GError) failure = NULL;
	WarcStore *store;
	*place_r = (WarcPlace){0};
	if (!web_source_store(c, s, &store, error))
		return false;
	if (!store)
		return true;
	if (!warc_store_append(store, draft, place_r, NULL, &failure)) {
		c->full |= g_error_matches(failure, WARC_ERROR, WARC_ERROR_FULL);
		g_warning("%s: %s", draft->uri, failure->message);
		*place_r = (WarcPlace){0};
		return true;
	}
	s->dirty = c->stored = true;
	return true;
}

WarcContent *web_source_read(const WebCrawl *c, const WebPageRow *page, bool *lost_r)
{
	g_autoptr(GError) failure = NULL;
	*lost_r = false;
	if (page->place.file == 0)
		return NULL;
	g_autofree char *dir = source_store_dir(c, page->source);
	WarcContent *content =
	        warc_store_read(dir, &page->place, page->url, RECORD_BYTES, &failure);
	*lost_r = g_error_matches(failure, WARC_ERROR, WARC_ERROR_DAMAGED);
	if (failure)
		g_message("%s: %s", page->url, failure->message);
	return content;
}

bool web_sources_sync(WebCrawl *c, GError **error)
{
	for (guint i = 0; i < c->sources->len; i++) {
		WebSource *s = c->sources->pdata[i];
		g_autoptr(GError) failure = NULL;
		if (!s->dirty)
			continue;
		if (!warc_store_sync(s->store, &failure)) {
			bool full = g_error_matches(failure, WARC_ERROR, WARC_ERROR_FULL);
			g_set_error(error, INDEX_ERROR, full ? INDEX_ERROR_FULL : INDEX_ERROR_OTHER,
			        "%s", failure->message);
			return false;
		}
		s->dirty = false;
	}
	return true;
}
