/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/print/text-fold.h"
#include "common/base/text.h"
#include <string.h>

void fold_text_init(FoldText *fold, const char *text, const GArray *marks)
{
	uint32_t length = strlen(text), position = 0;

	fold->text = g_string_new(NULL);
	fold->marks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	for (guint i = 0; marks && i < marks->len; i++) {
		uint32_t edge = MIN(g_array_index(marks, uint32_t, i), length);
		edge = MAX(edge, position);
		text_append_escaped(fold->text, text + position, edge - position);
		uint32_t moved = fold->text->len;
		g_array_append_val(fold->marks, moved);
		position = edge;
	}
	text_append_escaped(fold->text, text + position, length - position);
}

void fold_text_clear(FoldText *fold)
{
	g_string_free(fold->text, TRUE);
	g_array_unref(fold->marks);
}

size_t fold_line_end(const GString *text, size_t start, unsigned width)
{
	size_t cells = 0, blank = 0;

	for (const char *p = text->str + start; *p;) {
		const char *next = g_utf8_next_char(p);
		size_t after = cells + text_cells(p, next - p);
		if (after > width && *p != ' ')
			return blank > 0 ? blank : MAX((size_t)(p - text->str), start + 1);
		if (*p == ' ')
			blank = next - text->str;
		cells = after;
		p = next;
	}
	return text->len;
}
