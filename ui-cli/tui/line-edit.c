/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/tui/line-edit.h"
#include "index/query/query.h"

void line_init(EditLine *line, const char *text)
{
	line->text = g_string_new(text);
	line->cursor = line->text->len;
}

void line_clear(EditLine *line)
{
	g_string_free(line->text, TRUE);
}

/* The byte of the character before a position. Combining characters belong to their base
 * character. */
static gsize line_edit_before(const EditLine *line, gsize place)
{
	const char *p = line->text->str + place;
	while (p > line->text->str) {
		p = g_utf8_prev_char(p);
		if (!g_unichar_iszerowidth(g_utf8_get_char(p)))
			break;
	}
	return p - line->text->str;
}

static gsize line_edit_behind(const EditLine *line, gsize place)
{
	const char *p = line->text->str + place;
	if (*p)
		p = g_utf8_next_char(p);
	while (*p && g_unichar_iszerowidth(g_utf8_get_char(p)))
		p = g_utf8_next_char(p);
	return p - line->text->str;
}

/* Erases [from, to); the cursor is at one of its ends. */
static bool line_edit_erase(EditLine *line, gsize from, gsize to)
{
	g_string_erase(line->text, from, to - from);
	line->cursor = from;
	return to > from;
}

bool line_insert(EditLine *line, gunichar c)
{
	char bytes[6];
	int length = g_unichar_to_utf8(c, bytes);

	if (!g_unichar_validate(c) || g_unichar_iscntrl(c) ||
	        line->text->len + length > QUERY_MAX_BYTES)
		return false;
	g_string_insert_len(line->text, line->cursor, bytes, length);
	line->cursor += length;
	return true;
}

bool line_erase_before(EditLine *line)
{
	return line_edit_erase(line, line_edit_before(line, line->cursor), line->cursor);
}

bool line_erase_behind(EditLine *line)
{
	return line_edit_erase(line, line->cursor, line_edit_behind(line, line->cursor));
}

bool line_erase_word(EditLine *line)
{
	gsize from = line->cursor;
	while (from > 0 && line->text->str[from - 1] == ' ')
		from--;
	while (from > 0 && line->text->str[from - 1] != ' ')
		from--;
	return line_edit_erase(line, from, line->cursor);
}

bool line_erase_all(EditLine *line)
{
	return line_edit_erase(line, 0, line->text->len);
}

void line_left(EditLine *line)
{
	line->cursor = line_edit_before(line, line->cursor);
}

void line_right(EditLine *line)
{
	line->cursor = line_edit_behind(line, line->cursor);
}

void line_home(EditLine *line)
{
	line->cursor = 0;
}

void line_end(EditLine *line)
{
	line->cursor = line->text->len;
}
