/* SPDX-License-Identifier: GPL-3.0-or-later */
/* charset-letters.h - how well the letters of a text fit one language
 *
 * Languages in Latin script share their most common letters, but each has only a few letters of its
 * own. A text that is decoded in the wrong charset has letters that no single language writes
 * together. */
#pragma once
#include <glib.h>
#include <stddef.h>

enum { LETTER_KINDS = 192 };

/* The letters beyond ASCII in a text, with the frequency of each. */
typedef struct {
	struct {
		gunichar letter;
		unsigned times;
	} of[LETTER_KINDS];
	size_t n;
} LetterCounts;

/* Capitals count as small letters. After LETTER_KINDS distinct letters no new ones are counted. */
void letters_count(LetterCounts *counts, gunichar letter);

/* Returns how many of the counted letters are written in the language that fits best; *all_r
 * receives the number of all. */
unsigned letters_of_one_language(const LetterCounts *counts, unsigned *all_r);
