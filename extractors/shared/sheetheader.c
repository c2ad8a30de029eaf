/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/shared/sheetheader.h"
#include <string.h>

/* Returns the last character of a code; c is the first one after the ampersand. */
static const char *code_end(const char *c)
{
	enum { COLOUR = 6 }; /* "FF0000", or "01+049" of a theme */
	const char *quote = *c == '"' ? strchr(c + 1, '"') : NULL;
	if (quote)
		return quote;
	if (*c == 'K' && strnlen(c + 1, COLOUR) == COLOUR)
		return c + COLOUR;
	return g_ascii_isdigit(*c) ? c + strspn(c, "0123456789") - 1 : c;
}

void sheet_header_put(Flow *flow, const char *header)
{
	g_autoptr(GString) text = g_string_new(NULL);
	for (const char *c = header; *c; c++) {
		if (*c != '&') {
			g_string_append_c(text, *c);
			continue;
		}
		if (!*++c)
			break;
		if (*c == '&')
			g_string_append_c(text, '&');
		else if (strchr("LCR", *c))
			g_string_append_c(text, ' ');
		c = code_end(c);
	}
	flow_line(flow, TAG_NOISE, text->str, text->len);
}
