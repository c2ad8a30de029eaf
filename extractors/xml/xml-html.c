/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/xml/xml-html.h"
#include "extractors/html/html-entity.h"
#include <string.h>

enum { TAG_BYTES = 1000, REFERENCE_BYTES = 12 };

/* The first ones do not separate words. */
static const char *const inner[] = {"a", "abbr", "b", "big", "code", "em", "font", "i", "s",
        "small", "span", "strike", "strong", "sub", "sup", "tt", "u", NULL};
static const char *const outer[] = {"blockquote", "body", "br", "center", "dd", "div", "dl", "dt",
        "h1", "h2", "h3", "h4", "h5", "h6", "head", "hr", "html", "img", "li", "ol", "p", "pre",
        "table", "tbody", "td", "th", "thead", "tr", "ul", NULL};

static void html_keep_address(Sink *sink, const char *tag)
{
	static const char name[] = " href=";
	const char *at = strstr(tag, name), *value = at ? at + strlen(name) : NULL;
	char quote = value ? *value : 0;
	if (quote != '"' && quote != '\'')
		return;
	g_autofree char *address = g_strndup(value + 1, strcspn(value + 1, (char[]){quote, 0}));
	sink_address(sink, address, NULL);
}

/* A complete "<...>". */
static void html_end_tag(Sink *sink, GString *held, GString *out)
{
	const char *from = held->str + 1 + (held->str[1] == '/');
	size_t length = 0;
	while (g_ascii_isalnum(from[length]))
		length++;
	g_autofree char *name = g_strndup(from, length);
	bool is_inner = g_strv_contains(inner, name);
	if (!is_inner && !g_strv_contains(outer, name))
		g_string_append_len(out, held->str, held->len);
	else if (!is_inner)
		g_string_append_c(out, ' ');
	else if (*name == 'a')
		html_keep_address(sink, held->str);
	g_string_truncate(held, 0);
}

static void html_end_reference(GString *held, GString *out)
{
	entity_append(out, (HtmlSpan){held->str, held->len}, false);
	g_string_truncate(held, 0);
}

/* Can the byte continue what is held? */
static bool html_continues(const GString *held, char c)
{
	if (*held->str == '&')
		return held->len < REFERENCE_BYTES && (g_ascii_isalnum(c) || c == '#' || c == ';');
	if (held->len == 1)
		return g_ascii_islower(c) || c == '/';
	return held->len < TAG_BYTES && c != '<';
}

void xml_html_add(Sink *sink, GString *held, GString *out, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		char c = text[i];
		if (held->len > 0 && !html_continues(held, c)) {
			g_string_append_len(out, held->str, held->len);
			g_string_truncate(held, 0);
		}
		g_string_append_c(held->len > 0 || c == '<' || c == '&' ? held : out, c);
		if (held->len > 1 && c == '>' && *held->str == '<')
			html_end_tag(sink, held, out);
		else if (held->len > 1 && c == ';' && *held->str == '&')
			html_end_reference(held, out);
	}
}
