/* SPDX-License-Identifier: GPL-3.0-or-later */
/* screen.h - the output's abilities (terminal, colours, width), and text made safe for it
 *
 * Everything from outside passes text_append_escaped() before styles are added. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } ColorMode;

typedef struct {
	FILE *file;
	bool terminal; /* a person reads it: blocks and escaped names; COLOR_ALWAYS also sets it */
	bool color; /* styles and links */
	bool exact; /* a program reads it (--json, -0): bytes are written as they are, whatever the
	               charset is; false at first */
	bool recoded; /* it is a terminal whose charset is not UTF-8 */
	unsigned width; /* in cells; 80 if unknown */
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

/* COLOR_AUTO: colours on a terminal that TERM names and that is not "dumb", unless NO_COLOR is set
 * (no-color.org). */
void screen_init(Screen *screen, FILE *file, ColorMode mode);
/* Prints as on a terminal into a pipe, in the width of the terminal on stderr, where a pager shows
 * it. Colours stay as they are. */
void screen_set_long(Screen *screen);
/* Is it a terminal whose lines can be drawn anew? COLOR_ALWAYS does not make it one. */
bool screen_redraws(const Screen *screen);
/* Asks the terminal for its width again. */
void screen_resize(Screen *screen);
/* The escape sequence that starts a style, and the one that ends all styles; "" without colours.
 * Static. */
const char *screen_on(const Screen *screen, Style style);
const char *screen_off(const Screen *screen);
/* Writes a text, which is UTF-8 or raw bytes; if the file is a terminal of another charset, as
 * charset_text() makes it. */
void screen_write(FILE *file, const char *text);
/* Writes the string in the same way, or exactly, and empties it. */
void screen_put(const Screen *screen, GString *text);
/* The same, and flushes the file. */
void screen_put_now(const Screen *screen, GString *text);

/* An escaped copy. The caller frees it. */
char *screen_escaped(const char *bytes);
/* Appends the text, escaped, in a style. */
void screen_append(const Screen *screen, GString *out, Style style, const char *bytes);
/* The same as a link to a file (OSC 8) if colours are on. target: the file's path, raw bytes;
 * NULL: no link. */
void screen_append_link(
        const Screen *screen, GString *out, Style style, const char *bytes, const char *target);

/* The same on lines of its own, each after an indent of spaces: a path that is wider than the
 * screen is broken after a slash, else after a bar or a blank. A part that is wider by itself is
 * left to the terminal. */
void screen_append_path(
        const Screen *screen, GString *out, const char *path, const char *target, unsigned indent);

/* Appends UTF-8 text folded at width cells, of which at least 16 are used for text. Each line
 * begins with an indent of spaces and ends with a newline. After max_lines the text is cut with an
 * ellipsis. marks: pairs of uint32_t, ascending byte ranges of text shown in STYLE_MARK; may be
 * NULL. The text is escaped here. */
void screen_append_folded(const Screen *screen, GString *out, const char *text, const GArray *marks,
        unsigned indent, unsigned max_lines);

/* The same without marks and a limit, in one style. */
void screen_append_styled(
        const Screen *screen, GString *out, Style style, const char *text, unsigned indent);

/* "2026-03-01 10:00" in local time. The caller frees it. */
char *screen_time(int64_t seconds);
