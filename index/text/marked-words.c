/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/text/marked-words.h"
#include "index/text/tokenizer.h"
#include <glib.h>
#include <limits.h>
#include <string.h>

struct MarkedWord {
	GPtrArray *same,
	        *other; /* char *: spellings in small letters, with a capital, in capitals */
	bool german;
};

/* Adds the word in each case, composed and decomposed. */
static void marked_add_cases(GPtrArray *spellings, const char *small)
{
	g_autofree char *capitals = g_utf8_strup(small, -1),
	                *first = g_utf8_strup(small, g_utf8_next_char(small) - small),
	                *capital = g_strconcat(first, g_utf8_next_char(small), NULL);
	const char *const cases[] = {small, capital, capitals};
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		char *apart = g_utf8_normalize(cases[i], -1, G_NORMALIZE_DEFAULT);
		g_ptr_array_add(spellings, g_strdup(cases[i]));
		if (apart && strcmp(apart, cases[i]) != 0)
			g_ptr_array_add(spellings, apart);
		else
			g_free(apart);
	}
}

/* Adds the word with ß for each ss, one at a time, of the first eight. In capitals ss is no other
 * spelling. */
static void marked_add_sharp(GPtrArray *spellings, const char *token)
{
	unsigned n = 0;
	for (const char *at = token + 1; n++ < 8 && *at && (at = strstr(at, "ss"));
	        at += strlen("ss")) {
		g_autofree char *sharp =
		        g_strdup_printf("%.*sß%s", (int)(at - token), token, at + strlen("ss"));
		g_autofree char *first = g_utf8_strup(sharp, g_utf8_next_char(sharp) - sharp);
		g_ptr_array_add(spellings, g_strconcat(first, g_utf8_next_char(sharp), NULL));
		g_ptr_array_add(spellings, g_steal_pointer(&sharp));
	}
}

typedef struct {
	const char *token;
	int start, end;
} MarkedPlace;

static int marked_find_token(void *data, const char *token, int length, int start, int end)
{
	MarkedPlace *place = data;
	if (strlen(place->token) != (size_t)length || memcmp(place->token, token, length) != 0)
		return 0;
	place->start = start;
	place->end = end;
	return 1;
}

MarkedWord *marked_word_of(const char *text, size_t length, const char *token)
{
	MarkedPlace place = {.token = token};
	if (length > INT_MAX || tokenize_phrase(text, length, marked_find_token, &place) == 0)
		return NULL;
	g_autofree char *written = g_utf8_normalize(
	        text + place.start, place.end - place.start, G_NORMALIZE_DEFAULT_COMPOSE);
	g_autofree char *small = written ? g_utf8_strdown(written, -1) : NULL;
	if (!small || !*small ||
	        g_unichar_get_script(g_utf8_get_char(small)) != G_UNICODE_SCRIPT_LATIN)
		return NULL;
	bool german = strcmp(small, token) == 0;
	if (german && (!g_str_is_ascii(token) || !strstr(token + 1, "ss")))
		return NULL;
	MarkedWord *word = g_new0(MarkedWord, 1);
	word->german = german;
	word->same = g_ptr_array_new_with_free_func(g_free);
	word->other = g_ptr_array_new_with_free_func(g_free);
	marked_add_cases(word->same, small);
	if (german)
		marked_add_sharp(word->other, token);
	else
		marked_add_cases(word->other, token);
	return word;
}

void marked_word_free(MarkedWord *word)
{
	if (!word)
		return;
	g_ptr_array_unref(word->same);
	g_ptr_array_unref(word->other);
	g_free(word);
}

bool marked_word_is_german(const MarkedWord *word)
{
	return word->german;
}

static bool marked_begins_word(const char *text, const char *at)
{
	const char *before = at > text ? g_utf8_find_prev_char(text, at) : NULL;
	gunichar c = before ? g_utf8_get_char_validated(before, at - before) : 0;
	return !before || c >= (gunichar)-2 || !(g_unichar_isalnum(c) || g_unichar_ismark(c));
}

/* Does a word of the text begin with one of the spellings? */
static bool marked_has_any(const GPtrArray *spellings, const char *text, size_t length)
{
	const char *end = text + length, *at;
	for (guint i = 0; i < spellings->len; i++) {
		const char *spelling = spellings->pdata[i];
		size_t n = strlen(spelling);
		for (at = text; (at = memmem(at, end - at, spelling, n)); at += n)
			if (marked_begins_word(text, at))
				return true;
	}
	return false;
}

MarkedState marked_word_state(const MarkedWord *word, const char *text, size_t length)
{
	if (marked_has_any(word->same, text, length))
		return MARKED_SAME;
	return marked_has_any(word->other, text, length) ? MARKED_OTHER : MARKED_NONE;
}
