/* SPDX-License-Identifier: GPL-3.0-or-later */
/* charset-letters.h - how well the letters of a text fit one language
 *
 * Languages in Latin script share their commonest letters with each other, but each has few of its
 * own, and a text read in the wrong charset has those of several that nobody writes together. */
#pragma once
#include <glib.h>
#include <stddef.h>

enum { LETTER_KINDS = 192 };

/* Letters beyond ASCII in a text, each with how often it stands there. */
typedef struct {
	struct {
		gunichar letter;
		unsigned times;
	} of[LETTER_KINDS];
	size_t n;
} LetterCounts;

/* Capitals count as their small letters; beyond LETTER_KINDS different ones nothing is counted. */
void letters_count(LetterCounts *counts, gunichar letter);

/* Of all that were counted, how many the best of the languages writes; *all_r gets the sum. */
unsigned letters_of_one_language(const LetterCounts *counts, unsigned *all_r);
