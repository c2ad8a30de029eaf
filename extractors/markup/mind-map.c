/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mind-map.c - the maps of XMind 2020 and later (content.json): titles, labels, notes and links of
 * topics, not the keys and styles around them */
#include <config.h>
#include "extractors/markup/json.h"
#include <string.h>

typedef enum { MIND_NOTHING, MIND_ROOT, MIND_TEXT, MIND_LINK } MindShows;

/* Notes are there twice, as plain text and with styles. */
static bool mind_map_hides(const GString *key)
{
	static const char *const names[] = {"realHTML", "extensions", "theme", NULL};
	return g_strv_contains(names, key->str);
}

static MindShows mind_map_shows(const GString *key, bool at_root)
{
	if (strcmp(key->str, "title") == 0)
		return at_root ? MIND_ROOT : MIND_TEXT;
	if (strcmp(key->str, "content") == 0 || strcmp(key->str, "labels") == 0)
		return MIND_TEXT;
	return strcmp(key->str, "href") == 0 ? MIND_LINK : MIND_NOTHING;
}

static void mind_map_put(Markup *m, GString *string, MindShows shows)
{
	/* places in the map, and files that it contains */
	bool inside =
	        g_str_has_prefix(string->str, "xmind:") || g_str_has_prefix(string->str, "xap:");
	if (shows == MIND_ROOT)
		markup_heading(m, 1, string->str, string->len);
	else if (shows == MIND_LINK && !inside)
		m->full = m->full || !sink_link(m->sink, string->str, NULL);
	else if (shows == MIND_TEXT)
		json_put_string(m, string);
	markup_flush(m, TAG_BODY);
}

void mind_map_read(Markup *m)
{
	g_autoptr(GString) string = g_string_new(NULL);
	MindShows shows = MIND_NOTHING;
	bool at_root = false;
	while (m->at < m->end && !m->full) {
		const char *quote = memchr(m->at, '"', m->end - m->at);
		if (!quote)
			return;
		g_string_set_size(string, 0);
		m->at = json_read_string(string, quote + 1, m->end);
		if (!json_is_key(m)) {
			mind_map_put(m, string, shows);
			at_root = at_root && shows != MIND_ROOT;
		} else if (mind_map_hides(string)) {
			json_skip_any(m);
		} else {
			shows = mind_map_shows(string, at_root);
			at_root = at_root || strcmp(string->str, "rootTopic") == 0;
		}
	}
}
