/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/charset/charset-asian.h"
#include "extractors/charset/charset.h"
#include <glib.h>
#include <string.h>

enum {
	ESCAPE = 0x1b,
	HZ_FIRST_MAX = 0x77, /* the last row of GB 2312 */
	HZ_PAIRS_MIN = 4,
	JOHAB_BYTES = 4096,
	JOHAB_MIN = 8, /* least number of syllables */
	KANA_MIN = 3,
};

/* The escape sequences of ISO 2022, and the charset that uses each of them. */
static const struct {
	char sequence[4];
	const char *label;
} designations[] = {
        {"$)C", "iso-2022-kr"},
        {"$)A", "iso-2022-cn"},
        {"$)G", "iso-2022-cn"},
        {"$)E", "iso-2022-cn"},
        {"$*H", "iso-2022-cn"},
        {"$@", "iso-2022-jp"},
        {"$B", "iso-2022-jp"},
        {"$(D", "iso-2022-jp"},
        {"$(O", "iso-2022-jp"},
        {"$(Q", "iso-2022-jp"},
};

static const char *next_designation(const uint8_t **at, const uint8_t *end)
{
	const uint8_t *escape = *at;
	while (escape < end && (escape = memchr(escape, ESCAPE, end - escape))) {
		escape++;
		for (size_t i = 0; i < G_N_ELEMENTS(designations); i++) {
			size_t n = strlen(designations[i].sequence);
			if ((size_t)(end - escape) >= n &&
			        memcmp(escape, designations[i].sequence, n) == 0) {
				*at = escape + n;
				return designations[i].label;
			}
		}
	}
	return NULL;
}

bool names_shifted_set(const uint8_t *data, size_t size)
{
	const uint8_t *at = data;
	const char *label;
	while ((label = next_designation(&at, data + size)))
		if (strcmp(label, "iso-2022-jp") != 0)
			return true;
	return false;
}

/* Up to one character in a hundred may be invalid, as damage. */
static bool mostly_valid(const char *label, const uint8_t *data, size_t size)
{
	const Charset *charset = charset_find(label);
	if (!charset)
		return false;
	if (charset_decode(charset, data, size, NULL) == 0)
		return true;
	g_autoptr(GString) text = g_string_sized_new(size + size / 2);
	return charset_decode(charset, data, size, text) * 100 <= size;
}

typedef struct {
	size_t all;
	size_t usual; /* pairs in the rows of common characters and of punctuation */
	size_t signs; /* pairs that are not both letters or digits, as they would be in a program */
} Pairs;

/* Counts the pairs up to "~}", which must be in the same line. NULL: this is not HZ. */
static const uint8_t *count_pairs(const uint8_t *at, const uint8_t *end, Pairs *pairs)
{
	for (; end - at >= 2; at += 2) {
		if (at[0] == '~' && at[1] == '}')
			return at + 2;
		if (at[0] < 0x21 || at[0] > HZ_FIRST_MAX || at[1] < 0x21 || at[1] > 0x7e)
			return NULL;
		pairs->all++;
		pairs->usual += at[0] == 0x21 || at[0] == 0x23 || (at[0] >= 0x30 && at[0] <= 0x57);
		pairs->signs += !g_ascii_isalnum(at[0]) || !g_ascii_isalnum(at[1]);
	}
	return NULL;
}

static bool looks_hz(const uint8_t *data, size_t size)
{
	const uint8_t *at = data, *end = data + size;
	Pairs pairs = {0};
	while (at < end && (at = memchr(at, '~', end - at))) {
		bool begins = at + 1 < end && at[1] == '{';
		bool doubled = at + 1 < end && at[1] == '~';
		at = begins ? count_pairs(at + 2, end, &pairs) : at + 1 + doubled;
		if (!at)
			return false;
	}
	return pairs.all >= HZ_PAIRS_MIN && pairs.signs > 0 && pairs.usual * 5 >= pairs.all * 4;
}

static bool is_seven_bit(const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (data[i] >= 0x80)
			return false;
	return true;
}

const char *looks_escaped(const uint8_t *data, size_t size)
{
	const uint8_t *at = data;
	const char *label = size > 0 ? next_designation(&at, data + size) : NULL;
	if (!label && size > 0 && looks_hz(data, size))
		label = "hz-gb-2312";
	return label && is_seven_bit(data, size) && mostly_valid(label, data, size) ? label : NULL;
}

/* Returns the size of the sample, cut at the end of a character. */
static size_t johab_length(const uint8_t *data, size_t size)
{
	size_t n = MIN(size, JOHAB_BYTES);
	while (n < size && n > 0 && data[n - 1] >= 0x20)
		n--;
	return n > 0 ? n : MIN(size, JOHAB_BYTES) & ~(size_t)1;
}

bool looks_johab(const uint8_t *data, size_t size)
{
	/* these are a third or more of any text */
	static const char commonest[] = "이다는에을의가를은고로하지도한서사기어인자대리시그나해정";
	const Charset *johab = charset_find("johab");
	size_t first = 0, hangul = 0, others = 0, common = 0;
	while (first < size && data[first] < 0x80)
		first++;
	g_autoptr(GString) text = g_string_new(NULL);
	if (!johab || first == size ||
	        charset_decode(
	                johab, data + first, johab_length(data + first, size - first), text) > 0)
		return false;
	for (const char *p = text->str; *p; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char(p);
		bool syllable = c >= 0xac00 && c <= 0xd7a3;
		hangul += syllable;
		others += c >= 0x80 && !syllable && g_unichar_isalpha(c);
		common += syllable && g_utf8_strchr(commonest, -1, c);
	}
	return hangul >= JOHAB_MIN && others * 9 <= hangul && common * 5 >= hangul;
}

bool looks_kana(const uint8_t *data, size_t size)
{
	size_t pairs = 0, kana = 0;
	for (size_t i = 0; i < size; i++) {
		if (data[i] < 0x80)
			continue;
		if (i + 1 == size || data[i] < 0xa1 || data[i + 1] < 0xa1)
			return false;
		pairs++;
		kana += data[i] == 0xa4 || data[i] == 0xa5;
		i++;
	}
	return pairs >= KANA_MIN && kana * 4 >= pairs * 3;
}
