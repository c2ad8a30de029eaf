/* SPDX-License-Identifier: GPL-3.0-or-later */
/* word-hyphen.h - two words that a hyphen joins and that others write as one: Wi-Fi, e-mail, UTF-8
 *
 * Either both are of letters, or one is a number of at most four digits. The letters are Latin,
 * Greek or Cyrillic. Longer chains (state-of-the-art) are not two words that are also written as
 * one; in a text, neither are options (--dry-run), paths, addresses and identifiers (lib-x_y,
 * a-b.c). A hyphen at the end of a line divides a word if the next line goes on in small letters.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* Does a hyphen (also U+2010 and U+2011) follow the word that ends here? Most words end here. */
static inline bool word_has_hyphen_after(const uint8_t *end, const uint8_t *text_end)
{
	return end < text_end &&
	       (*end == '-' || (*end == 0xe2 && text_end - end > 2 && end[1] == 0x80 &&
	                               (end[2] == 0x90 || end[2] == 0x91)));
}

typedef enum { HYPHENS_OF_TEXT, HYPHENS_OF_NAME } HyphenRules;

/* Returns the end of the word that the hyphen joins to the one from start to end, which it follows;
 * NULL: they are not two such words. text and text_end: where they stand, in a text or the name of
 * a file. From start to the end returned are at most TOKEN_MAX_BYTES. */
const uint8_t *word_hyphen_end(HyphenRules rules, const uint8_t *text, const uint8_t *text_end,
        const uint8_t *start, const uint8_t *end);
