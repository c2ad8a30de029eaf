/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pdf-repair.h - finds words that poppler writes wrongly, by the places of their letters
 *
 * The text of a page tells which pages may have such words. Only for these pages does poppler tell
 * the places of all letters, because that takes three times as long as the text. */
#pragma once
#include "extractors/pdf/pdf-text.h"
#include <glib.h>
#include <stdbool.h>

/* Words and what replaces them on a page; a replacement is not longer than its word. */
typedef struct PdfRepairs PdfRepairs;

/* Ignores a repair beyond the limit of a page, and one that changes nothing. */
void pdf_repairs_add(PdfRepairs *repairs, const char *wrong, const char *right);

/* A letter, digit or combining mark. */
bool pdf_is_word_character(gunichar c);

/* Pages since the last repair of each kind that were suspected in vain; 0 before the first page.
 * After three, no more are suspected of this kind. */
typedef struct {
	unsigned spaced, marks;
} PdfVain;

/* Replaces the wrong words in this valid text of a page (index from 0). */
void pdf_repair_page(PdfText *words, int index, char *text, PdfVain *vain);
