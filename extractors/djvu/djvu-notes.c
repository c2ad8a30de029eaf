/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/djvu/djvu-parts.h"
#include "extractors/shared/isodate.h"
#include <string.h>

/* Annotations are lists in parentheses, of names, numbers and quoted strings. */

static const struct {
	const char *key;
	DocField field;
} djvu_facts[] = {{"title", FIELD_TITLE}, {"author", FIELD_AUTHOR}, {"subject", FIELD_COMMENT},
        {"keywords", FIELD_KEYWORD}, {"note", FIELD_COMMENT}, {"year", FIELD_CREATED},
        {"creationdate", FIELD_CREATED}};

static void djvu_put_fact(Sink *sink, const char *key, const char *value)
{
	for (size_t i = 0; i < G_N_ELEMENTS(djvu_facts); i++) {
		if (g_ascii_strcasecmp(djvu_facts[i].key, key) != 0)
			continue;
		bool is_date = djvu_facts[i].field == FIELD_CREATED;
		g_autofree char *date = is_date ? iso_date(value, -1) : NULL;
		if (!is_date || date)
			sink_field(sink, djvu_facts[i].field, is_date ? date : value, -1);
	}
}

static const char *djvu_skip_blanks(const char *p)
{
	return p + strspn(p, " \t\r\n\f");
}

/* Reads the string that begins at a quotation mark, with escapes as in C. *end_r: after it. The
 * caller frees it. */
static char *djvu_read_string(const char *p, const char **end_r)
{
	const char *end = ++p;
	while (*end && *end != '"')
		end += *end == '\\' && end[1] ? 2 : 1;
	g_autofree char *quoted = g_strndup(p, end - p);
	*end_r = *end ? end + 1 : end;
	return g_strcompress(quoted);
}

/* Reads (key "value"). Returns where the list ends; NULL if it is something else. */
static const char *djvu_read_fact(const char *p, Sink *sink)
{
	p = djvu_skip_blanks(p);
	if (*p != '(')
		return NULL;
	p = djvu_skip_blanks(p + 1);
	size_t length = strcspn(p, " \t\r\n\f()\"");
	g_autofree char *key = g_strndup(p, length);
	p = djvu_skip_blanks(p + length);
	if (*p != '"')
		return NULL;
	g_autofree char *value = djvu_read_string(p, &p);
	djvu_put_fact(sink, key, value);
	p = djvu_skip_blanks(p);
	return *p == ')' ? p + 1 : NULL;
}

/* Where the facts begin; NULL if there are none. The text of a string is not a list. */
static const char *djvu_find_facts(const char *p)
{
	static const char begin[] = "(metadata";
	while (*p && !g_str_has_prefix(p, begin)) {
		if (*p == '"')
			g_free(djvu_read_string(p, &p));
		else
			p++;
	}
	return *p ? p + strlen(begin) : NULL;
}

bool djvu_put_facts(Bytes notes, Sink *sink)
{
	g_autofree char *text =
	        notes.size > 0 ? g_strndup((const char *)notes.data, notes.size) : NULL;
	const char *p = text ? djvu_find_facts(text) : NULL;
	bool found = p != NULL;
	while (p)
		p = djvu_read_fact(p, sink);
	return found;
}
