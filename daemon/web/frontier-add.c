/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier-add.c - sources, hosts and URLs that become known */
#include <config.h>
#include "daemon/web/frontier-private.h"
#include <string.h>

/* Front queues, 0 to 255. A known URL is raised by links to it up to PRIORITY_LINKED. */
enum {
	PRIORITY_FEED = 240,
	PRIORITY_SITEMAP = 230,
	PRIORITY_LISTED = 180,
	PRIORITY_LINKED = 200,
	PRIORITY_RAISE = 2, /* for each further link */
	PRIORITY_START = 150,
	PRIORITY_STEP = 8, /* for each link from the start, up to DEEP */
	DEEP = 12
};

static unsigned priority_of(const WebFound *found)
{
	if (found->kind == WEB_FEED)
		return PRIORITY_FEED;
	if (found->kind == WEB_SITEMAP)
		return PRIORITY_SITEMAP;
	unsigned first = found->is_listed ? PRIORITY_LISTED : PRIORITY_START;
	return first - PRIORITY_STEP * MIN(found->depth, DEEP);
}

bool frontier_get_host(
        Frontier *f, const WebTime *now, const char *origin, FrontierHost **host_r, GError **error)
{
	WebHostRow row = {.name = (char *)origin};
	*host_r = frontier_find_host(f, origin);
	if (*host_r && (*host_r)->row.id != 0)
		return true;
	if (!writer_web_host(f->w, origin, &row.id, error))
		return false;
	if (*host_r)
		(*host_r)->row.id = row.id;
	else
		*host_r = frontier_new_host(f, &row, now);
	polite_gate_close(&(*host_r)->gate, now, FRONTIER_NEW_HOST_MS);
	return true;
}

static bool has_limits(const WebSourceRow *row, const WebSourceRow *limits)
{
	return row->pages_most == limits->pages_most && row->depth_most == limits->depth_most &&
	       row->bytes_most == limits->bytes_most;
}

static void source_set_limits(WebSourceRow *row, const WebSourceRow *limits)
{
	row->pages_most = limits->pages_most;
	row->depth_most = limits->depth_most;
	row->bytes_most = limits->bytes_most;
	row->every_s = limits->every_s;
	row->first = limits->first;
	row->full = limits->full;
	row->focused = limits->focused;
}

bool frontier_add_source(Frontier *f, const WebTime *now, const char *origin,
        const WebSourceRow *limits, int64_t day_most, GError **error)
{
	WebSourceRow row = {.prefix = limits->prefix};
	FrontierHost *h;
	if (!frontier_get_host(f, now, origin, &h, error))
		return false;
	row.host = h->row.id;
	source_set_limits(&row, limits);
	if (!writer_web_add_source(f->w, &row, &row.id, error))
		return false;
	FrontierSource *known = frontier_find_source(h, limits->prefix);
	/* pages that others have read may lie below it */
	if (!known && limits->first == WEB_PAGE && !frontier_recheck_host(f, h, error))
		return false;
	if (known && !has_limits(&known->row, limits) && !frontier_release(f, h, error))
		return false;
	if (known) {
		source_set_limits(&known->row, limits);
	} else {
		frontier_add_source_row(h, &row);
		/* whoever added it may have looked at it a moment ago */
		polite_gate_close(&h->gate, now,
		        MAX(FRONTIER_NEW_HOST_MS,
		                politeness_gap_ms(h->row.delay_ms, 0, h->row.backoff)));
	}
	h->row.day_most = MAX(0, day_most);
	frontier_order_host(f, h, now);
	if (!frontier_write_host(f, h, error))
		return false;
	const WebFound first = {.origin = origin, .path = limits->prefix, .kind = limits->first};
	return frontier_add(f, now, &first, error);
}

/* Another URL stands for the one that is to be asked. */
static bool ask_other_again(
        Frontier *f, const WebTime *now, const FrontierHost *h, int64_t hash, GError **error)
{
	g_auto(WebUrlRow) other = {0};
	bool known;
	int found = writer_web_get_url(f->w, h->row.id, hash, &other, error);
	if (found <= 0 || other.status == WEB_ALIAS)
		return found >= 0;
	return frontier_ask_again(f, now, h->row.name, other.path, &known, error);
}

static bool ask_url(Frontier *f, const WebTime *now, const char *origin, const char *path,
        bool whole, bool *known_r, GError **error)
{
	FrontierHost *h = frontier_find_host(f, origin);
	g_auto(WebUrlRow) url = {0};
	*known_r = false;
	if (!h || h->row.id == 0)
		return true;
	int found = writer_web_get_url(f->w, h->row.id, web_hash(path, strlen(path)), &url, error);
	if (found <= 0)
		return found == 0;
	*known_r = true;
	if (url.status == WEB_ALIAS)
		return ask_other_again(f, now, h, url.alias_of, error);
	if (url.status == WEB_HELD_NEW || url.status == WEB_HELD_SEEN)
		return true;
	url.is_over = false;
	url.due_s = 0;
	if (whole) {
		g_clear_pointer(&url.visit.etag, g_free);
		g_clear_pointer(&url.visit.modified, g_free);
	}
	if (!writer_web_set_url(f->w, &url, error))
		return false;
	frontier_reset_queue(h);
	if (!h->row.has_asked)
		frontier_order_host(f, h, now);
	return true;
}

bool frontier_ask_again(Frontier *f, const WebTime *now, const char *origin, const char *path,
        bool *known_r, GError **error)
{
	return ask_url(f, now, origin, path, false, known_r, error);
}

bool frontier_ask_whole(Frontier *f, const WebTime *now, const char *origin, const char *path,
        bool *known_r, GError **error)
{
	return ask_url(f, now, origin, path, true, known_r, error);
}

bool frontier_set_address(Frontier *f, const WebTime *now, const char *origin,
        const uint8_t *address, size_t length, GError **error)
{
	FrontierHost *h = frontier_find_host(f, origin);
	if (!h || (length != 4 && length != 16) ||
	        (h->row.address_length == length && memcmp(h->row.address, address, length) == 0))
		return true;
	memcpy(h->row.address, address, length);
	h->row.address_length = length;
	frontier_place_host(f, h, now);
	frontier_order_host(f, h, now);
	return frontier_write_host(f, h, error);
}

/* A URL that was given up, because it was gone, had moved or did not answer, is asked again if
 * something leads to it: soon if that is a redirect, which says that it is there. Redirects may be
 * a circle, and links are often older than their target. */
static bool frontier_revive(Frontier *f, FrontierHost *h, const WebFound *found, int64_t hash,
        const WebTime *now, GError **error)
{
	g_auto(WebUrlRow) url = {0};
	bool ended;
	if (!writer_web_is_ended(f->w, h->row.id, hash, &ended, error))
		return false;
	if (!ended)
		return true;
	if (writer_web_get_url(f->w, h->row.id, hash, &url, error) < 0)
		return false;
	int64_t wait_s = found->is_redirect ? WEB_DAY_S : SCHEDULE_MOST_S;
	url.is_over = false;
	url.due_s = MIN(url.visit.visited_s, web_seconds(now)) + wait_s;
	if (!writer_web_set_url(f->w, &url, error))
		return false;
	frontier_offer(h, &(WebNext){url.hash, url.due_s, url.priority, url.kind, false});
	return true;
}

/* Another link to a known URL: its best one counts in a focused source, and soon enough to decide
 * which page is asked next. Elsewhere it is the number of links, when the queue is read again. */
static bool raise_known(Frontier *f, FrontierHost *h, const FrontierSource *s, const WebUrlRow *row,
        WebNext *next, GError **error)
{
	unsigned most = s->row.focused ? row->priority : PRIORITY_LINKED;
	unsigned step = s->row.focused ? row->priority : PRIORITY_RAISE;
	bool raised;
	if (!writer_web_raise(f->w, row->host, row->hash, step, most, &raised, error))
		return false;
	if (!raised || !s->row.focused || (h->row.has_asked && h->row.asked == row->hash))
		return true;
	if (!frontier_focus_rank(f, h, next, row->path, NULL, error))
		return false;
	frontier_offer(h, next);
	return true;
}

static bool add_row(Frontier *f, FrontierHost *h, FrontierSource *s, const WebFound *found,
        WebUrlRow *row, const WebTime *now, GError **error)
{
	WebNext next = {row->hash, 0, row->priority, row->kind, true};
	bool added;
	if (!writer_web_add_url(f->w, row, &added, error))
		return false;
	if (!added)
		return raise_known(f, h, s, row, &next, error) &&
		       (row->is_over || frontier_revive(f, h, found, row->hash, now, error));
	s->row.urls++;
	if (f->found)
		f->found(h->row.name, row->hash, f->found_data);
	if (!frontier_focus_rank(f, h, &next, row->path, NULL, error))
		return false;
	if (row->is_over)
		h->has_held = true;
	else
		frontier_offer(h, &next);
	if (!h->row.has_asked)
		frontier_order_host(f, h, now);
	return true;
}

/* URLs that are held may fill half of the room, so that those that may be asked have the rest. */
static bool source_has_room(
        const FrontierSource *s, const WebFound *found, size_t length, bool wanted)
{
	int64_t most = wanted ? s->row.pages_most : s->row.pages_most / 2;
	int64_t for_page = found->kind == WEB_ITEM ? 1
	                   : s->row.focused        ? FRONTIER_URLS_FOCUSED
	                                           : FRONTIER_URLS_FOR_PAGE;
	return length <= WEB_PATH_MOST && s->row.pages < s->row.pages_most &&
	       s->row.bytes < s->row.bytes_most && s->row.urls / for_page < most;
}

/* Feeds of one host do not share their room: each has that of its own items. */
static FrontierSource *found_source(const FrontierHost *h, const WebFound *found)
{
	if (found->kind != WEB_ITEM)
		return frontier_source_of(h, found->kind, found->path);
	return found->feed ? frontier_find_source(h, found->feed) : NULL;
}

/* The count of the source is written with the next answer of one of its URLs. */
bool frontier_add_told(Frontier *f, const WebTime *now, const WebFound *found,
        const WebUrlRow *told, GError **error)
{
	FrontierHost *h = frontier_find_host(f, found->origin);
	FrontierSource *s = h ? found_source(h, found) : NULL;
	size_t length = strlen(found->path);
	RevisitSource prior = {0};
	bool trap = false, alias = false, wanted;
	if (!s || !source_has_room(s, found, length, true))
		return true;
	if (!frontier_is_wanted(f, h, s, found->kind, found->depth, found->path, &wanted, error))
		return false;
	if (!source_has_room(s, found, length, wanted))
		return true;
	if (found->kind == WEB_PAGE && !frontier_is_trap(f, h, found->path, &trap, error))
		return false;
	if (trap)
		return true;
	if (wanted && found->kind == WEB_PAGE &&
	        !frontier_add_alias(f, now, h, s, found, source_has_room(s, found, length, false),
	                &alias, error))
		return false;
	if (alias)
		return true;
	schedule_set_prior(&prior, found->prior_s);
	WebUrlRow row = {.host = h->row.id,
	        .hash = web_hash(found->path, length),
	        .path = (char *)found->path,
	        .kind = found->kind,
	        .priority = priority_of(found),
	        .status = wanted ? 0 : WEB_HELD_NEW,
	        .is_over = !wanted,
	        .depth = found->depth,
	        .visit = {.changes = prior.changes, .seconds = prior.seconds}};
	if (s->row.focused && found->kind == WEB_PAGE && found->depth > 0)
		row.priority = frontier_focus_priority(found);
	if (told) {
		row.priority = told->priority;
		row.visit.changes = told->visit.changes;
		row.visit.seconds = told->visit.seconds;
	}
	return add_row(f, h, s, found, &row, now, error);
}

bool frontier_add(Frontier *f, const WebTime *now, const WebFound *found, GError **error)
{
	return frontier_add_told(f, now, found, NULL, error);
}
