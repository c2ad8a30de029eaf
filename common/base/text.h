/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.h - UTF-8 hygiene and what may go to a terminal */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

/* Valid UTF-8 for showing: each invalid byte becomes U+FFFD. Yours. length -1: NUL-terminated. */
char *text_to_utf8(const char *bytes, gssize length);
/* Appends text with controls (C0 incl. newline and tab, DEL, C1), bidi and zero-width characters,
 * line and paragraph separators and invalid bytes written as \xHH, \u{HHHH}, \n, \t: safe on a
 * terminal. */
void text_append_escaped(GString *out, const char *bytes, gssize length);
/* Cells that valid UTF-8 takes on a terminal (wide = 2, combining = 0). */
size_t text_cells(const char *utf8, size_t length);
/* Largest prefix length of valid UTF-8 that fits into max bytes without splitting a character. */
size_t text_clip(const char *utf8, size_t length, size_t max);
/* Appends a JSON string with its quotes; invalid bytes become U+FFFD. */
void text_append_json(GString *out, const char *bytes, gssize length);

/* Order of strcmp() of the strings that a and b point to: for g_ptr_array_sort() and qsort(). */
int text_compare_elements(const void *a, const void *b);
