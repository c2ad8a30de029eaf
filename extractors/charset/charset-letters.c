/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/charset/charset-letters.h"
#include <stdbool.h>
#include <stdint.h>

enum { FIRST = 0x80, LAST = 0x530, LANGUAGES_MAX = 64 };

#define CYRILLIC "абвгдежзийклмнопрстуфхцчшщъыьэюя"

/* The letters that each language writes besides a to z. */
static const char *const alphabets[] = {
        "äöüß", /* German */
        "àâæçéèêëîïôœùûü", /* French */
        "áéíñóúü", /* Spanish, Galician */
        "àçèéíïòóúü", /* Catalan */
        "áâãàçéêíóôõúü", /* Portuguese */
        "àèéìíîòóùú", /* Italian */
        "áäèéëêïíóöüû", /* Dutch, Afrikaans */
        "åäöéàü", /* Swedish */
        "åäöšž", /* Finnish */
        "æøåéóèêòôâ", /* Danish, Norwegian */
        "áðéíóúýþæö", /* Icelandic */
        "áéíóúàèìòù", /* Irish, Gaelic */
        "âêîôûŵŷáéëïöàèìẁẃẅỳ", /* Welsh */
        "ñçü", /* Basque */
        "çë", /* Albanian */
        "äöõüšž", /* Estonian */
        "āčēģīķļņšūžōŗ", /* Latvian */
        "ąčęėįšųūž", /* Lithuanian */
        "ąćęłńóśźż", /* Polish */
        "áčďéěíňóřšťúůýž", /* Czech */
        "áäčďéíĺľňóôŕšťúýž", /* Slovak */
        "áéíóöőúüű", /* Hungarian */
        "čćđšž", /* Croatian, Slovene */
        "ăâîşţ", /* Romanian, old code points */
        "ăâîșț", /* Romanian, correct code points */
        "çğıöşüâîû", /* Turkish */
        "ĉĝĥĵŝŭ", /* Esperanto */
        "ċġħżàèìòù", /* Maltese */
        "àáâãèéêìíòóôõùúýăđĩũơư", /* Vietnamese, without the letters that have a Unicode block of
                                     their own */
        CYRILLIC "ё", /* Russian, Bulgarian */
        "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя", /* Ukrainian */
        "абвгдеёжзійклмнопрстуўфхцчшыьэюя", /* Belarusian */
        "абвгдђежзијклљмнњопрстћуфхцчџш", /* Serbian */
        "абвгдѓежзѕијклљмнњопрстќуфхцчџш", /* Macedonian */
        CYRILLIC "ёәғқңөұүһі", /* Kazakh */
        CYRILLIC "ёғӣқӯҳҷ", /* Tajik */
        "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ", /* Greek */
};
#define VIETNAMESE ((uint64_t)1 << 28)
G_STATIC_ASSERT(G_N_ELEMENTS(alphabets) <= LANGUAGES_MAX);

/* For each letter, one bit for each language that writes it. */
static uint64_t writers[LAST - FIRST];

static void fill_writers(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(alphabets); i++)
		for (const char *p = alphabets[i]; *p; p = g_utf8_next_char(p)) {
			gunichar c = g_utf8_get_char(p);
			if (c < LAST)
				writers[c - FIRST] |= (uint64_t)1 << i;
		}
}

static uint64_t writers_of(gunichar c)
{
	if ((c >= 0x1ea0 && c <= 0x1ef9) || (c >= 0x300 && c <= 0x323))
		return VIETNAMESE;
	return c >= FIRST && c < LAST ? writers[c - FIRST] : 0;
}

void letters_count(LetterCounts *counts, gunichar letter)
{
	letter = g_unichar_tolower(letter);
	for (size_t i = 0; i < counts->n; i++)
		if (counts->of[i].letter == letter) {
			counts->of[i].times++;
			return;
		}
	if (counts->n == LETTER_KINDS)
		return;
	counts->of[counts->n].letter = letter;
	counts->of[counts->n++].times = 1;
}

unsigned letters_of_one_language(const LetterCounts *counts, unsigned *all_r)
{
	unsigned written[LANGUAGES_MAX] = {0}, best = 0;
	if (writers[0xe4 - FIRST] == 0)
		fill_writers();
	*all_r = 0;
	for (size_t i = 0; i < counts->n; i++) {
		uint64_t mask = writers_of(counts->of[i].letter);
		*all_r += counts->of[i].times;
		for (; mask; mask &= mask - 1)
			written[__builtin_ctzll(mask)] += counts->of[i].times;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(alphabets); i++)
		best = MAX(best, written[i]);
	return best;
}
