/* SPDX-License-Identifier: GPL-3.0-or-later */
/* line-edit.h - a line of text that is being edited */
#pragma once
#include <glib.h>
#include <stdbool.h>

typedef struct {
	GString *text; /* UTF-8 */
	gsize cursor; /* byte before which it stands */
} Line;

void line_init(Line *line, const char *text);
void line_clear(Line *line);

/* Each returns whether the text is another one now. */
bool line_insert(Line *line, gunichar c); /* not past max bytes of a query */
bool line_erase_before(Line *line);
bool line_erase_behind(Line *line);
bool line_erase_word(Line *line); /* the one before the cursor */
bool line_erase_all(Line *line);

void line_left(Line *line);
void line_right(Line *line);
void line_home(Line *line);
void line_end(Line *line);
