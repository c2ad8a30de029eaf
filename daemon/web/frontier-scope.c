/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier-scope.c - which URLs may be asked: robots.txt, patterns, limits and traps
 *
 * A URL that may not be asked is held: its row is over, with a status that says so, until the rules
 * of its host or the limits of its source change. The rules of a host are read when they are needed
 * first, and all that were read are dropped when they take too much memory together. */
#include <config.h>
#include "daemon/web/frontier-private.h"
#include "daemon/web/traps.h"
#include <string.h>

/* ---- robots.txt */

void frontier_drop_rules(Frontier *f, FrontierHost *h)
{
	g_clear_pointer(&h->rules, robots_rules_free);
	f->rules_cost -= h->rules_cost;
	h->rules_cost = 0;
	h->rules_read = false;
}

/* The memory that the rules take at most: twelve times their packed size. */
static size_t rules_cost(GBytes *packed)
{
	return packed ? 512 + 12 * g_bytes_get_size(packed) : 0;
}

static bool read_rules(Frontier *f, FrontierHost *h, GError **error)
{
	g_autoptr(GBytes) packed = NULL;
	if (h->rules_read)
		return true;
	if (!writer_web_robots(f->w, h->row.id, &packed, error))
		return false;
	size_t cost = rules_cost(packed);
	for (guint i = 0; f->rules_cost + cost > FRONTIER_RULES_MOST && i < f->hosts->len; i++)
		frontier_drop_rules(f, f->hosts->pdata[i]);
	h->rules = packed ? robots_rules_unpack(packed) : NULL;
	h->rules_read = true;
	h->rules_cost = cost;
	f->rules_cost += cost;
	return true;
}

bool frontier_robots_allow(
        Frontier *f, FrontierHost *h, const char *path, bool *allow_r, GError **error)
{
	if (!read_rules(f, h, error))
		return false;
	*allow_r = !h->rules || robots_rules_allow(h->rules, path, strlen(path));
	return true;
}

bool frontier_set_rules(Frontier *f, FrontierHost *h, const RobotsRules *rules, GError **error)
{
	g_autoptr(GBytes) packed = rules ? robots_rules_pack(rules) : NULL;
	g_autoptr(GBytes) known = NULL;
	if (!writer_web_robots(f->w, h->row.id, &known, error))
		return false;
	if (packed == known || (packed && known && g_bytes_equal(packed, known)))
		return true;
	frontier_drop_rules(f, h);
	return writer_web_set_robots(f->w, h->row.id, packed, error) &&
	       frontier_recheck_host(f, h, error) && frontier_release(f, h, error);
}

/* ---- patterns */

static bool source_wants(const FrontierHost *h, const FrontierSource *s, const char *path)
{
	if (!s->include && !s->exclude)
		return true;
	g_autofree char *url = g_strconcat(h->row.name, path, NULL);
	size_t length = strlen(url);
	if (s->exclude && glob_set_match(s->exclude, url, length))
		return false;
	return !s->include || glob_set_match(s->include, url, length) ||
	       strcmp(path, s->row.prefix) == 0;
}

static GlobSet *read_patterns(const char *const *patterns, char sign, GString *all)
{
	enum { PATTERNS_MOST = 64 }; /* glob_set_match() knows so many */
	if (!patterns || !*patterns)
		return NULL;
	GlobSet *set = glob_set_new(GLOB_SQLITE);
	for (unsigned i = 0; patterns[i] && i < PATTERNS_MOST; i++) {
		(void)glob_set_add(set, patterns[i]);
		g_string_append_printf(all, "%c%s\n", sign, patterns[i]);
	}
	glob_set_compile(set);
	return set;
}

bool frontier_set_patterns(Frontier *f, const WebTime *now, const char *origin, const char *prefix,
        const char *const *include, const char *const *exclude, GError **error)
{
	FrontierHost *h = frontier_find_host(f, origin);
	FrontierSource *s = h ? frontier_find_source(h, prefix) : NULL;
	g_autoptr(GString) all = g_string_new(NULL);
	if (!s)
		return true;
	if (!frontier_read_scope(f, s, error))
		return false;
	g_clear_pointer(&s->include, glob_set_free);
	g_clear_pointer(&s->exclude, glob_set_free);
	s->include = read_patterns(include, '+', all);
	s->exclude = read_patterns(exclude, '-', all);
	if (s->row.depth_most < INT_MAX)
		g_string_append_printf(all, "depth %" G_GINT64_FORMAT "\n", s->row.depth_most);
	s->patterns = all->len > 0 ? web_hash(all->str, all->len) : 0;
	if (s->patterns == s->scope.patterns)
		return true;
	frontier_begin_recheck(f, s);
	if (!frontier_release(f, h, error))
		return false;
	frontier_order_host(f, h, now);
	return true;
}

/* ---- all of it */

bool frontier_is_trap(
        Frontier *f, const FrontierHost *h, const char *path, bool *trap_r, GError **error)
{
	g_autofree char *shape = trap_shape(path);
	unsigned pages, poor;
	if (!writer_web_branch(
	            f->w, h->row.id, web_hash(shape, strlen(shape)), &pages, &poor, error))
		return false;
	*trap_r = trap_is_sunk(pages, poor);
	return true;
}

bool frontier_is_wanted(Frontier *f, FrontierHost *h, const FrontierSource *s, WebKind kind,
        unsigned depth, const char *path, bool *wanted_r, GError **error)
{
	*wanted_r = (int64_t)depth <= s->row.depth_most &&
	            (kind == WEB_SITEMAP || source_wants(h, s, path));
	return !*wanted_r || frontier_robots_allow(f, h, path, wanted_r, error);
}

/* Of the feeds that may have an item, one that wants its page. */
static const FrontierSource *source_to_ask(const FrontierHost *h, const WebUrlRow *url)
{
	for (const FrontierSource *s = h->sources; s && url->kind == WEB_ITEM; s = s->next)
		if (s->row.first == WEB_FEED && s->row.full && source_wants(h, s, url->path))
			return s;
	return frontier_source_of(h, url->kind, url->path);
}

static bool source_is_full(const FrontierSource *s)
{
	return s->row.pages >= s->row.pages_most || s->row.bytes >= s->row.bytes_most;
}

bool frontier_may_ask(
        Frontier *f, FrontierHost *h, const WebUrlRow *url, bool *may_r, GError **error)
{
	const FrontierSource *s = source_to_ask(h, url);
	bool trap = false;
	*may_r = s != NULL;
	if (!s || !frontier_is_wanted(f, h, s, url->kind, url->depth, url->path, may_r, error))
		return !s;
	if (!*may_r || url->status != 0)
		return true;
	/* The page of an item took its room in its feed when it was found. */
	if (url->kind != WEB_ITEM && source_is_full(s))
		*may_r = false;
	else if (url->kind == WEB_PAGE && !frontier_is_trap(f, h, url->path, &trap, error))
		return false;
	*may_r &= !trap;
	return true;
}

bool frontier_hold(Frontier *f, FrontierHost *h, WebUrlRow *url, GError **error)
{
	frontier_end_visits(h, url);
	h->has_held = true;
	url->status = url->status == 0 ? WEB_HELD_NEW : WEB_HELD_SEEN;
	return writer_web_set_url(f->w, url, error);
}

bool frontier_release(Frontier *f, FrontierHost *h, GError **error)
{
	frontier_reset_queue(h);
	h->has_held = false;
	return writer_web_release(f->w, h->row.id, error);
}
