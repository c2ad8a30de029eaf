/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/text/word-parts.h"
#include <glib.h>

enum { COMPOUND_LETTERS = 3, CODE_CHANGES = 5 };

typedef enum { KIND_LETTER, KIND_SMALL, KIND_CAPITAL, KIND_DIGIT, KIND_MARK } CharKind;

static CharKind parts_kind_of(const uint8_t *s)
{
	switch (g_unichar_type(g_utf8_get_char((const char *)s))) {
	case G_UNICODE_LOWERCASE_LETTER:
		return KIND_SMALL;
	case G_UNICODE_UPPERCASE_LETTER:
	case G_UNICODE_TITLECASE_LETTER:
		return KIND_CAPITAL;
	case G_UNICODE_DECIMAL_NUMBER:
		return KIND_DIGIT;
	case G_UNICODE_NON_SPACING_MARK:
	case G_UNICODE_SPACING_MARK:
	case G_UNICODE_ENCLOSING_MARK:
	case G_UNICODE_FORMAT:
		return KIND_MARK;
	default:
		return KIND_LETTER;
	}
}

/* The character after the one at s, without its marks. */
static const uint8_t *next_character(const uint8_t *s, const uint8_t *end)
{
	do
		s = (const uint8_t *)g_utf8_next_char(s);
	while (s < end && parts_kind_of(s) == KIND_MARK);
	return s;
}

/* True if a part begins with the character at s. */
static bool begins_part(CharKind before, const uint8_t *s, const uint8_t *end)
{
	CharKind kind = parts_kind_of(s);
	if ((kind == KIND_DIGIT) != (before == KIND_DIGIT))
		return true;
	if (kind != KIND_CAPITAL || before != KIND_CAPITAL)
		return kind == KIND_CAPITAL && before == KIND_SMALL;
	const uint8_t *next = next_character(s, end);
	return next < end && parts_kind_of(next) == KIND_SMALL;
}

const uint8_t *word_part_end(const uint8_t *s, const uint8_t *end, unsigned *characters_r)
{
	CharKind before = parts_kind_of(s);
	*characters_r = 1;
	while ((s = next_character(s, end)) < end && !begins_part(before, s, end)) {
		before = parts_kind_of(s);
		++*characters_r;
	}
	return s;
}

bool word_has_parts(const uint8_t *start, const uint8_t *end)
{
	unsigned parts = 0, changes = 0, characters;
	bool compound = false, digits = false;
	for (const uint8_t *s = start; s < end && changes < CODE_CHANGES; parts++) {
		bool number = parts_kind_of(s) == KIND_DIGIT;
		changes += parts > 0 && number != digits;
		digits = number;
		s = word_part_end(s, end, &characters);
		compound |= !number && characters >= COMPOUND_LETTERS;
	}
	return parts > 1 && (changes == 0 || (compound && changes < CODE_CHANGES));
}
