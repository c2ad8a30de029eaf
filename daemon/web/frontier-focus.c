/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier-focus.c - a source with a topic: which link is followed first, and what it yields
 *
 * A crawl by the best link first (F. Menczer, G. Pant, P. Srinivasan, "Topical web crawlers", ACM
 * TOIT 4(4), 2004). The evidence about a link is its own words, the page that has it, and its
 * siblings: pages of the same shape (traps.h). The first two make the priority of its row. The
 * third grows while the crawl goes on (S. Chakrabarti, K. Punera, M. Subramanyam, "Accelerated
 * focused crawling through online relevance feedback", WWW 2002), so it is added whenever the queue
 * is read. A shape without pages counts as one that yields well, or it would never be tried.
 *
 * Pages that are not about the topic are counted as poor pages are, under keys of their own: for
 * each shape in hundredths of a page, and for the whole source in pages. */
#include <config.h>
#include "daemon/web/frontier-private.h"
#include "daemon/web/topic.h"
#include "daemon/web/traps.h"
#include <math.h>
#include <string.h>

#define LINK_SHARE .45
#define PAGE_SHARE .27
#define YIELD_SHARE .28
#define YIELD_UNKNOWN .5 /* as if one page of this score was read before all others */
enum { HUNDREDTHS = 100 };

enum { FOCUS_LEAST = 10, FOCUS_MOST = 200 };

bool frontier_is_focused(const FrontierHost *h)
{
	for (const FrontierSource *s = h->sources; s; s = s->next)
		if (s->row.focused)
			return true;
	return false;
}

static int64_t shape_key(const char *path)
{
	g_autofree char *shape = trap_shape(path), *key = g_strconcat("topic ", shape, NULL);
	return web_hash(key, strlen(key));
}

unsigned frontier_focus_priority(const WebFound *found)
{
	double score = LINK_SHARE * CLAMP(found->link_topic, 0, 1) +
	               PAGE_SHARE * CLAMP(found->page_topic, 0, 1);
	return FOCUS_LEAST + (unsigned)(score * (FOCUS_MOST - FOCUS_LEAST));
}

static bool read_yield(
        Frontier *f, const FrontierHost *h, int64_t key, unsigned *yield_r, GError **error)
{
	unsigned pages, off;
	if (!writer_web_branch(f->w, h->row.id, key, &pages, &off, error))
		return false;
	double yield = (pages - MIN(off, pages) + YIELD_UNKNOWN * HUNDREDTHS) /
	               ((double)pages + HUNDREDTHS);
	*yield_r = (unsigned)(YIELD_SHARE * yield * (FOCUS_MOST - FOCUS_LEAST));
	return true;
}

static bool find_yield(Frontier *f, const FrontierHost *h, int64_t key, GHashTable *yields,
        unsigned *yield_r, GError **error)
{
	gpointer known;
	if (!yields)
		return read_yield(f, h, key, yield_r, error);
	if (g_hash_table_lookup_extended(yields, &key, NULL, &known)) {
		*yield_r = GPOINTER_TO_UINT(known);
		return true;
	}
	if (!read_yield(f, h, key, yield_r, error))
		return false;
	g_hash_table_insert(yields, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(*yield_r));
	return true;
}

bool frontier_focus_rank(Frontier *f, const FrontierHost *h, WebNext *next, const char *path,
        GHashTable *yields, GError **error)
{
	unsigned yield;
	const FrontierSource *s = next->is_new && next->kind == WEB_PAGE
	                                  ? frontier_source_of(h, WEB_PAGE, path)
	                                  : NULL;
	if (!s || !s->row.focused)
		return true;
	if (!find_yield(f, h, shape_key(path), yields, &yield, error))
		return false;
	next->priority = MIN(next->priority + yield, FOCUS_MOST);
	return true;
}

bool frontier_note_topic(
        Frontier *f, const char *origin, const char *path, double topic, GError **error)
{
	const FrontierHost *h = frontier_find_host(f, origin);
	const FrontierSource *s = h ? frontier_source_of(h, WEB_PAGE, path) : NULL;
	bool off = topic < TOPIC_RELEVANT;
	unsigned part = HUNDREDTHS - (unsigned)lround(HUNDREDTHS * CLAMP(topic, 0, 1));
	if (!s)
		return true;
	return writer_web_count_branch(f->w, h->row.id, shape_key(path), HUNDREDTHS, part, error) &&
	       writer_web_count_branch(
	               f->w, h->row.id, web_harvest_key(s->row.prefix), 1, off, error);
}

/* ---- links that are still to come */

void frontier_wait_for_links(
        Frontier *f, const WebTime *now, const char *origin, const char *path, int64_t most_ms)
{
	FrontierHost *h = frontier_find_host(f, origin);
	if (!h || !frontier_is_focused(h))
		return;
	h->awaited = web_hash(path, strlen(path));
	h->awaited_ms = now->monotonic_ms + most_ms;
	frontier_order_host(f, h, now);
}

void frontier_end_wait(Frontier *f, const WebTime *now, const char *origin, const char *path)
{
	FrontierHost *h = frontier_find_host(f, origin);
	if (!h || h->awaited != web_hash(path, strlen(path)))
		return;
	h->awaited = 0;
	frontier_order_host(f, h, now);
}
