/* SPDX-License-Identifier: GPL-3.0-or-later */
/* card-line.h - the content lines of vCard and iCalendar (RFC 6350, RFC 5545, vCard 2.1) */
#pragma once
#include <glib.h>
#include <stdbool.h>

typedef struct {
	const char *at, *end; /* the unread text; UTF-8 */
	GString *line; /* unfolded */
	GString *name; /* upper case, without its group */
	GString *parameters; /* as in the file */
	GString *value; /* decoded; UTF-8 */
} CardLines;

/* Appends a physical line without its line end, up to 1 MiB, and moves on behind it. */
void card_take_physical(const char **at, const char *end, GString *line);

void card_lines_init(CardLines *lines, const char *text, size_t length);
void card_lines_clear(CardLines *lines);
/* Reads the next line that has a name; false at the end. */
bool card_lines_next(CardLines *lines);
/* Returns the value of a parameter ("CN") without quotes; NULL if there is none. The caller frees
 * it. */
char *card_lines_parameter(const CardLines *lines, const char *name);
