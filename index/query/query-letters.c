/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-letters.c - letters that keyboards and spellings of one script interchange
 *
 * Arabic script: the yeh, kaf and heh of Arabic, Persian and Urdu are different characters that
 * look alike, and the last yeh is often written as alef maksura. Devanagari: a nasal before a
 * consonant of its class may be an anusvara (हिन्दी, हिंदी), which also replaces the candrabindu,
 * and the nukta of loans is often left out (फ़िल्म, फिल्म). The same letters are one to Lucene's
 * ArabicNormalizer, PersianNormalizer, IndicNormalizer and HindiNormalizer. */
#include <config.h>
#include "index/query/query-private.h"
#include <string.h>

enum {
	ANUSVARA = 0x902,
	CANDRABINDU = 0x901,
	NUKTA = 0x93c,
	VIRAMA = 0x94d,
	MOST_NUKTAS = 3, /* letters that may have one: each doubles the spellings */
};

/* Adds a spelling that is new and not the word itself. */
static void letters_add(GPtrArray *spellings, const char *token, char *spelling)
{
	if (strcmp(token, spelling) != 0 &&
	        !g_ptr_array_find_with_equal_func(spellings, spelling, g_str_equal, NULL))
		g_ptr_array_add(spellings, spelling);
	else
		g_free(spelling);
}

/* ---- Arabic script */

/* Letters that look alike; 0 ends them. */
static const gunichar yehs[] = {0x64a, 0x6cc, 0}, last_yehs[] = {0x64a, 0x6cc, 0x649, 0},
                      kafs[] = {0x643, 0x6a9, 0}, hehs[] = {0x647, 0x6c1, 0x6d5, 0};

static bool letters_have(const gunichar *letters, gunichar c)
{
	for (; *letters; letters++)
		if (*letters == c)
			return true;
	return false;
}

/* Takes the word and its spellings so far, and adds each with one of the letters alike in place of
 * all those that stand at the end, or of all that stand elsewhere. */
static void add_alike(GPtrArray *spellings, const char *token, const gunichar *alike, bool at_end)
{
	guint n = spellings->len;
	for (guint i = 0; i <= n; i++)
		for (const gunichar *to = alike; *to; to++) {
			const char *from = i < n ? spellings->pdata[i] : token;
			GString *out = g_string_new(NULL);
			for (const char *s = from; *s; s = g_utf8_next_char(s)) {
				gunichar c = g_utf8_get_char(s);
				bool last = *g_utf8_next_char(s) == '\0';
				bool other = letters_have(alike, c) && last == at_end;
				g_string_append_unichar(out, other ? *to : c);
			}
			letters_add(spellings, token, g_string_free(out, FALSE));
		}
}

static void add_arabic(GPtrArray *spellings, const char *token)
{
	add_alike(spellings, token, yehs, false);
	add_alike(spellings, token, last_yehs, true);
	for (int at_end = 0; at_end < 2; at_end++) {
		add_alike(spellings, token, kafs, at_end);
		add_alike(spellings, token, hehs, at_end);
	}
}

/* ---- Devanagari */

/* The nasal of the class of a consonant (ka to ma, five to a class); 0: the consonant has none. */
static gunichar nasal_of(gunichar c)
{
	enum { KA = 0x915, NNNA = 0x929, PA = 0x92a, MA = 0x92e, CLASS = 5 };
	if (c < KA || c > MA || c == NNNA)
		return 0;
	return c >= PA ? MA : KA + (c - KA) / CLASS * CLASS + CLASS - 1;
}

/* The word with anusvaras for all nasals that may be one. */
static char *with_anusvaras(const char *token)
{
	GString *out = g_string_new(NULL);
	for (const char *s = token; *s; s = g_utf8_next_char(s)) {
		gunichar c = g_utf8_get_char(s);
		const char *next = g_utf8_next_char(s);
		bool dead = g_utf8_get_char(next) == VIRAMA;
		gunichar after = dead ? g_utf8_get_char(g_utf8_next_char(next)) : 0;
		bool nasal = dead && after != c && nasal_of(after) == c;
		g_string_append_unichar(out, nasal || c == CANDRABINDU ? ANUSVARA : c);
		if (nasal)
			s = next;
	}
	return g_string_free(out, FALSE);
}

static char *with_nasals(const char *token)
{
	GString *out = g_string_new(NULL);
	for (const char *s = token; *s; s = g_utf8_next_char(s)) {
		gunichar c = g_utf8_get_char(s);
		gunichar after = g_utf8_get_char(g_utf8_next_char(s));
		gunichar nasal = c == ANUSVARA ? nasal_of(after) : 0;
		bool divided = nasal != 0 && nasal != after;
		g_string_append_unichar(out, divided ? nasal : c);
		if (divided)
			g_string_append_unichar(out, VIRAMA);
	}
	return g_string_free(out, FALSE);
}

static char *with_candrabindus(const char *token)
{
	GString *out = g_string_new(NULL);
	for (const char *s = token; *s; s = g_utf8_next_char(s)) {
		gunichar c = g_utf8_get_char(s);
		g_string_append_unichar(out, c == ANUSVARA ? CANDRABINDU : c);
	}
	return g_string_free(out, FALSE);
}

/* The word with a nukta at the letters whose bit is set, counted among those that may have one. */
static char *with_nuktas(const char *token, unsigned set, unsigned *letters_r)
{
	static const gunichar letters[] = {0x915, 0x916, 0x917, 0x91c, 0x921, 0x922, 0x92b, 0};
	GString *out = g_string_new(NULL);
	*letters_r = 0;
	for (const char *s = token; *s; s = g_utf8_next_char(s)) {
		gunichar c = g_utf8_get_char(s);
		if (c == NUKTA)
			continue;
		g_string_append_unichar(out, c);
		if (*letters_r < MOST_NUKTAS && letters_have(letters, c) &&
		        (set >> (*letters_r)++ & 1))
			g_string_append_unichar(out, NUKTA);
	}
	return g_string_free(out, FALSE);
}

static void add_devanagari(GPtrArray *spellings, const char *token)
{
	letters_add(spellings, token, with_anusvaras(token));
	letters_add(spellings, token, with_nasals(token));
	letters_add(spellings, token, with_candrabindus(token));
	for (guint i = 0, n = spellings->len; i <= n; i++) {
		unsigned letters = 0, set = 0;
		do {
			const char *from = i < n ? spellings->pdata[i] : token;
			letters_add(spellings, token, with_nuktas(from, set, &letters));
		} while (++set < 1u << letters);
	}
}

void query_add_letters(GPtrArray *spellings, const char *token)
{
	gunichar first = g_utf8_get_char(token);
	if (first >= 0x600 && first < 0x700)
		add_arabic(spellings, token);
	else if (first >= 0x900 && first < 0x980)
		add_devanagari(spellings, token);
}
