/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweatshop.h - Excel's default password
 *
 * If only the structure of a workbook is protected, Excel encrypts the file with this password, and
 * spreadsheet programs try it before they ask for one (MS-XLS 2.2.10). Keys are derived from it by
 * hashes over two pieces. */
#pragma once
#include "extractors/shared/bytes.h"

#define SWEATSHOP "VelvetSweatshop"
/* The same in little-endian UTF-16, SWEATSHOP_UTF16_BYTES long. */
#define SWEATSHOP_UTF16 "V\0e\0l\0v\0e\0t\0S\0w\0e\0a\0t\0s\0h\0o\0p"
enum { SWEATSHOP_UTF16_BYTES = 30 };

/* Hashes first and second together into out, which has room for max bytes. Returns the digest's
 * size. */
static inline size_t hash_pair(GChecksum *hash, Bytes first, Bytes second, uint8_t *out, size_t max)
{
	gsize size = max;
	g_checksum_reset(hash);
	g_checksum_update(hash, first.data, first.size);
	g_checksum_update(hash, second.data, second.size);
	g_checksum_get_digest(hash, out, &size);
	return size;
}
