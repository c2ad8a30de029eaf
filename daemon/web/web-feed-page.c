/* SPDX-License-Identifier: GPL-3.0-or-later */
/* web-feed-page.c - a feed among the pages of a site, which nobody added as a feed
 *
 * Its items are teasers of pages. So it is read for their links only, as a page with noindex. */
#include <config.h>
#include "common/url/url-origin.h"
#include "daemon/web/web-crawl-private.h"

bool web_page_is_feed(const WebPageRow *page, const Document *doc)
{
	static const char *const types[] = {
	        "application/rss+xml", "application/atom+xml", "application/feed+json", NULL};
	return page->kind == WEB_PAGE_ANSWER && doc->mime && g_strv_contains(types, doc->mime);
}

bool web_feed_page_follow(WebCrawl *c, const WebPageRow *page, const Document *item, GError **error)
{
	const char *path, *link = document_fact(item, FIELD_URL);
	unsigned depth;
	g_autofree char *origin = url_origin(page->url, &path);
	g_autoptr(Url) base = url_parse(page->url, -1, NULL, NULL);
	if (!link || !base || !origin || page->flags & (WEB_PAGE_NO_FOLLOW | WEB_PAGE_READ))
		return true;
	if (!web_page_depth(c, origin, path, &depth, error))
		return false;
	const WebHref href = {.base = base,
	        .href = link,
	        .depth = depth + 1,
	        .text = document_fact(item, FIELD_TITLE),
	        .source = web_source_by_id(c, page->source)};
	return web_links_add(c, &href, error);
}
