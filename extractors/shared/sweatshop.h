/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweatshop.h - Excel's default password
 *
 * If only the structure of a workbook is protected, Excel encrypts the file with this password, and
 * spreadsheet programs try it before they ask for one (MS-XLS 2.2.10). Keys are derived from it by
 * hashes over two pieces. */
#pragma once
#include "extractors/shared/bytes.h"
#include <nettle/nettle-meta.h>
#include <nettle/md5.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>

#define SWEATSHOP "VelvetSweatshop"
/* The same in little-endian UTF-16, SWEATSHOP_UTF16_BYTES long. */
#define SWEATSHOP_UTF16 "V\0e\0l\0v\0e\0t\0S\0w\0e\0a\0t\0s\0h\0o\0p"
enum { SWEATSHOP_UTF16_BYTES = 30 };

/* Hashes first and second, which may lie in out, together into out, which has room for max bytes.
 * hash: MD5, SHA-1 or SHA-2. Returns the size of the digest, or max if that is less. */
static inline size_t hash_pair(
        const struct nettle_hash *hash, Bytes first, Bytes second, uint8_t *out, size_t max)
{
	union {
		struct md5_ctx md5;
		struct sha1_ctx sha1;
		struct sha256_ctx sha256;
		struct sha512_ctx sha512;
	} state;
	size_t size = MIN(max, (size_t)hash->digest_size);
	hash->init(&state);
	hash->update(&state, first.size, first.data);
	hash->update(&state, second.size, second.data);
	hash->digest(&state, size, out);
	return size;
}
