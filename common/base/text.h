/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.h - makes arbitrary bytes valid UTF-8, or safe for a terminal or JSON */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

/* Makes bytes valid UTF-8 for display: each invalid byte becomes U+FFFD. length -1: the text ends
 * with NUL. The caller frees the result. */
char *text_to_utf8(const char *bytes, gssize length);
/* Appends text that is safe on a terminal: control characters (C0 including newline and tab, DEL,
 * C1), bidi and zero-width characters, line and paragraph separators, and invalid bytes are written
 * as \xHH, \u{HHHH}, \n or \t. */
void text_append_escaped(GString *out, const char *bytes, gssize length);
/* Appends text for a reader who takes everything for text: what text_append_escaped() escapes is
 * left out, except newline and tab, and so are variation selectors. Invalid bytes become U+FFFD. */
void text_append_visible(GString *out, const char *bytes, gssize length);
/* The number of terminal cells that valid UTF-8 takes: wide characters take 2, combining ones 0. */
size_t text_cells(const char *utf8, size_t length);
/* The largest length of at most max bytes that does not split a character of valid UTF-8. */
size_t text_clip(const char *utf8, size_t length, size_t max);
/* True if all characters are ASCII white space, or there are none. */
bool text_is_blank(const char *text, size_t length);
/* Appends a JSON string with its quotes. Invalid bytes become U+FFFD. */
void text_append_json(GString *out, const char *bytes, gssize length);
/* Appends two lower-case hexadecimal digits for each byte. */
void text_append_hex(GString *out, const void *bytes, size_t length);

/* Compares the strings that a and b point to, as strcmp() does. For g_ptr_array_sort() and
 * qsort(). */
int text_compare_elements(const void *a, const void *b);
