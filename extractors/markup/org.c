/* SPDX-License-Identifier: GPL-3.0-or-later */
/* org.c - Org (https://orgmode.org/worg/org-syntax.html): headings, keywords, code blocks,
 * drawers */
#include <config.h>
#include "extractors/markup/markup.h"
#include <string.h>

static bool take_keyword(Markup *m, const char *line, size_t length)
{
	static const struct {
		const char *name;
		DocField field;
	} keywords[] = {{"title:", FIELD_TITLE}, {"author:", FIELD_AUTHOR},
	        {"keywords:", FIELD_KEYWORD}, {"filetags:", FIELD_KEYWORD},
	        {"description:", FIELD_COMMENT}, {"language:", FIELD_LANGUAGE}};
	for (size_t i = 0; i < G_N_ELEMENTS(keywords); i++) {
		size_t n = strlen(keywords[i].name);
		if (length > n && g_ascii_strncasecmp(line, keywords[i].name, n) == 0) {
			markup_fact(m, keywords[i].field, line + n, length - n);
			return true;
		}
	}
	return false;
}

/* "#+WORD". True: the line was handled. */
static bool take_directive(Markup *m, const char *line, size_t length)
{
	if (length < 3 || line[0] != '#' || line[1] != '+')
		return false;
	if (take_keyword(m, line + 2, length - 2))
		return true;
	if (length >= 11 && g_ascii_strncasecmp(line + 2, "begin_src", 9) == 0)
		markup_flush(m, TAG_CODE);
	else if (length >= 9 && g_ascii_strncasecmp(line + 2, "end_src", 7) == 0)
		markup_flush(m, TAG_BODY);
	else
		return false;
	return true;
}

/* Sends a heading without its TODO keyword and tags. */
static void org_put_heading(Markup *m, unsigned level, const char *text, size_t length)
{
	while (length > 0 && g_ascii_isspace(*text)) {
		text++;
		length--;
	}
	if (length > 5 && strncmp(text, "TODO ", 5) == 0) {
		text += 5;
		length -= 5;
	} else if (length > 5 && strncmp(text, "DONE ", 5) == 0) {
		text += 5;
		length -= 5;
	}
	markup_heading(m, level, text, length);
}

void org_read(Markup *m)
{
	const char *line;
	size_t length;
	while (markup_line(m, &line, &length)) {
		size_t stars = 0;
		while (stars < length && line[stars] == '*')
			stars++;
		bool code = m->tag == TAG_CODE;
		if (!code && stars > 0 && stars < length && line[stars] == ' ')
			org_put_heading(m, stars, line + stars, length - stars);
		else if (take_directive(m, line, length))
			continue;
		else if (!code && markup_is_blank(line, length))
			markup_flush(m, TAG_BODY);
		else {
			markup_add(m, line, length);
			markup_add(m, "\n", 1);
		}
	}
}
