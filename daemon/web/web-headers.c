/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/web/web-headers.h"
#include "common/base/http-date.h"
#include "daemon/web/http-freshness.h"
#include <glib.h>
#include <string.h>

/* Steps to the value of the next line of that name. *at: where to look; then after it. */
static char *next_value(const char **at, const char *name)
{
	size_t length = strlen(name);
	while (**at) {
		const char *line = *at, *end = line + strcspn(line, "\n");
		*at = *end ? end + 1 : end;
		if (g_ascii_strncasecmp(line, name, length) != 0 || line[length] != ':')
			continue;
		char *value = g_strndup(line + length + 1, end - line - length - 1);
		for (char *c = value; *c; c++)
			*c = (unsigned char)*c >= 0x80 ? '?' : *c;
		return g_strstrip(value);
	}
	return NULL;
}

char *web_header(const char *headers, const char *name)
{
	g_autoptr(GString) all = NULL;
	for (char *value; (value = next_value(&headers, name)); g_free(value)) {
		if (!all)
			all = g_string_new(value);
		else
			g_string_append_printf(all, ", %s", value);
	}
	return all ? g_string_free(g_steal_pointer(&all), FALSE) : NULL;
}

/* A directive with a value after a colon; any other name before a colon is that of an agent. */
static bool robots_tag_has_value(const char *name)
{
	static const char *const names[] = {
	        "max-snippet", "max-image-preview", "max-video-preview", "unavailable_after"};
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		if (g_ascii_strcasecmp(name, names[i]) == 0)
			return true;
	return false;
}

typedef struct {
	const char *agent, *directive;
	bool ours; /* the directives from here on are for the agent, or for all */
	bool in_date; /* a date may go on behind its comma: "Saturday, 25-Jun-30 15:00:00 GMT" */
} RobotsTag;

/* One directive, or several with blanks between them. "none" is noindex and nofollow. */
static bool robots_tag_names(const char *text, const char *directive)
{
	g_auto(GStrv) words = g_strsplit_set(text, " \t;", -1);
	for (char **word = words; *word; word++)
		if (g_ascii_strcasecmp(*word, directive) == 0 ||
		        g_ascii_strcasecmp(*word, "none") == 0)
			return true;
	return false;
}

/* Reads what stands between two commas: "noindex", "otherbot: noindex", "max-snippet: 20". */
static bool robots_tag_read(RobotsTag *tag, char *part)
{
	bool is_date = tag->in_date && g_ascii_isdigit(*part);
	tag->in_date = false;
	for (char *colon; !is_date && (colon = strchr(part, ':')); part = g_strchug(colon + 1)) {
		*colon = '\0';
		g_strchomp(part);
		tag->in_date = g_ascii_strcasecmp(part, "unavailable_after") == 0;
		if (robots_tag_has_value(part))
			return false;
		tag->ours = g_ascii_strcasecmp(part, tag->agent) == 0;
	}
	return !is_date && tag->ours && robots_tag_names(part, tag->directive);
}

/* Has a line the directive? An agent in it holds up to the next one, since a proxy may join lines
 * with commas. */
static bool robots_tag_has(const char *line, const char *agent, const char *directive)
{
	RobotsTag tag = {.agent = agent, .directive = directive, .ours = true};
	g_auto(GStrv) parts = g_strsplit(line, ",", -1);
	for (char **part = parts; *part; part++)
		if (robots_tag_read(&tag, g_strstrip(*part)))
			return true;
	return false;
}

bool web_robots_tag(const char *headers, const char *agent, const char *directive)
{
	for (;;) {
		g_autofree char *value = next_value(&headers, "X-Robots-Tag");
		if (!value)
			return false;
		if (robots_tag_has(value, agent, directive))
			return true;
	}
}

int64_t web_fresh_s(const char *headers, int64_t request_s, int64_t response_s)
{
	g_autofree char *control = web_header(headers, "Cache-Control");
	g_autofree char *expires = web_header(headers, "Expires");
	g_autofree char *date = web_header(headers, "Date");
	g_autofree char *age = web_header(headers, "Age");
	return http_freshness(&(HttpAnswer){control, expires, date, age, request_s, response_s});
}

int64_t web_modified_s(const char *headers, int64_t now_s)
{
	int64_t seconds = 0;
	g_autofree char *text = web_header(headers, "Last-Modified");
	if (!text || !http_date_parse(text, now_s, &seconds))
		return 0;
	return CLAMP(seconds, 0, now_s);
}
