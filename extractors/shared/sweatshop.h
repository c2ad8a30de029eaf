/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweatshop.h - the password that Excel and its likes try before they ask for one
 *
 * Excel encrypts a book whose structure is protected although nobody chose a password to open it:
 * then with this one (MS-XLS 2.2.10). Keys are made of it by hashes, each of two pieces. */
#pragma once
#include "extractors/shared/bytes.h"

#define SWEATSHOP "VelvetSweatshop"
/* The same in UTF-16, little-endian: size bytes of a string literal. */
#define SWEATSHOP_UTF16 "V\0e\0l\0v\0e\0t\0S\0w\0e\0a\0t\0s\0h\0o\0p"
enum { SWEATSHOP_UTF16_BYTES = 30 };

/* Of the two, one after the other, into the max bytes of out; its size. */
static inline size_t hash_two(GChecksum *hash, Bytes first, Bytes second, uint8_t *out, size_t max)
{
	gsize size = max;
	g_checksum_reset(hash);
	g_checksum_update(hash, first.data, first.size);
	g_checksum_update(hash, second.data, second.size);
	g_checksum_get_digest(hash, out, &size);
	return size;
}
