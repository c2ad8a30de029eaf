/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gnu-info.c - GNU Info (texinfo manual, "Info Format Specification"): nodes separated by a control
 * character, each with a line that names its neighbours
 *
 * Node tables and tables of split files are left out; headings are underlined. NUL and backspace
 * introduce commands for the reader program: of a picture, its alternative text is kept. */
#include <config.h>
#include "extractors/markup/markup.h"
#include "common/base/text.h"
#include <string.h>

/* 0: no underline. */
static unsigned gnu_info_underline_level(const char *line, size_t length)
{
	static const char signs[] = "*=-.";
	const char *sign = length >= 3 && *line ? strchr(signs, *line) : NULL;
	for (size_t i = 1; sign && i < length; i++)
		if (line[i] != *sign)
			return 0;
	return sign ? sign - signs + 1 : 0;
}

static bool is_table(const char *line, size_t length)
{
	return (length >= 9 && strncmp(line, "Tag Table", 9) == 0) ||
	       (length >= 8 && strncmp(line, "Indirect", 8) == 0);
}

/* Moves to the next node. */
static void skip_node(Markup *m)
{
	const char *line;
	while (m->at < m->end && *m->at != '\x1f') {
		size_t length = markup_peek(m, &line);
		m->at = MIN(line + length + 1, m->end);
	}
}

static void begin_node(Markup *m)
{
	const char *line;
	size_t length;
	markup_flush(m, TAG_BODY);
	if (!markup_line(m, &line, &length))
		return;
	if (is_table(line, length))
		skip_node(m);
}

/* NUL, backspace, "[image src=... alt="..."", up to NUL, backspace, "]". */
static void put_mark(Markup *m, const char *mark, size_t length)
{
	static const char alt[] = "alt=\"";
	const char *end = mark + length, *text = memmem(mark, length, alt, strlen(alt));
	const char *quote = text ? memchr(text + strlen(alt), '"', end - text - strlen(alt)) : NULL;
	if (quote)
		markup_add(m, text + strlen(alt), quote - text - strlen(alt));
}

static void gnu_info_put_line(Markup *m, const char *line, size_t length)
{
	static const char open[] = " \b[", close[] = " \b]"; /* decoding turned NUL into a space */
	enum { MARK = sizeof open - 1 };
	const char *end = line + length, *mark;
	while ((mark = memmem(line, end - line, open, MARK)) != NULL) {
		markup_add(m, line, mark - line);
		const char *stop = memmem(mark, end - mark, close, MARK);
		put_mark(m, mark + MARK, (stop ? stop : end) - mark - MARK);
		line = stop ? stop + MARK : end;
	}
	markup_add(m, line, end - line);
	markup_add(m, "\n", 1);
}

void info_read(Markup *m)
{
	const char *line, *under;
	size_t length;
	while (markup_line(m, &line, &length)) {
		if (length > 0 && *line == '\x1f') {
			begin_node(m);
			continue;
		}
		if (text_is_blank(line, length)) {
			markup_flush(m, TAG_BODY);
			continue;
		}
		size_t n = markup_peek(m, &under);
		unsigned level = gnu_info_underline_level(under, n);
		if (level > 0) {
			markup_line(m, &under, &n);
			markup_heading(m, level, line, length);
		} else {
			gnu_info_put_line(m, line, length);
		}
	}
}
