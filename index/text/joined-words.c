/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/text/joined-words.h"
#include "index/text/tokenizer.h"
#include <limits.h>
#include <string.h>

typedef struct {
	const char *text;
	char *const *token; /* the next one; NULL if another came */
	int start, end;
	bool signs;
} JoinedScan;

static bool joined_has_space(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (g_ascii_isspace(text[i]))
			return true;
	return false;
}

/* An apostrophe is written in several ways and tells nothing. */
static bool joined_is_apostrophe(const char *text, size_t length)
{
	static const char *const signs[] = {"'", "’", "‘", "ʼ", "`", "´", "′"};
	for (size_t i = 0; i < G_N_ELEMENTS(signs); i++)
		if (length == strlen(signs[i]) && memcmp(text, signs[i], length) == 0)
			return true;
	return false;
}

static int joined_take_token(void *data, const char *token, int length, int start, int end)
{
	JoinedScan *scan = data;
	bool same = *scan->token && strlen(*scan->token) == (size_t)length &&
	            memcmp(*scan->token, token, length) == 0;
	bool first = scan->start < 0;
	if (!same || (!first && start > scan->end &&
	                     joined_has_space(scan->text + scan->end, start - scan->end)))
		return 1;
	scan->signs |= !first && start > scan->end &&
	               !joined_is_apostrophe(scan->text + scan->end, start - scan->end);
	scan->start = first ? start : scan->start;
	scan->end = end;
	scan->token++;
	return 0;
}

char *joined_words_of(const char *text, size_t length, char *const *tokens)
{
	JoinedScan scan = {.text = text, .token = tokens, .start = -1};
	if (length > INT_MAX || tokenize_phrase(text, length, joined_take_token, &scan) != 0 ||
	        *scan.token || !scan.signs)
		return NULL;
	return tokenize_fold(text + scan.start, scan.end - scan.start);
}

/* ---- in a text */

static bool joined_is_letter(const char *character, const char *end)
{
	gunichar c = g_utf8_get_char_validated(character, end - character);
	return c < (gunichar)-2 && (g_unichar_isalnum(c) || g_unichar_ismark(c));
}

/* Nothing but separators stands before and after. */
static bool joined_is_alone(const char *text, const char *end, const char *at, size_t length)
{
	const char *before = at > text ? g_utf8_find_prev_char(text, at) : NULL;
	return !(before && joined_is_letter(before, end)) &&
	       !(at + length < end && joined_is_letter(at + length, end));
}

/* joined begins with a letter or digit; where it is one of ASCII, both cases are looked for. */
static bool joined_find(const char *joined, const char *text, const char *end)
{
	size_t length = strlen(joined);
	char small = joined[0], capital = g_ascii_toupper(small);
	for (const char *at = text; at + length <= end; at++)
		if ((*at == small || *at == capital) &&
		        g_ascii_strncasecmp(at, joined, length) == 0 &&
		        joined_is_alone(text, end, at, length))
			return true;
	return false;
}

static bool joined_has_letter(const char *joined)
{
	for (; *joined; joined++)
		if (g_ascii_isalpha(*joined) || (*joined & 0x80))
			return true;
	return false;
}

static bool joined_is_ascii(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (text[i] & 0x80)
			return false;
	return true;
}

/* Folding takes longer than looking. */
bool joined_words_occur(const char *joined, const char *text, size_t length, char **folded)
{
	if (joined_find(joined, text, text + length))
		return true;
	if (!joined_has_letter(joined) || joined_is_ascii(text, length))
		return false;
	if (!*folded)
		*folded = tokenize_fold(text, length);
	return joined_find(joined, *folded, *folded + strlen(*folded));
}
