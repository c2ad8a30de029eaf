/* SPDX-License-Identifier: GPL-3.0-or-later */
/* card-line.h - the content lines of vCard and iCalendar (RFC 6350, RFC 5545, vCard 2.1) */
#pragma once
#include <glib.h>
#include <stdbool.h>

typedef struct {
	const char *at, *end; /* what is left of the text; UTF-8 */
	GString *line; /* unfolded */
	GString *name; /* upper case, without its group */
	GString *parameters; /* as written */
	GString *value; /* decoded; UTF-8 */
} CardLines;

void card_lines_init(CardLines *lines, const char *text, size_t length);
void card_lines_clear(CardLines *lines);
/* The next line with a name; false at the end. */
bool card_lines_next(CardLines *lines);
/* Value of a parameter ("CN"), without its quotes; NULL if it is not there. Yours. */
char *card_lines_parameter(const CardLines *lines, const char *name);
