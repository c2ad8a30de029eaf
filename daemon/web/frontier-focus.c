/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier-focus.c - a source with a topic: which link is followed first, and what it yields
 *
 * The evidence about a link is its own words, the page that has it, and its siblings: pages of the
 * same shape (traps.h). Pages that are not about the topic are counted as traps are, under keys of
 * their own, by shape and for the whole source. */
#include <config.h>
#include "daemon/web/frontier-private.h"
#include "daemon/web/topic.h"
#include "daemon/web/traps.h"
#include <string.h>

#define LINK_SHARE 0.5
#define PAGE_SHARE 0.3
#define YIELD_SHARE 0.2

enum { FOCUS_LEAST = 10, FOCUS_MOST = 200 };

static int64_t evidence_key(const char *what, const char *text)
{
	g_autofree char *key = g_strdup_printf("%s %s", what, text);
	return web_hash(key, strlen(key));
}

static int64_t shape_key(const char *path)
{
	g_autofree char *shape = trap_shape(path);
	return evidence_key("topic", shape);
}

bool frontier_focus_priority(Frontier *f, const FrontierHost *h, const WebFound *found,
        unsigned *priority_r, GError **error)
{
	unsigned pages, off;
	if (!writer_web_branch(f->w, h->row.id, shape_key(found->path), &pages, &off, error))
		return false;
	double yield = (pages - MIN(off, pages) + 1.0) / (pages + 2.0);
	double score = LINK_SHARE * CLAMP(found->link_topic, 0, 1) +
	               PAGE_SHARE * CLAMP(found->page_topic, 0, 1) + YIELD_SHARE * yield;
	*priority_r = FOCUS_LEAST + (unsigned)(score * (FOCUS_MOST - FOCUS_LEAST));
	return true;
}

bool frontier_count_topic(Frontier *f, const FrontierHost *h, const FrontierSource *s,
        const char *path, double topic, GError **error)
{
	bool off = topic < TOPIC_RELEVANT;
	return writer_web_count_branch(f->w, h->row.id, shape_key(path), off, error) &&
	       writer_web_count_branch(
	               f->w, h->row.id, evidence_key("harvest", s->row.prefix), off, error);
}

bool frontier_note_topic(
        Frontier *f, const char *origin, const char *path, double topic, GError **error)
{
	const FrontierHost *h = frontier_find_host(f, origin);
	const FrontierSource *s = h ? frontier_source_of(h, WEB_PAGE, path) : NULL;
	return !s || frontier_count_topic(f, h, s, path, topic, error);
}

bool frontier_harvest(Frontier *f, const char *origin, const char *prefix, unsigned *pages_r,
        unsigned *relevant_r, GError **error)
{
	const FrontierHost *h = frontier_find_host(f, origin);
	unsigned off = 0;
	*pages_r = *relevant_r = 0;
	if (!h)
		return true;
	if (!writer_web_branch(
	            f->w, h->row.id, evidence_key("harvest", prefix), pages_r, &off, error))
		return false;
	*relevant_r = *pages_r - MIN(off, *pages_r);
	return true;
}
