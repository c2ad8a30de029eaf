/* SPDX-License-Identifier: GPL-3.0-or-later */
/* word-signs.h - signs that belong to a word: C++, a+, C#, .NET, AT&T
 *
 * Without its signs such a word is another word. Only ASCII letters make one, and the rules
 * keep code and addresses out, where the same signs are operators.
 *
 * Plus signs: one or two after at most 16 letters (C++, GTK+). None in "a+b", "x += 1", "\w+",
 * "$i++", nor, in small letters, in "i++;", "[i++]" and "f(i++)".
 *
 * Number sign: after one letter (C#, F#). None in "#include", "issue #12".
 *
 * Dot: of all names that begin with one, only .NET is another word without it; people look for
 * ".deb" and ".bashrc" as they look for deb and bashrc. After a letter or digit it is one only in
 * capitals (ASP.NET, not "example.net").
 *
 * Ampersand: between one to three letters on either side (AT&T), with blanks only in capitals
 * (R & D). None in "a=1&b=2", "&nbsp;". */
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { SIGNED_MAX_LETTERS = 16, SIGNED_MAX_BYTES = SIGNED_MAX_LETTERS + 2 };

typedef struct {
	uint8_t token[SIGNED_MAX_BYTES]; /* in small letters */
	unsigned length;
	/* The word with its signs; of AT&T only AT, since T is a word of its own. */
	const uint8_t *start, *end;
	const uint8_t *after; /* end of all that the token tells */
} SignedWord;

/* Does a sign stand beside the word? Most words end here. */
static inline bool word_has_sign_beside(
        const uint8_t *text, const uint8_t *text_end, const uint8_t *start, const uint8_t *end)
{
	if (start > text && start[-1] == '.')
		return true;
	if (end == text_end)
		return false;
	return *end == '+' || *end == '#' || *end == '&' ||
	       (*end == ' ' && end + 1 < text_end && end[1] == '&');
}

/* Does the word from start to end have signs? A sign stands beside it. text and text_end: where it
 * stands. */
bool word_signs(const uint8_t *text, const uint8_t *text_end, const uint8_t *start,
        const uint8_t *end, SignedWord *out);

/* Is this term a word with its signs? term: as the tokenizer yields it, not empty. */
bool word_is_signed(const char *term, int length);
/* Bytes of the term without its signs, which begin at *start_r: those of the word before "&". */
unsigned word_without_signs(const char *term, const char **start_r);
/* Is it a term like at&t, whose second word is the next term of the text? */
bool word_joins_next(const char *term);
