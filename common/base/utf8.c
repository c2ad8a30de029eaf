/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/utf8.h"
#include <stdint.h>
#include <string.h>

/* The highest and the lowest bit of every byte in a word. */
#define HIGHEST 0x8080808080808080ull
#define LOWEST 0x0101010101010101ull

static uint64_t word_at(const char *text)
{
	uint64_t word;
	memcpy(&word, text, sizeof word);
	return word;
}

/* Is any byte of the word below limit (at most 128)? Exact if all bytes of the word are ASCII. */
static bool has_below(uint64_t word, unsigned limit)
{
	return ((word - LOWEST * limit) & ~word & HIGHEST) != 0;
}

/* The number of ASCII bytes other than NUL at the beginning. */
static size_t skip_ascii(const char *text, size_t length)
{
	size_t at = 0;
	while (length - at >= sizeof(uint64_t)) {
		uint64_t word = word_at(text + at);
		if ((word & HIGHEST) != 0 || has_below(word, 1))
			break;
		at += sizeof word;
	}
	while (at < length && text[at] > 0)
		at++;
	return at;
}

static bool is_tail(const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((bytes[i] & 0xc0) != 0x80)
			return false;
	return true;
}

/* The length of the valid sequence that begins with a byte from 0x80 on; 0 if it is invalid.
 * Unicode Standard, table 3-7. */
static size_t sequence_length(const uint8_t *bytes, size_t length)
{
	uint8_t first = bytes[0];
	size_t n = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
	if (first < 0xc2 || first > 0xf4 || length < n || !is_tail(bytes + 1, n - 1))
		return 0;
	uint8_t second = bytes[1];
	if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
	        (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f))
		return 0;
	return n;
}

size_t utf8_valid_prefix(const char *text, size_t length)
{
	size_t at = 0;
	for (;;) {
		at += skip_ascii(text + at, length - at);
		if (at == length || text[at] == '\0')
			return at;
		size_t n = sequence_length((const uint8_t *)text + at, length - at);
		if (n == 0)
			return at;
		at += n;
	}
}

static bool is_control(char byte)
{
	return (uint8_t)byte < 0x20 && byte != '\n' && byte != '\t';
}

bool utf8_has_no_controls(const char *text, size_t length)
{
	size_t at = 0;
	while (length - at >= sizeof(uint64_t)) {
		if (has_below(word_at(text + at), 0x20))
			for (size_t i = 0; i < sizeof(uint64_t); i++)
				if (is_control(text[at + i]))
					return false;
		at += sizeof(uint64_t);
	}
	for (; at < length; at++)
		if (is_control(text[at]))
			return false;
	return true;
}
