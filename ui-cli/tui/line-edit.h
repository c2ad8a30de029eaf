/* SPDX-License-Identifier: GPL-3.0-or-later */
/* line-edit.h - a line of text under edit */
#pragma once
#include <glib.h>
#include <stdbool.h>

typedef struct {
	GString *text; /* UTF-8 */
	gsize cursor; /* byte offset; the cursor is before it */
} Line;

void line_init(Line *line, const char *text);
void line_clear(Line *line);

/* Each returns whether the text changed. */
bool line_insert(Line *line, gunichar c); /* up to the maximum length of a query */
bool line_erase_before(Line *line);
bool line_erase_behind(Line *line);
bool line_erase_word(Line *line); /* the word before the cursor */
bool line_erase_all(Line *line);

void line_left(Line *line);
void line_right(Line *line);
void line_home(Line *line);
void line_end(Line *line);
