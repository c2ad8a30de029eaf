/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier-rules.c - URLs that a valid URL rule makes another URL of their source
 *
 * Such a URL is an alias: its row is over, with the hash of the other URL, as long as that one is
 * known and not gone. Which rules are valid is decided by web-lessons.c; rules are only read here.
 */
#include <config.h>
#include "common/url/url-canonical.h"
#include "daemon/web/frontier-private.h"
#include "index/write/writer-web-rules.h"
#include <string.h>

void frontier_alias_clear(FrontierAlias *alias)
{
	g_clear_pointer(&alias->path, g_free);
}

/* ---- rules in memory */

static void alias_add_rule(FrontierSource *s, const WebRuleRow *row)
{
	if (row->state != WEB_RULE_VALID || row->kind >= N_DUST_KINDS || !*row->from ||
	        (row->kind == DUST_PART && !row->to) || s->rules->len >= DUST_RULES_MOST)
		return;
	DustRule *rule = dust_rule_new(row->kind, row->from, row->to);
	rule->at_start = row->at_start;
	rule->at_end = row->at_end;
	g_ptr_array_add(s->rules, rule);
	g_array_append_val(s->rule_ids, row->id);
}

static bool alias_read_rules(Frontier *f, FrontierSource *s, GError **error)
{
	g_autoptr(GArray) rows = NULL;
	if (s->rules)
		return true;
	rows = g_array_new(FALSE, FALSE, sizeof(WebRuleRow));
	g_array_set_clear_func(rows, (GDestroyNotify)web_rule_row_clear);
	if (!writer_web_rules(f->w, s->row.id, rows, error))
		return false;
	s->rules = g_ptr_array_new_with_free_func((GDestroyNotify)dust_rule_free);
	s->rule_ids = g_array_new(FALSE, FALSE, sizeof(int64_t));
	for (guint i = 0; i < rows->len; i++)
		alias_add_rule(s, &g_array_index(rows, WebRuleRow, i));
	return true;
}

void frontier_drop_url_rules(FrontierSource *s)
{
	g_clear_pointer(&s->rules, g_ptr_array_unref);
	g_clear_pointer(&s->rule_ids, g_array_unref);
}

/* ---- the other URL */

/* The rule that changes the URL first is the one that saves it. */
static int64_t alias_first_rule(const FrontierSource *s, const char *url)
{
	for (guint i = 0; i < s->rules->len; i++) {
		g_autofree char *changed = dust_rule_apply(s->rules->pdata[i], url);
		if (changed)
			return g_array_index(s->rule_ids, int64_t, i);
	}
	return 0;
}

/* The path of a URL that the frontier could have found by itself in this source, or NULL. */
static const char *alias_path(const FrontierHost *h, const FrontierSource *s, const char *url)
{
	size_t length = strlen(h->row.name);
	g_autofree char *canonical = url_canonical(url, -1, NULL, NULL);
	if (g_strcmp0(canonical, url) != 0 || strncmp(url, h->row.name, length) != 0 ||
	        url[length] != '/' || strlen(url + length) > WEB_PATH_MOST)
		return NULL;
	return frontier_source_of(h, WEB_PAGE, url + length) == s ? url + length : NULL;
}

bool frontier_find_alias(Frontier *f, FrontierHost *h, FrontierSource *s, const char *path,
        FrontierAlias *alias, GError **error)
{
	bool wanted = false;
	*alias = (FrontierAlias){0};
	if (!alias_read_rules(f, s, error))
		return false;
	if (s->rules->len == 0)
		return true;
	g_autofree char *url = g_strconcat(h->row.name, path, NULL);
	g_autofree char *other = dust_canonical(s->rules, url);
	const char *other_path = strcmp(url, other) != 0 ? alias_path(h, s, other) : NULL;
	if (!other_path)
		return true;
	if (!frontier_is_wanted(f, h, s, WEB_PAGE, 0, other_path, &wanted, error))
		return false;
	if (wanted)
		*alias = (FrontierAlias){g_strdup(other_path),
		        web_hash(other_path, strlen(other_path)), alias_first_rule(s, url)};
	return true;
}

/* A client's error other than "too many requests" says that there is no such page. */
static bool alias_is_gone(unsigned status)
{
	return status >= 400 && status < 500 && status != 429;
}

/* Is the other URL known, and may it lead to the page? *gone_r: it was asked, and does not. */
static bool alias_judge(Frontier *f, const FrontierHost *h, const FrontierAlias *alias,
        bool *alive_r, bool *gone_r, GError **error)
{
	g_auto(WebUrlRow) row = {0};
	int found = writer_web_get_url(f->w, h->row.id, alias->hash, &row, error);
	*gone_r = found > 0 && (alias_is_gone(row.status) || (row.is_over && row.status >= 300));
	*alive_r = found > 0 && !row.is_over && !*gone_r;
	return found >= 0;
}

/* ---- URLs that are found or taken */

/* The other URL takes the place of the alias. */
static bool alias_add_other(Frontier *f, const WebTime *now, const FrontierHost *h,
        const WebFound *found, const FrontierAlias *alias, bool *alive_r, GError **error)
{
	WebFound other = *found;
	bool gone;
	other.path = alias->path;
	return frontier_add(f, now, &other, error) &&
	       alias_judge(f, h, alias, alive_r, &gone, error);
}

bool frontier_add_alias(Frontier *f, const WebTime *now, FrontierHost *h, FrontierSource *s,
        const WebFound *found, bool room, bool *alias_r, GError **error)
{
	g_auto(FrontierAlias) alias = {0};
	bool alive, added;
	*alias_r = false;
	if (!frontier_find_alias(f, h, s, found->path, &alias, error))
		return false;
	int64_t hash = web_hash(found->path, strlen(found->path));
	if (!alias.path || hash == s->tested)
		return true;
	if (!alias_add_other(f, now, h, found, &alias, &alive, error))
		return false;
	*alias_r = alive;
	if (!alive || !room)
		return true;
	const WebUrlRow row = {.host = h->row.id,
	        .hash = hash,
	        .path = (char *)found->path,
	        .kind = WEB_PAGE,
	        .depth = found->depth,
	        .status = WEB_ALIAS,
	        .is_over = true,
	        .alias_of = alias.hash};
	if (!writer_web_add_url(f->w, &row, &added, error))
		return false;
	s->row.urls += added;
	return !added || writer_web_count_saved(f->w, alias.rule, error);
}

static bool alias_write(
        Frontier *f, FrontierHost *h, WebUrlRow *url, const FrontierAlias *alias, GError **error)
{
	frontier_end_visits(h, url);
	url->status = WEB_ALIAS;
	url->alias_of = alias->hash;
	return writer_web_set_url(f->w, url, error) &&
	       writer_web_count_saved(f->w, alias->rule, error);
}

bool frontier_turn_alias(Frontier *f, FrontierHost *h, const WebTime *now, WebUrlRow *url,
        bool *alias_r, GError **error)
{
	g_auto(FrontierAlias) alias = {0};
	FrontierSource *s = frontier_source_of(h, url->kind, url->path);
	const WebFound found = {.origin = h->row.name, .kind = WEB_PAGE, .depth = url->depth};
	*alias_r = false;
	if (!s || url->kind != WEB_PAGE || url->status != 0 || url->hash == s->tested)
		return true;
	if (!frontier_find_alias(f, h, s, url->path, &alias, error))
		return false;
	if (!alias.path)
		return true;
	if (!alias_add_other(f, now, h, &found, &alias, alias_r, error))
		return false;
	return !*alias_r || alias_write(f, h, url, &alias, error);
}

bool frontier_note_gone(Frontier *f, const FrontierHost *h, const WebUrlRow *url, GError **error)
{
	FrontierSource *s = frontier_source_of(h, url->kind, url->path);
	if (!s || url->kind != WEB_PAGE || (!alias_is_gone(url->status) && !url->is_over))
		return true;
	if (!alias_read_rules(f, s, error))
		return false;
	s->walk_due |= s->rules->len > 0;
	return true;
}

/* ---- what the learner asks */

static FrontierSource *alias_source(const Frontier *f, const char *origin, const char *prefix)
{
	FrontierHost *h = frontier_find_host(f, origin);
	return h ? frontier_find_source(h, prefix) : NULL;
}

int64_t frontier_source_pages(const Frontier *f, const char *origin, const char *prefix)
{
	const FrontierSource *s = alias_source(f, origin, prefix);
	return s ? s->row.pages : 0;
}

bool frontier_take_walk_due(Frontier *f, const char *origin, const char *prefix)
{
	FrontierSource *s = alias_source(f, origin, prefix);
	bool due = s && s->walk_due;
	if (s)
		s->walk_due = false;
	return due;
}

void frontier_read_rules_again(Frontier *f, const char *origin, const char *prefix)
{
	FrontierSource *s = alias_source(f, origin, prefix);
	if (s)
		frontier_drop_url_rules(s);
}

bool frontier_refuted_by(
        Frontier *f, const char *origin, const char *path, int64_t *rule_r, GError **error)
{
	FrontierHost *h = frontier_find_host(f, origin);
	FrontierSource *s = h ? frontier_source_of(h, WEB_PAGE, path) : NULL;
	g_auto(FrontierAlias) alias = {0};
	bool alive, gone;
	*rule_r = 0;
	if (!s)
		return true;
	if (!frontier_find_alias(f, h, s, path, &alias, error))
		return false;
	if (!alias.path)
		return true;
	if (!alias_judge(f, h, &alias, &alive, &gone, error))
		return false;
	*rule_r = gone ? alias.rule : 0;
	s->walk_due |= alive && web_hash(path, strlen(path)) != s->tested;
	return true;
}

/* ---- the walk over all URLs of a source */

static bool walk_release(Frontier *f, WebUrlRow *url, GError **error)
{
	url->status = 0;
	url->is_over = false;
	url->due_s = 0;
	url->alias_of = 0;
	return writer_web_set_url(f->w, url, error);
}

/* An alias and its other URL are asked, to see whether they still lead to the same page. */
static bool walk_begin_test(Frontier *f, FrontierHost *h, FrontierSource *s, const WebTime *now,
        WebUrlRow *url, const FrontierAlias *alias, FrontierWalk *walk, GError **error)
{
	bool known;
	s->tested = url->hash;
	walk->tested = g_strconcat(h->row.name, url->path, NULL);
	walk->tested_other = g_strconcat(h->row.name, alias->path, NULL);
	return walk_release(f, url, error) &&
	       frontier_ask_again(f, now, h->row.name, alias->path, &known, error);
}

static bool walk_alias(Frontier *f, FrontierHost *h, FrontierSource *s, const WebTime *now,
        WebUrlRow *url, FrontierWalk *walk, GError **error)
{
	g_auto(FrontierAlias) alias = {0};
	bool alive = false, gone;
	if (!frontier_find_alias(f, h, s, url->path, &alias, error) ||
	        (alias.path && !alias_judge(f, h, &alias, &alive, &gone, error)))
		return false;
	if (!alive)
		return walk_release(f, url, error);
	if (alias.rule == walk->test && !walk->tested)
		return walk_begin_test(f, h, s, now, url, &alias, walk, error);
	if (alias.hash == url->alias_of)
		return true;
	url->alias_of = alias.hash;
	return writer_web_set_url(f->w, url, error);
}

static bool walk_page(Frontier *f, FrontierHost *h, FrontierSource *s, WebUrlRow *url,
        const FrontierWalk *walk, GError **error)
{
	g_auto(FrontierAlias) alias = {0};
	bool alive = false, gone, merged = false;
	if (!frontier_find_alias(f, h, s, url->path, &alias, error) ||
	        (alias.path && !alias_judge(f, h, &alias, &alive, &gone, error)))
		return false;
	if (!alive)
		return true;
	g_autofree char *page = g_strconcat(h->row.name, url->path, NULL);
	g_autofree char *other = g_strconcat(h->row.name, alias.path, NULL);
	if (!walk->merge(page, other, alias.rule, &merged, walk->data, error))
		return false;
	if (!merged)
		return true;
	s->row.pages -= s->row.pages > 0;
	return writer_web_count_source(f->w, &s->row, error) &&
	       alias_write(f, h, url, &alias, error);
}

static bool walk_url(Frontier *f, FrontierHost *h, FrontierSource *s, const WebTime *now,
        WebUrlRow *url, FrontierWalk *walk, GError **error)
{
	if (url->kind != WEB_PAGE || frontier_source_of(h, WEB_PAGE, url->path) != s ||
	        url->hash == s->tested || (h->row.has_asked && h->row.asked == url->hash))
		return true;
	if (url->status == WEB_ALIAS)
		return walk_alias(f, h, s, now, url, walk, error);
	if (url->status >= 200 && url->status < 300 && !url->is_over)
		return walk_page(f, h, s, url, walk, error);
	return true;
}

bool frontier_walk_rules(Frontier *f, const WebTime *now, const char *origin, const char *prefix,
        FrontierWalk *walk, GError **error)
{
	enum { SLICE = 64 };
	FrontierHost *h = frontier_find_host(f, origin);
	FrontierSource *s = h ? frontier_find_source(h, prefix) : NULL;
	g_autoptr(GArray) urls = g_array_new(FALSE, FALSE, sizeof(WebUrlRow));
	g_array_set_clear_func(urls, (GDestroyNotify)web_url_row_clear);
	walk->done = true;
	if (!s)
		return true;
	if (!writer_web_urls_after(f->w, h->row.id, walk->at, SLICE, urls, error))
		return false;
	for (guint i = 0; i < urls->len; i++) {
		WebUrlRow *url = &g_array_index(urls, WebUrlRow, i);
		walk->at = url->hash;
		if (!walk_url(f, h, s, now, url, walk, error))
			return false;
	}
	walk->done = urls->len < SLICE;
	frontier_reset_queue(h);
	if (!h->row.has_asked)
		frontier_order_host(f, h, now);
	return frontier_write_host(f, h, error);
}

void frontier_end_test(Frontier *f, const char *origin, const char *prefix)
{
	FrontierSource *s = alias_source(f, origin, prefix);
	if (s)
		s->tested = 0;
}
