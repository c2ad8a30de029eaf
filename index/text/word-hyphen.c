/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/text/word-hyphen.h"
#include "index/text/tokenizer.h"
#include <string.h>

enum { HYPHEN_MAX_DIGITS = 4 };

/* Bytes of the letter or mark at s; 0: there is none. */
static unsigned hyphen_letter(const uint8_t *s, const uint8_t *end)
{
	enum { LATIN_TO_CYRILLIC = 0x530, MORE_LATIN = 0x1e00, MORE_GREEK_END = 0x2000 };
	if (s == end || *s < 0x80)
		return s < end && g_ascii_isalpha(*s);
	gunichar c = g_utf8_get_char_validated((const char *)s, end - s);
	bool script = c < LATIN_TO_CYRILLIC || (c >= MORE_LATIN && c < MORE_GREEK_END);
	return script && (g_unichar_isalpha(c) || g_unichar_ismark(c)) ? g_utf8_skip[*s] : 0;
}

typedef enum { HYPHEN_OTHER, HYPHEN_LETTERS, HYPHEN_NUMBER } HyphenKind;

/* Returns the end of the letters, or of the digits, at s. */
static const uint8_t *hyphen_word_end(const uint8_t *s, const uint8_t *end, HyphenKind *kind_r)
{
	const uint8_t *first = s;
	for (unsigned length; (length = hyphen_letter(s, end)) > 0;)
		s += length;
	*kind_r = s > first ? HYPHEN_LETTERS : HYPHEN_OTHER;
	if (s > first)
		return s;
	while (s < end && g_ascii_isdigit(*s))
		s++;
	*kind_r = s > first && s - first <= HYPHEN_MAX_DIGITS ? HYPHEN_NUMBER : HYPHEN_OTHER;
	return s;
}

/* May a word begin after this byte? 0: nothing stands before it. */
static bool hyphen_may_follow(HyphenRules rules, uint8_t before)
{
	if (rules == HYPHENS_OF_NAME)
		return before != '-';
	return before == 0 || before >= 0x80 || strchr(" \t\r\n([{\"',;!?|>", before);
}

/* Does a word end before s? In prose a point or colon is followed by something else than a word. */
static bool hyphen_may_precede(HyphenRules rules, const uint8_t *s, const uint8_t *text_end)
{
	uint8_t next = s < text_end ? s[0] : 0, second = text_end - s > 1 ? s[1] : 0;
	if (word_has_hyphen_after(s, text_end) || g_ascii_isalnum(next))
		return false;
	if (rules == HYPHENS_OF_NAME)
		return true;
	if (next != 0 && strchr(".:", next))
		return !g_ascii_isalnum(second) && second != '/' && second != ':';
	return next == 0 || next >= 0x80 || strchr(" \t\r\n)]}\"',;!?|<", next);
}

/* The second word of one that a line divides; NULL: it is not so. */
static const uint8_t *hyphen_next_line(const uint8_t *s, const uint8_t *end)
{
	s += s < end && *s == '\r';
	if (s == end || *s++ != '\n')
		return NULL;
	while (s < end && (*s == ' ' || *s == '\t'))
		s++;
	return s < end && g_ascii_islower(*s) ? s : NULL;
}

const uint8_t *word_hyphen_end(HyphenRules rules, const uint8_t *text, const uint8_t *text_end,
        const uint8_t *start, const uint8_t *end)
{
	HyphenKind first, kind;
	const uint8_t *second = end + (*end == '-' ? 1 : 3), *line;
	const uint8_t *most =
	        text_end - start > TOKEN_MAX_BYTES ? start + TOKEN_MAX_BYTES + 1 : text_end;
	if (second >= most || !hyphen_may_follow(rules, start > text ? start[-1] : 0) ||
	        hyphen_word_end(start, end, &first) != end || first == HYPHEN_OTHER)
		return NULL;
	if (first == HYPHEN_LETTERS && (line = hyphen_next_line(second, most)))
		second = line;
	const uint8_t *whole_end = hyphen_word_end(second, most, &kind);
	if (kind == HYPHEN_OTHER || (first == HYPHEN_NUMBER && kind == HYPHEN_NUMBER) ||
	        whole_end - start > TOKEN_MAX_BYTES)
		return NULL;
	return hyphen_may_precede(rules, whole_end, text_end) ? whole_end : NULL;
}
