/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier-recheck.c - documents are judged again when the rules of their source have changed
 *
 * The row of a source says by which rules its documents were judged last (web_scope.patterns). It
 * is written when all of them were judged, so that a kill begins the work anew. */
#include <config.h>
#include "daemon/web/frontier-private.h"
#include <string.h>

void frontier_begin_recheck(Frontier *f, FrontierSource *s)
{
	s->checked = 0;
	s->walk_due = true; /* aliases of pages that are out of scope now */
	f->has_unchecked = true;
}

bool frontier_recheck_host(Frontier *f, FrontierHost *h, GError **error)
{
	for (FrontierSource *s = h->sources; s; s = s->next) {
		if (!frontier_read_scope(f, s, error))
			return false;
		s->scope.patterns = WEB_SCOPE_UNCHECKED;
		if (!writer_web_set_scope(f->w, s->row.id, &s->scope, error))
			return false;
		frontier_begin_recheck(f, s);
	}
	return true;
}

static FrontierSource *find_unchecked(const Frontier *f)
{
	for (guint i = 0; i < f->hosts->len; i++) {
		const FrontierHost *h = f->hosts->pdata[i];
		for (FrontierSource *s = h->sources; s; s = s->next)
			if (s->scope_read && s->scope.patterns != s->patterns)
				return s;
	}
	return NULL;
}

bool frontier_has_unchecked(const Frontier *f)
{
	return f->has_unchecked;
}

bool frontier_next_unchecked(Frontier *f, int64_t *source_r, int64_t *after_r)
{
	FrontierSource *s = f->has_unchecked ? find_unchecked(f) : NULL;
	f->has_unchecked = s != NULL;
	if (!s)
		return false;
	*source_r = s->row.id;
	*after_r = s->checked;
	return true;
}

bool frontier_note_checked(Frontier *f, int64_t last, bool all, GError **error)
{
	FrontierSource *s = find_unchecked(f);
	if (!s)
		return true;
	s->checked = last;
	if (!all)
		return true;
	s->scope.patterns = s->patterns;
	return writer_web_set_scope(f->w, s->row.id, &s->scope, error);
}

/* A page that left the index must be sent whole when it is wanted again, so its validators go. */
static bool hold_unwanted(Frontier *f, FrontierHost *h, WebUrlRow *url, GError **error)
{
	g_clear_pointer(&url->visit.etag, g_free);
	g_clear_pointer(&url->visit.modified, g_free);
	return frontier_hold(f, h, url, error);
}

bool frontier_check(
        Frontier *f, const char *origin, const char *path, bool *wanted_r, GError **error)
{
	FrontierHost *h = frontier_find_host(f, origin);
	const FrontierSource *s = h ? frontier_source_of(h, WEB_PAGE, path) : NULL;
	g_auto(WebUrlRow) url = {0};
	*wanted_r = true;
	if (!s)
		return true;
	int found = writer_web_get_url(f->w, h->row.id, web_hash(path, strlen(path)), &url, error);
	if (found < 0 || !frontier_is_wanted(f, h, s, WEB_PAGE, url.depth, path, wanted_r, error))
		return false;
	bool hold = !*wanted_r && found > 0 && !url.is_over && url.kind == WEB_PAGE;
	return !hold || hold_unwanted(f, h, &url, error);
}
