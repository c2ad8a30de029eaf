/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/pdf/pdf-arabic.h"
#include <glib.h>
#include <stdbool.h>
#include <string.h>

enum { ALEF = 0x627, LAM = 0x644, LETTER_BYTES = 2 };

/* A letter or mark, also of Persian and Urdu. */
static bool is_arabic(gunichar c)
{
	return (c >= 0x620 && c < 0x660) || (c >= 0x66e && c < 0x6d4);
}

/* An alef with madda or hamza. */
static bool is_marked_alef(gunichar c)
{
	return c == 0x622 || c == 0x623 || c == 0x625;
}

/* Words that do not exist, and what they are if a ligature is reversed. The ligature of the first
 * ones is Allah. */
typedef struct {
	const char *wrong, *right;
} ArabicWord;
static const ArabicWord allah_words[] = {{"هللا", "الله"}, {"اهلل", "الله"}};
static const ArabicWord lam_alef_words[] = {{"إال", "إلا"}, {"أال", "ألا"}, {"ال", "لا"}};

/* Returns what follows the letters that are written together with the next word: "wa" (and) or "fa"
 * (so), and then one of the others. */
static char *skip_prefix(char *word, const char *others)
{
	static const char and_so[] = "وف";
	for (const char *p = and_so; *p; p += LETTER_BYTES) {
		if (strncmp(word, p, LETTER_BYTES) == 0) {
			word += LETTER_BYTES;
			break;
		}
	}
	for (; *others; others += LETTER_BYTES)
		if (strncmp(word, others, LETTER_BYTES) == 0)
			return word + LETTER_BYTES;
	return word;
}

/* The article and the marked alef of the next letter: no word begins with alef and such an alef. */
static char *find_split_article(char *word)
{
	char *article = skip_prefix(word, "بك"), *marked = article + LETTER_BYTES;
	return g_utf8_get_char(article) == ALEF && is_marked_alef(g_utf8_get_char(marked)) &&
	                       g_utf8_get_char(marked + LETTER_BYTES) == LAM
	               ? article
	               : NULL;
}

static void join_article(char *article)
{
	char *marked = article + LETTER_BYTES;
	memmove(marked + LETTER_BYTES, marked, LETTER_BYTES);
	memcpy(marked, "ل", LETTER_BYTES);
}

/* Replaces the text from word to end if it is one of these words. */
static void replace_word(char *word, const char *end, const ArabicWord *words, size_t n)
{
	size_t length = (size_t)(end - word);
	for (size_t i = 0; i < n; i++) {
		if (strlen(words[i].wrong) == length && memcmp(word, words[i].wrong, length) == 0) {
			memcpy(word, words[i].right, length);
			return;
		}
	}
}

/* Finds the next word of Arabic letters; NULL: there is none. */
static char *next_arabic_word(char *text, char **end_r)
{
	while (*text && !is_arabic(g_utf8_get_char(text)))
		text = g_utf8_next_char(text);
	char *end = text;
	while (*end && is_arabic(g_utf8_get_char(end)))
		end = g_utf8_next_char(end);
	*end_r = end;
	return end > text ? text : NULL;
}

/* Returns whether lam-alef is reversed in this text. */
static bool spell_certain_words(char *text)
{
	bool reversed = false;
	for (char *word, *end; (word = next_arabic_word(text, &end)); text = end) {
		char *article = find_split_article(word);
		if (article)
			join_article(article);
		reversed = reversed || article;
		replace_word(skip_prefix(word, "بك"), end, allah_words, G_N_ELEMENTS(allah_words));
	}
	return reversed;
}

/* Such a word by itself could also be a misprint. */
static void spell_short_words(char *text)
{
	for (char *word, *end; (word = next_arabic_word(text, &end)); text = end)
		replace_word(
		        skip_prefix(word, ""), end, lam_alef_words, G_N_ELEMENTS(lam_alef_words));
}

void pdf_arabic_spell(char *text)
{
	char *arabic = strpbrk(text, "\xd8\xd9"); /* the first bytes of these letters */
	if (arabic && spell_certain_words(arabic))
		spell_short_words(arabic);
}
