/* SPDX-License-Identifier: GPL-3.0-or-later */
/* in-word.c - signs of markup within a word, which would divide it in the index */
#include <config.h>
#include "extractors/markup/markup.h"
#include <string.h>

enum { MARKED_BYTES = 400, MOST_SIGNS = 16 };

static bool is_markup_sign(char c)
{
	return c && strchr("*_/#`'~^+", c);
}

/* Bytes from 0x80 on count as letters: taking out the signs beside other characters does no harm.
 */
static bool is_word_byte(char c)
{
	return g_ascii_isalnum(c) || (c & 0x80);
}

bool markup_word_before(const char *begin, const char *at)
{
	begin = at - begin > MOST_SIGNS ? at - MOST_SIGNS : begin;
	while (at > begin && is_markup_sign(at[-1]))
		at--;
	return at > begin && is_word_byte(at[-1]);
}

bool markup_word_after(const char *at, const char *end)
{
	end = at < end ? MIN(end, at + MOST_SIGNS) : end;
	while (at < end && is_markup_sign(*at))
		at++;
	return at < end && is_word_byte(*at);
}

/* Returns the closing sign of the text that begins at inner; NULL: it is no marked text. */
static const char *closing_sign(
        const char *inner, const char *end, const char *close, size_t n, bool spaces)
{
	size_t most = MIN(end - inner, MARKED_BYTES);
	const char *sign =
	        most > n && !g_ascii_isspace(*inner) ? memmem(inner + 1, most - 1, close, n) : NULL;
	if (!sign || g_ascii_isspace(sign[-1]))
		return NULL;
	for (const char *at = inner; !spaces && at < sign; at++)
		if (g_ascii_isspace(*at))
			return NULL;
	return sign;
}

/* Is the sign in an address? "https://example.org/a__b__". */
static bool is_in_address(const char *begin, const char *sign)
{
	const char *at = sign;
	begin = sign - begin > MARKED_BYTES ? sign - MARKED_BYTES : begin;
	while (at > begin && !g_ascii_isspace(at[-1]))
		at--;
	return memmem(at, sign + 1 - at, ":/", 2) != NULL;
}

void markup_join_word(GString *text, const char *open, const char *close, bool spaces)
{
	size_t n_open = strlen(open), n_close = strlen(close);
	const char *at = text->str, *end = at + text->len, *sign = strstr(at, open);
	if (!sign)
		return;
	g_autoptr(GString) out = g_string_sized_new(text->len);
	for (const char *next; sign; sign = strstr(at = next, open)) {
		const char *inner = sign + n_open;
		const char *last = closing_sign(inner, end, close, n_close, spaces);
		if (last && is_in_address(text->str, sign))
			last = NULL;
		next = last ? last + n_close : inner;
		bool joins =
		        last &&
		        ((markup_word_before(text->str, sign) && markup_word_after(inner, last)) ||
		                (markup_word_before(inner, last) && markup_word_after(next, end)));
		g_string_append_len(out, at, sign - at);
		g_string_append_len(
		        out, joins ? inner : sign, (joins ? last : next) - (joins ? inner : sign));
	}
	g_string_append_len(out, at, end - at);
	g_string_truncate(text, 0);
	g_string_append_len(text, out->str, out->len);
}
