/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/text/marked-words.h"
#include "index/text/tokenizer.h"
#include <glib.h>
#include <limits.h>
#include <string.h>

struct MarkedWord {
	GPtrArray *same; /* char *: the spelling in small letters, with a capital, in capitals */
	GPtrArray *folded; /* char *: terms that count as the word */
	MarkedKind kind;
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

static MarkedKind marked_kind_of(const char *small, const char *token)
{
	return strcmp(small, token) != 0 ? MARKED_LETTERS
	       : strstr(token + 1, "ss") ? MARKED_SHARP
	                                 : MARKED_PLAIN;
}

/* A shorter word is mostly no name and no noun, and begins too many others. */
static bool marked_is_long_plain(const char *token)
{
	enum { LEAST_LETTERS = 3 };
	size_t n = 0;
	while (g_ascii_isalpha(token[n]))
		n++;
	return !token[n] && n >= LEAST_LETTERS;
}

MarkedWord *marked_word_of(
        const char *text, size_t length, const char *token, const char *const *spellings)
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
	MarkedKind kind = marked_kind_of(small, token);
	if (kind == MARKED_PLAIN && !marked_is_long_plain(token))
		return NULL;
	MarkedWord *word = g_new0(MarkedWord, 1);
	word->kind = kind;
	word->same = g_ptr_array_new_with_free_func(g_free);
	word->folded = g_ptr_array_new_with_free_func(g_free);
	marked_add_cases(word->same, small);
	g_ptr_array_add(word->folded, g_strdup(token));
	for (; spellings && *spellings; spellings++)
		g_ptr_array_add(word->folded, g_strdup(*spellings));
	return word;
}

void marked_word_free(MarkedWord *word)
{
	if (!word)
		return;
	g_ptr_array_unref(word->same);
	g_ptr_array_unref(word->folded);
	g_free(word);
}

MarkedKind marked_word_kind(const MarkedWord *word)
{
	return word->kind;
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

typedef struct {
	const GPtrArray *folded;
	bool found;
} MarkedScan;

static int marked_compare_token(void *data, const char *token, int length, int start, int end)
{
	MarkedScan *scan = data;
	for (guint i = 0; i < scan->folded->len && !scan->found; i++) {
		size_t n = strlen(scan->folded->pdata[i]);
		scan->found = (size_t)length >= n && memcmp(token, scan->folded->pdata[i], n) == 0;
	}
	return scan->found;
}

/* The beginning of the word that the byte belongs to, as far as ASCII tells. Characters outside of
 * ASCII that are not letters are left to the tokenizer. */
static const char *marked_word_begin(const char *text, const char *at)
{
	while (at > text && (at[-1] & 0x80 || g_ascii_isalnum(at[-1])))
		at--;
	return at;
}

static const char *marked_word_end(const char *at, const char *end)
{
	while (at < end && (*at & 0x80 || g_ascii_isalnum(*at)))
		at++;
	return at;
}

/* Can the byte begin a Latin letter outside of ASCII, or a mark? Texts in other scripts are passed
 * over. */
static bool marked_may_begin_letter(unsigned char byte)
{
	return (byte >= 0xc3 && byte <= 0xc9) || byte == 0xcc || byte == 0xcd || byte == 0xe1;
}

/* Does a word of the text with a letter outside of ASCII count as the word? */
static bool marked_has_foreign(const MarkedWord *word, const char *text, size_t length)
{
	const char *end = text + length;
	MarkedScan scan = {.folded = word->folded};
	for (const char *at = text; at < end && !scan.found;) {
		if (!marked_may_begin_letter(*at)) {
			at++;
			continue;
		}
		const char *begin = marked_word_begin(text, at);
		at = marked_word_end(at, end);
		tokenize(begin, at - begin, marked_compare_token, &scan);
	}
	return scan.found;
}

/* Does one in ASCII? */
static bool marked_has_ascii(const MarkedWord *word, const char *text, size_t length)
{
	bool found = false;
	for (guint i = 0; i < word->folded->len && !found; i++) {
		g_autoptr(GPtrArray) cases = g_ptr_array_new_with_free_func(g_free);
		if (!g_str_is_ascii(word->folded->pdata[i]))
			continue;
		marked_add_cases(cases, word->folded->pdata[i]);
		found = marked_has_any(cases, text, length);
	}
	return found;
}

MarkedState marked_word_state(const MarkedWord *word, const char *text, size_t length)
{
	if (marked_has_any(word->same, text, length))
		return MARKED_SAME;
	return marked_has_ascii(word, text, length) || marked_has_foreign(word, text, length)
	               ? MARKED_OTHER
	               : MARKED_NONE;
}
