/* SPDX-License-Identifier: GPL-3.0-or-later */
/* typo.h - how likely is a word a misspelling of another one?
 *
 * The likelihood is the cost of the cheapest series of mistakes that makes the typed word of the
 * meant one: letters inserted, left out, replaced, or swapped with their neighbour (Damerau 1964;
 * optimal string alignment). Mistakes that people make often cost less: doubled letters, letters
 * beside each other on a keyboard (QWERTY, QWERTZ, AZERTY, ЙЦУКЕН), and letters that sound alike in
 * English, German, French or Russian. A wrong first letter is rare and costs more. The kinds of
 * mistakes follow Kernighan, Church and Gale, "A spelling correction program based on a noisy
 * channel model", 1990; the weights were set with bench/spelling.py.
 *
 * Words are folded (index/text/tokenizer.h) and in UTF-8. */
#pragma once
#include "index/text/tokenizer.h"
#include <glib.h>
#include <stdint.h>

/* A cost of TYPO_EDIT is one plain edit. */
enum { TYPO_EDIT = 100, TYPO_FAR = G_MAXINT };
/* A slip of the finger costs at most this: one letter for two equal ones, two for one, or two
 * letters swapped. It hardly ever makes another word of a long one. */
enum { TYPO_SLIP = 60 };
/* One mistake that people make often costs at most this, two cost more: a slip, a silent letter, a
 * letter or a group that sounds alike. It keeps the first letter, or swaps it with the next one,
 * unless a group sounds alike; and but for a group it is one edit. */
enum { TYPO_COMMON = 65 };

typedef struct {
	gunichar letters[TOKEN_MAX_BYTES];
	unsigned n;
	uint64_t mask; /* which letters there are: bit (letter modulo 64) */
	unsigned max_edits; /* so many edits may lie between the words; 0: it is never corrected */
	/* Private to typo.c: which groups of letters end before each letter, one bit each; and what
	 * it costs to type each letter for another of its script (letter modulo 64). */
	uint64_t groups[TOKEN_MAX_BYTES + 1][2];
	uint8_t replaced[TOKEN_MAX_BYTES][64];
} Typo;

/* Prepares the typed word, of which the first TOKEN_MAX_BYTES letters count. One edit is allowed
 * in words of up to five letters, two in longer ones, none in words with digits or of two letters
 * and less. */
void typo_init(Typo *typo, const char *word);
/* Returns the cost of typing the word for the meant one; 0: they are equal; TYPO_FAR: more edits
 * lie between them than are allowed. Invalid UTF-8 is far from everything. */
unsigned typo_cost(const Typo *typo, const char *meant);
/* The same, however many edits there are. */
unsigned typo_cost_of_any(const Typo *typo, const char *meant);
/* Returns spellings that sound like the word and may lie more edits away: "ph" for "f" and the
 * like, one replacement each, at most most of them. GPtrArray of char * that the caller owns. */
GPtrArray *typo_sounds(const char *word, unsigned most);

/* Returns the number of edits between two strings of code points, or a number above max. n and m:
 * at most TOKEN_MAX_BYTES. */
unsigned typo_edits(const gunichar *a, unsigned n, const gunichar *b, unsigned m, unsigned max);
