/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/url/url-origin.h"
#include "daemon/web/web-crawl-private.h"

/* The page lies below another source now, which was added after it was read. */
static bool give_page(WebCrawl *c, WebSource *from, const WebPageRow *page, const char *origin,
        const char *path, GError **error)
{
	WebTime now = web_now();
	bool known;
	g_debug("web: %s belongs to another source now", page->url);
	return web_page_remove(c, from, page->url, error) &&
	       frontier_ask_whole(c->frontier, &now, origin, path, &known, error);
}

static bool recheck_page(WebCrawl *c, const WebPageRow *page, GError **error)
{
	const char *path;
	bool wanted = true;
	WebSource *s = web_source_by_id(c, page->source);
	g_autofree char *origin = url_origin(page->url, &path);
	if (!s || !origin || page->kind == WEB_PAGE_ITEM)
		return true;
	if (web_source_of(c, origin, path, WEB_PAGE) != s)
		return give_page(c, s, page, origin, path, error);
	if (!frontier_check(c->frontier, origin, path, &wanted, error))
		return false;
	if (wanted)
		return true;
	g_debug("web: %s is out of scope and leaves the index", page->url);
	return web_page_remove(c, s, page->url, error);
}

bool web_recheck(WebCrawl *c, GError **error)
{
	enum { PAGES = 256 };
	int64_t source, after;
	if (!frontier_next_unchecked(c->frontier, &source, &after))
		return true;
	g_autoptr(GArray) pages = g_array_new(FALSE, FALSE, sizeof(WebPageRow));
	g_array_set_clear_func(pages, (GDestroyNotify)web_page_row_clear);
	if (!writer_web_pages_after(c->w, source, after, PAGES, pages, error))
		return false;
	for (guint i = 0; i < pages->len; i++) {
		const WebPageRow *page = &g_array_index(pages, WebPageRow, i);
		after = page->inode;
		if (!recheck_page(c, page, error))
			return false;
	}
	return frontier_note_checked(c->frontier, after, pages->len < PAGES, error);
}
