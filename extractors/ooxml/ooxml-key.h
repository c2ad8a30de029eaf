/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ooxml-key.h - derives the key of an encrypted package from Excel's default password
 *
 * MS-OFFCRYPTO 2.3.4.5 to 2.3.4.9 ("standard": a binary header) and 2.3.4.10 to 2.3.4.15 ("agile":
 * XML). */
#pragma once
#include "extractors/shared/bytes.h"
#include <glib.h>
#include <nettle/nettle-meta.h>
#include <stdbool.h>

enum { UNSEAL_MAX_KEY = 32, UNSEAL_MAX_SALT = 64 };

typedef struct {
	uint8_t bytes[UNSEAL_MAX_KEY];
	unsigned bits; /* AES key length: 128, 192 or 256 */
	/* agile: each segment has its own IV, hashed from this salt and the segment's number */
	bool by_segments;
	const struct nettle_hash *hash; /* MD5, SHA-1 or SHA-2 */
	uint8_t salt[UNSEAL_MAX_SALT];
	size_t salt_size;
} PackageKey;

/* info: the stream EncryptionInfo. False: another password or an unsupported encryption. */
bool package_key_derive(PackageKey *key, Bytes info);
/* Decrypts the package in place; it begins after its size. */
void package_decrypt(const PackageKey *key, uint8_t *package, size_t size);
