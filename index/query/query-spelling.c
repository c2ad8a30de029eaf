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

static void add_umlauts(GPtrArray *spellings, const char *text, const char *token)
{
	size_t pairs[MOST_PAIRS];
	char *plain = without_umlauts(text);
	unsigned n = find_letter_pairs(token, pairs);
	if (plain)
		g_ptr_array_add(spellings, plain);
	for (unsigned set = 1; set < 1u << n; set++)
		g_ptr_array_add(spellings, join_pairs(token, pairs, n, set));
}

char **query_other_spellings(const char *text, const char *token)
{
	GPtrArray *spellings = g_ptr_array_new_with_free_func(g_free);
	add_umlauts(spellings, text, token);
	query_add_letters(spellings, token);
	bool any = spellings->len > 0;
	g_ptr_array_add(spellings, NULL);
	g_ptr_array_set_free_func(spellings, NULL);
	return (char **)g_ptr_array_free(spellings, !any);
}
