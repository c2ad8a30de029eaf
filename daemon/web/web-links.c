/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/url/url-canonical.h"
#include "common/url/url-origin.h"
#include "daemon/web/web-crawl-private.h"
#include <string.h>

enum { LIST_SLICE = 500 };

bool web_links_add(WebCrawl *c, const WebHref *href, GError **error)
{
	const char *path;
	WebTime now = web_now();
	g_autofree char *url = url_canonical(href->href, -1, href->base, NULL);
	g_autofree char *origin = url ? url_origin(url, &path) : NULL;
	if (!origin)
		return true;
	const WebSource *s = web_source_of(c, origin, path, href->kind);
	const Topic *topic = s ? s->topic : NULL;
	const WebFound found = {.origin = origin,
	        .path = path,
	        .kind = href->kind,
	        .depth = href->depth,
	        .is_redirect = href->is_redirect,
	        .is_listed = href->is_listed,
	        .prior_s = href->prior_s,
	        .link_topic = topic ? topic_of_link(topic, href->text, path) : 0,
	        .page_topic = topic && s == href->source ? href->page_topic : 0};
	return frontier_add(c->frontier, &now, &found, error);
}

/* ---- sitemaps */

static int64_t seconds_of(const char *iso)
{
	g_autoptr(GTimeZone) utc = g_time_zone_new_utc();
	g_autoptr(GDateTime) time = g_date_time_new_from_iso8601(iso, utc);
	g_autofree char *midnight = time ? NULL : g_strdup_printf("%sT00:00:00Z", iso);
	if (!time)
		time = g_date_time_new_from_iso8601(midnight, utc);
	return time ? g_date_time_to_unix(time) : 0;
}

/* text: lastmod TAB changefreq TAB priority. */
static double prior_of_entry(const char *text)
{
	g_auto(GStrv) parts = g_strsplit(text, "\t", 3);
	guint n = g_strv_length(parts);
	double prior = n > 1 ? schedule_prior_of_changefreq(parts[1]) : 0;
	if (prior > 0 || n == 0)
		return prior;
	return schedule_prior_of_lastmod(seconds_of(parts[0]), g_get_real_time() / G_USEC_PER_SEC);
}

static bool add_entry(WebCrawl *c, const Url *base, const DocLink *link, GError **error)
{
	if (link->kind != LINK_PAGE && link->kind != LINK_SITEMAP)
		return true;
	const WebHref href = {.base = base,
	        .href = link->href,
	        .kind = link->kind == LINK_SITEMAP ? WEB_SITEMAP : WEB_PAGE,
	        .depth = 1,
	        .is_listed = true,
	        .prior_s = link->kind == LINK_PAGE ? prior_of_entry(link->text) : 0};
	return web_links_add(c, &href, error);
}

bool web_links_add_list(WebCrawl *c, WebList *list, bool *done_r, GError **error)
{
	g_autoptr(Url) base = url_parse(list->reply->url, -1, NULL, NULL);
	GPtrArray *documents = list->reply->documents;
	*done_r = false;
	for (unsigned n = 0; n < LIST_SLICE; n++) {
		if (!documents || list->document >= documents->len) {
			*done_r = true;
			return true;
		}
		const Document *doc = documents->pdata[list->document];
		if (list->link >= doc->links->len) {
			list->document++;
			list->link = 0;
			continue;
		}
		if (!add_entry(c, base, &g_array_index(doc->links, DocLink, list->link++), error))
			return false;
	}
	return true;
}
