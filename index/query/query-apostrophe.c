/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-apostrophe.c - apostrophes that are letters to Unicode, and to the index
 *
 * U+02BC is an apostrophe in Ukrainian (здоровʼя), U+02BB a part of the letters oʻ and gʻ in Uzbek
 * and a consonant in Hawaiian (Hawaiʻi). Keyboards have ' or ’ for both, which divides words. So
 * one word with such a letter is read as two words with an apostrophe, and these are also searched
 * as one word with such a letter. */
#include <config.h>
#include "index/query/query-private.h"
#include <string.h>

#define LETTER_APOSTROPHE "\xca\xbc" /* U+02BC */
#define LETTER_OKINA "\xca\xbb" /* U+02BB */

/* The only letter in a text that is an apostrophe, with other letters on both sides; NULL: there is
 * none, or there are more. */
static const char *find_letter_apostrophe(const char *text)
{
	const char *found = NULL;
	for (const char *s = text; *s; s = g_utf8_next_char(s)) {
		if (!g_str_has_prefix(s, LETTER_APOSTROPHE) && !g_str_has_prefix(s, LETTER_OKINA))
			continue;
		if (found)
			return NULL;
		found = s;
	}
	bool inside = found && found > text &&
	              g_unichar_isalpha(g_utf8_get_char(g_utf8_prev_char(found))) &&
	              g_unichar_isalpha(g_utf8_get_char(g_utf8_next_char(found)));
	return inside ? found : NULL;
}

char *query_plain_apostrophe(const char *text)
{
	const char *at = find_letter_apostrophe(text);
	if (!at || strpbrk(text, "*?[~"))
		return NULL;
	return g_strdup_printf("%.*s'%s", (int)(at - text), text, g_utf8_next_char(at));
}

bool query_is_apostrophe(const char *text, size_t length)
{
	static const char *const signs[] = {"'", "’", "‘", "`", "´", "′", "＇"};
	for (size_t i = 0; i < G_N_ELEMENTS(signs); i++)
		if (strlen(signs[i]) == length && memcmp(signs[i], text, length) == 0)
			return true;
	return false;
}

char **query_with_apostrophes(const char *first, const char *second)
{
	char **words = g_new0(char *, 3);
	words[0] = g_strconcat(first, LETTER_APOSTROPHE, second, NULL);
	words[1] = g_strconcat(first, LETTER_OKINA, second, NULL);
	return words;
}
