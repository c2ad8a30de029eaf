/* SPDX-License-Identifier: GPL-3.0-or-later */
/* line-edit.h - a line of text under edit */
#pragma once
#include <glib.h>
#include <stdbool.h>

typedef struct {
	GString *text; /* UTF-8 */
	gsize cursor; /* byte offset; the cursor is before it */
} EditLine;

void line_init(EditLine *line, const char *text);
void line_clear(EditLine *line);

/* Each returns whether the text changed. */
bool line_insert(EditLine *line, gunichar c); /* up to the maximum length of a query */
bool line_erase_before(EditLine *line);
bool line_erase_behind(EditLine *line);
bool line_erase_word(EditLine *line); /* the word before the cursor */
bool line_erase_all(EditLine *line);

void line_left(EditLine *line);
void line_right(EditLine *line);
void line_home(EditLine *line);
void line_end(EditLine *line);
