/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/torrent/bencode.h"
#include <string.h>

enum { MAX_DIGITS = 18 };

/* Reads decimal digits at *at and moves *at past them. -1: there are none, or too many. */
static int64_t bencode_digits(Bytes b, size_t *at)
{
	int64_t number = 0;
	size_t first = *at;
	for (; *at < b.size && g_ascii_isdigit(b.data[*at]); ++*at) {
		if (*at - first >= MAX_DIGITS)
			return -1;
		number = number * 10 + (b.data[*at] - '0');
	}
	return *at > first ? number : -1;
}

/* Returns the size of the string that begins here, with its length prefix; 0: none begins here. */
static size_t bencode_string_size(Bytes b, bool *whole)
{
	size_t at = 0;
	int64_t length = bencode_digits(b, &at);
	if (length < 0 || at >= b.size || b.data[at] != ':')
		return 0;
	at++;
	if ((uint64_t)length > b.size - at)
		*whole = false;
	return at + MIN((uint64_t)length, b.size - at);
}

/* Returns the size of the string, number, bracket or 'e' that begins here; 0: none begins here. */
static size_t bencode_token_size(Bytes b, bool *whole)
{
	const uint8_t *end;
	switch (b.data[0]) {
	case 'l':
	case 'd':
	case 'e':
		return 1;
	case 'i':
		end = memchr(b.data, 'e', MIN(b.size, (size_t)MAX_DIGITS + 3));
		return end ? end + 1 - b.data : 0;
	default:
		return bencode_string_size(b, whole);
	}
}

bool bencode_next(Bytes *rest, Bytes *value_r, bool *whole_r)
{
	size_t at = 0, depth = 0;
	bool whole = true;
	if (rest->size == 0 || rest->data[0] == 'e')
		return false;
	do {
		Bytes here = bytes_part(*rest, at, rest->size);
		size_t size = here.size > 0 ? bencode_token_size(here, &whole) : 0;
		if (size == 0) {
			if (at == 0)
				return false;
			whole = false;
			at = rest->size;
			break;
		}
		if (*here.data == 'l' || *here.data == 'd')
			depth++;
		else if (*here.data == 'e')
			depth--;
		at += size;
	} while (depth > 0);
	*value_r = bytes_part(*rest, 0, at);
	*rest = bytes_part(*rest, at, rest->size);
	if (whole_r)
		*whole_r = whole;
	return true;
}

Bytes bencode_items(Bytes value, char kind)
{
	if (value.size == 0 || value.data[0] != (uint8_t)kind)
		return (Bytes){NULL, 0};
	return bytes_part(value, 1, value.size);
}

Bytes bencode_get(Bytes dictionary, const char *key)
{
	Bytes rest = bencode_items(dictionary, 'd'), name, value;
	size_t length = strlen(key);
	while (bencode_next(&rest, &name, NULL) && bencode_next(&rest, &value, NULL)) {
		Bytes text = bencode_string(name);
		if (text.size == length && memcmp(text.data, key, length) == 0)
			return value;
	}
	return (Bytes){NULL, 0};
}

Bytes bencode_string(Bytes value)
{
	size_t at = 0;
	if (bencode_digits(value, &at) < 0)
		return (Bytes){NULL, 0};
	return bytes_part(value, at + 1, value.size);
}

bool bencode_number(Bytes value, int64_t *number_r)
{
	size_t at = 1;
	if (value.size == 0 || value.data[0] != 'i')
		return false;
	*number_r = bencode_digits(value, &at);
	return *number_r >= 0;
}
