/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-spelling.c - umlauts and the two letters that stand for them where a keyboard has none
 *
 * The index folds ä to a, so "Müller" is "muller" there, and "Mueller" is "mueller": each must find
 * the other. */
#include <config.h>
#include "index/query/query-private.h"
#include "index/text/tokenizer.h"
#include <string.h>

/* At most so many pairs of letters of a word may be umlauts: each doubles the spellings. */
enum { MOST_PAIRS = 3 };

static const char *letters_for(gunichar c)
{
	switch (g_unichar_tolower(c)) {
	case 0xe4: /* ä */
		return "ae";
	case 0xf6: /* ö */
	case 0xf8: /* ø */
		return "oe";
	case 0xfc: /* ü */
		return "ue";
	case 0xe5: /* å */
		return "aa";
	default:
		return NULL;
	}
}

/* The folded word with two letters for each umlaut; NULL: it has none. */
static char *without_umlauts(const char *text)
{
	g_autofree char *composed = g_utf8_normalize(text, -1, G_NORMALIZE_DEFAULT_COMPOSE);
	g_autoptr(GString) out = g_string_new(NULL);
	bool found = false;
	for (const char *s = composed; s && *s; s = g_utf8_next_char(s)) {
		const char *letters = letters_for(g_utf8_get_char(s));
		found |= letters != NULL;
		if (letters)
			g_string_append(out, letters);
		else
			g_string_append_unichar(out, g_utf8_get_char(s));
	}
	return found ? tokenize_fold(out->str, out->len) : NULL;
}

/* "ae", "oe", "ue" or "aa", unless the letter before shows that it is none: "neue", "quer". In
 * short words it is hardly ever an umlaut. */
static bool is_pair(const char *word, size_t i)
{
	enum { SHORT = 3 };
	if (strlen(word) <= SHORT + (word[i + 1] == 'a'))
		return false;
	if (word[i] == 'u' && i > 0 && strchr("aeoq", word[i - 1]))
		return false;
	return word[i] == 'a' ? word[i + 1] == 'e' || word[i + 1] == 'a'
	                      : (word[i] == 'o' || word[i] == 'u') && word[i + 1] == 'e';
}

/* Finds the pairs of the word and returns their number. */
static unsigned find_letter_pairs(const char *word, size_t pairs[MOST_PAIRS])
{
	unsigned n = 0;
	for (size_t i = 0; word[i] && n < MOST_PAIRS; i++)
		if (is_pair(word, i))
			pairs[n++] = i++;
	return n;
}

/* The word with one letter for each pair whose bit is set. */
static char *join_pairs(const char *word, const size_t *pairs, unsigned n, unsigned set)
{
	GString *out = g_string_new(word);
	for (unsigned i = n; i-- > 0;)
		if (set >> i & 1)
			g_string_erase(out, pairs[i] + 1, 1);
	return g_string_free(out, FALSE);
}

char **query_other_spellings(const char *text, const char *token)
{
	size_t pairs[MOST_PAIRS];
	g_autoptr(GStrvBuilder) spellings = g_strv_builder_new();
	g_autofree char *plain = without_umlauts(text);
	unsigned n = find_letter_pairs(token, pairs);
	if (!plain && n == 0)
		return NULL;
	if (plain)
		g_strv_builder_add(spellings, plain);
	for (unsigned set = 1; set < 1u << n; set++) {
		g_autofree char *joined = join_pairs(token, pairs, n, set);
		g_strv_builder_add(spellings, joined);
	}
	return g_strv_builder_end(spellings);
}
