/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rst.c - reStructuredText (https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html):
 * titles by their underlines, the fields at the top */
#include <config.h>
#include "extractors/markup/markup.h"
#include <string.h>

enum { MAX_STYLES = 6 };

typedef struct {
	Markup *m;
	/* underline characters in order of appearance; the index is the level */
	char styles[MAX_STYLES + 1];
	bool in_head; /* fields may still follow */
} RstReader;

/* The character that makes up the whole line, at least twice; 0: another line. */
static char rst_sign_of(const char *line, size_t length)
{
	while (length > 0 && g_ascii_isspace(line[length - 1]))
		length--;
	if (length < 2 || !g_ascii_ispunct(line[0]))
		return 0;
	for (size_t i = 1; i < length; i++)
		if (line[i] != line[0])
			return 0;
	return line[0];
}

static unsigned level_of(RstReader *r, char sign)
{
	char *known = strchr(r->styles, sign);
	size_t n = strlen(r->styles);
	if (known)
		return known - r->styles + 1;
	if (n < MAX_STYLES)
		r->styles[n] = sign;
	return MIN(n + 1, MAX_STYLES);
}

/* A line of text with an underline of about the same length. */
static bool rst_take_title(RstReader *r, const char *line, size_t length)
{
	const char *below;
	size_t n = markup_peek(r->m, &below);
	char sign = n > 0 ? rst_sign_of(below, n) : 0;
	if (!sign || markup_is_blank(line, length) || (glong)n + 1 < g_utf8_strlen(line, length))
		return false;
	markup_line(r->m, &below, &n);
	markup_heading(r->m, level_of(r, sign), line, length);
	return true;
}

/* ":Author: Somebody". */
static bool take_field(RstReader *r, const char *line, size_t length)
{
	static const struct {
		const char *name;
		DocField field;
	} fields[] = {{":author:", FIELD_AUTHOR}, {":authors:", FIELD_AUTHOR},
	        {":keywords:", FIELD_KEYWORD}, {":abstract:", FIELD_COMMENT},
	        {":description:", FIELD_COMMENT}, {":title:", FIELD_TITLE}};
	if (length == 0 || line[0] != ':')
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(fields); i++) {
		size_t n = strlen(fields[i].name);
		if (length > n && g_ascii_strncasecmp(line, fields[i].name, n) == 0) {
			markup_fact(r->m, fields[i].field, line + n, length - n);
			return true;
		}
	}
	return false;
}

void rst_read(Markup *m)
{
	RstReader reader = {.m = m, .in_head = true};
	const char *line;
	size_t length;
	while (markup_line(m, &line, &length)) {
		if (markup_is_blank(line, length)) {
			markup_flush(m, TAG_BODY);
			continue;
		}
		bool title = m->block->len == 0 && rst_take_title(&reader, line, length);
		bool field = !title && reader.in_head && take_field(&reader, line, length);
		if (title || field || rst_sign_of(line, length))
			continue;
		reader.in_head = reader.in_head && line[0] == ':';
		markup_add(m, line, length);
		markup_add(m, "\n", 1);
	}
}
