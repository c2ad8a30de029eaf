/* SPDX-License-Identifier: GPL-3.0-or-later */
/* web-hops.c - the end of redirects that lead on without end
 *
 * A site that wants a cookie may send every request to a URL that it has never sent anybody to. The
 * redirects that led to a page are counted in memory: after a restart, a chain may go on a little.
 */
#include <config.h>
#include "daemon/web/web-crawl-private.h"

enum { MOST_KNOWN = 4096 };

bool web_hops_may_follow(WebCrawl *c, const char *url, const char *target)
{
	guint hops = GPOINTER_TO_UINT(g_hash_table_lookup(c->hops, url));
	if (hops >= WEB_REDIRECTS)
		return false;
	if (g_hash_table_size(c->hops) >= MOST_KNOWN)
		g_hash_table_remove_all(c->hops);
	if (!g_hash_table_contains(c->hops, target))
		g_hash_table_insert(c->hops, g_strdup(target), GUINT_TO_POINTER(hops + 1));
	return true;
}
