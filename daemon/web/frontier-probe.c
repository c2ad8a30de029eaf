/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier-probe.c - pages that say that they do not exist, and answer with 200
 *
 * A page whose URL nobody can have published is requested from each source. The answer of a site in
 * place of a missing page then has a fingerprint, and pages with nearly the same text are soft 404s
 * (Z. Bar-Yossef, A. Broder, R. Kumar, A. Tomkins, "Sic transit gloria telae", WWW 2004, ask for a
 * random page beside each dead one). Small sources are not bothered. */
#include <config.h>
#include "daemon/web/frontier-private.h"
#include "daemon/web/traps.h"
#include <string.h>

enum {
	PROBE_PAGES = 8, /* a source has been answered so often before it is probed */
	PROBE_AGAIN_S = 30 * 24 * 3600,
	PROBE_RETRY_S = 24 * 3600 /* when there was no answer */
};

static bool probe_is_due(const FrontierSource *s, const WebTime *now)
{
	int64_t now_s = web_seconds(now);
	return s->scope.probed_s == 0 || s->scope.probed_s > now_s + PROBE_RETRY_S ||
	       s->scope.probed_s + PROBE_AGAIN_S <= now_s;
}

bool frontier_find_probe(
        Frontier *f, FrontierHost *h, const WebTime *now, FrontierSource **source_r, GError **error)
{
	*source_r = NULL;
	for (FrontierSource *s = h->sources; s && !*source_r; s = s->next) {
		if (s->row.pages < PROBE_PAGES || s->row.pages >= s->row.pages_most)
			continue;
		if (!frontier_read_scope(f, s, error))
			return false;
		if (probe_is_due(s, now))
			*source_r = s;
	}
	return true;
}

/* In the directory where the source begins. It is the same each time, so that caches help. */
static char *path_of_probe(const FrontierHost *h, const FrontierSource *s)
{
	const char *prefix = s->row.prefix;
	int directory = (int)(strrchr(prefix, '/') + 1 - prefix);
	g_autofree char *seed = g_strdup_printf("%s%s no such page", h->row.name, prefix);
	return g_strdup_printf("%.*sno-such-page-%016" G_GINT64_MODIFIER "x", directory, prefix,
	        (guint64)web_hash(seed, strlen(seed)));
}

bool frontier_begin_probe(Frontier *f, FrontierHost *h, FrontierSource *s, const WebTime *now,
        char **path_r, GError **error)
{
	g_autofree char *path = strchr(s->row.prefix, '/') ? path_of_probe(h, s) : NULL;
	bool allowed = false;
	*path_r = NULL;
	s->scope.probed_s = web_seconds_up(now);
	if ((path && !frontier_robots_allow(f, h, path, &allowed, error)) ||
	        !writer_web_set_scope(f->w, s->row.id, &s->scope, error))
		return false;
	if (!allowed)
		return true;
	h->probed = s;
	*path_r = g_steal_pointer(&path);
	return true;
}

bool frontier_keep_probe(Frontier *f, FrontierHost *h, const WebTime *now, unsigned status,
        const NearPrint *print, GError **error)
{
	FrontierSource *s = h->probed;
	uint8_t bytes[NEAR_PRINT_BYTES];
	h->probed = NULL;
	if (!s)
		return true;
	if (status == 0 || status == 429 || status >= 500) {
		s->scope.probed_s = web_seconds(now) - PROBE_AGAIN_S + PROBE_RETRY_S;
		return writer_web_set_scope(f->w, s->row.id, &s->scope, error);
	}
	web_scope_clear(&s->scope);
	if (print && status >= 200 && status < 300) {
		near_pack(print, bytes);
		s->scope.probe = g_bytes_new(bytes, sizeof bytes);
	}
	return writer_web_set_scope(f->w, s->row.id, &s->scope, error);
}

bool frontier_is_soft_404(Frontier *f, const char *origin, const char *path, const NearPrint *print,
        bool *soft_r, GError **error)
{
	FrontierHost *h = frontier_find_host(f, origin);
	FrontierSource *s = h ? frontier_source_of(h, WEB_PAGE, path) : NULL;
	NearPrint probe;
	*soft_r = false;
	if (!s)
		return true;
	if (!frontier_read_scope(f, s, error))
		return false;
	if (!s->scope.probe || g_bytes_get_size(s->scope.probe) != NEAR_PRINT_BYTES)
		return true;
	near_unpack(g_bytes_get_data(s->scope.probe, NULL), &probe);
	*soft_r = near_is(print, &probe);
	return true;
}

bool frontier_note_poor(Frontier *f, const char *origin, const char *path, GError **error)
{
	FrontierHost *h = frontier_find_host(f, origin);
	if (!h)
		return true;
	g_autofree char *shape = trap_shape(path);
	return writer_web_note_poor(f->w, h->row.id, web_hash(shape, strlen(shape)), error);
}
