/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-web/browse-link.h"
#include "ui-web/browse-html.h"
#include <string.h>

void browse_link_append(GString *out, const BrowseSearch *search, const char *text)
{
	g_string_append(out, "?q=");
	html_query(out, text ? text : search->text);
	if (*search->place) {
		g_string_append(out, "&amp;in=");
		html_query(out, search->place);
	}
	if (search->sort != SORT_RELEVANCE)
		g_string_append_printf(out, "&amp;sort=%s", browse_sort_name(search->sort));
}

/* Alternatives need parentheses. */
void browse_link_append_within(
        GString *out, const BrowseSearch *search, const char *field, const char *value)
{
	const char *text = search->text;
	bool alternatives = strstr(text, " OR ") != NULL;
	g_autofree char *query = g_strdup_printf("%s%s%s%s%s:%s", alternatives ? "(" : "", text,
	        alternatives ? ")" : "", *text ? " " : "", field, value);
	g_string_append_c(out, '/');
	browse_link_append(out, search, query);
}
