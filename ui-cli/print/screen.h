/* SPDX-License-Identifier: GPL-3.0-or-later */
/* screen.h - where results go: what it can show, and text made fit for it
 *
 * Everything that comes from outside passes text_append_escaped() before styles are put around it.
 */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } ColorMode;

typedef struct {
	FILE *file;
	bool terminal; /* a person reads it: blocks, escaped names; COLOR_ALWAYS says so too */
	bool color; /* styles and links */
	unsigned width; /* cells; 80 if unknown */
} Screen;

typedef enum {
	STYLE_TITLE,
	STYLE_PATH,
	STYLE_DIM,
	STYLE_MARK,
	STYLE_GOOD,
	STYLE_BAD,
	N_STYLES
} Style;

/* AUTO: colours on a terminal other than "dumb" unless NO_COLOR is set (no-color.org). */
void screen_init(Screen *screen, FILE *file, ColorMode mode);
/* Escape sequence that begins a style and the one that ends every style; "" without colour. Static.
 */
const char *screen_on(const Screen *screen, Style style);
const char *screen_off(const Screen *screen);
/* Writes and empties the string. */
void screen_put(const Screen *screen, GString *text);

/* Escaped copy. Yours. */
char *screen_escaped(const char *bytes);
/* Appends the escaped text in a style. */
void screen_append(const Screen *screen, GString *out, Style style, const char *bytes);
/* The same, as a link to a file (OSC 8) where colours are on. target: path of the file, raw bytes.
 */
void screen_append_link(
        const Screen *screen, GString *out, Style style, const char *bytes, const char *target);

/* Appends UTF-8 text folded at width cells (at least 16 are used for text), each line after an
 * indent of blanks and ended by a newline; at most max_lines, the last one cut with an ellipsis.
 * marks: pairs of uint32_t, byte ranges of text in STYLE_MARK, ascending; or NULL. The text is
 * escaped here. */
void screen_append_folded(const Screen *screen, GString *out, const char *text, const GArray *marks,
        unsigned indent, unsigned max_lines);

/* "2026-03-01 10:00" in local time. Yours. */
char *screen_time(int64_t seconds);
