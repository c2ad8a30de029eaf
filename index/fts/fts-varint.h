/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fts-varint.h - the varints of SQLite (sqlite.org/fileformat.html, 1.6): one to nine bytes, most
 * significant first, seven bits in each of the first eight */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FTS_VARINT_BYTES = 9 };

/* Reads the varint at *at, which moves past it. False: it does not end before end. */
static inline bool fts_varint_read(const uint8_t *bytes, size_t end, size_t *at, uint64_t *out)
{
	*out = 0;
	for (int i = 0; i < FTS_VARINT_BYTES && *at < end; i++) {
		uint8_t byte = bytes[(*at)++];
		if (i == FTS_VARINT_BYTES - 1) {
			*out = *out << 8 | byte;
			return true;
		}
		*out = *out << 7 | (byte & 0x7f);
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

static inline void fts_varint_append(GByteArray *out, uint64_t number)
{
	uint8_t bytes[FTS_VARINT_BYTES];
	unsigned at = sizeof bytes;
	bool longest = number >> 56 != 0; /* then the last byte has eight bits */
	bytes[--at] = longest ? number : number & 0x7f;
	for (number >>= longest ? 8 : 7; number > 0 || (longest && at > 0); number >>= 7)
		bytes[--at] = (number & 0x7f) | 0x80;
	g_byte_array_append(out, bytes + at, sizeof bytes - at);
}
