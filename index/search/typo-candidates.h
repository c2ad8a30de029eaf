/* SPDX-License-Identifier: GPL-3.0-or-later */
/* typo-candidates.h - the words of the index that a misspelt word may stand for */
#pragma once
#include "index/read/reader-private.h"

typedef struct {
	char *term;
	unsigned cost; /* see index/text/typo.h */
} TypoCandidate;

/* So many candidates are kept, and so many terms of the vocabulary compared with the word. */
enum { TYPO_CANDIDATES = 40, TYPO_TERMS = 120000 };

/* Returns the cheapest candidates of at most this cost, cheapest first, each once; the word itself
 * is none of them. They come from texts and names, or from names alone. GArray of TypoCandidate
 * that the caller owns; NULL with error. Call it between reader_begin() and reader_end().
 *
 * The vocabulary is read by the first letters, in the order of how likely they are right: both; the
 * first; swapped; one too many; one wrong or missing. If it has more terms than TYPO_TERMS there,
 * the rest is not read. A long word is looked for once more, with one more edit, if there is
 * nothing nearer. Common mistakes (TYPO_COMMON) are found with less: one edit, and no other first
 * letter. */
GArray *typo_candidates(
        Reader *r, const char *word, bool only_names, unsigned most_cost, GError **error);
