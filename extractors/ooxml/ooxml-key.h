/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ooxml-key.h - the key of an encrypted package, if the password that every program tries gives it
 *
 * MS-OFFCRYPTO 2.3.4.5 to 2.3.4.9 ("standard": a binary header) and 2.3.4.10 to 2.3.4.15 ("agile":
 * XML). */
#pragma once
#include "extractors/shared/bytes.h"
#include <glib.h>
#include <stdbool.h>

enum { UNSEAL_MAX_KEY = 32, UNSEAL_MAX_SALT = 64 };

typedef struct {
	uint8_t bytes[UNSEAL_MAX_KEY];
	unsigned bits; /* 128, 192 or 256, of AES */
	/* agile: each segment begins anew, from a hash of this salt and its number */
	bool by_segments;
	GChecksumType hash;
	uint8_t salt[UNSEAL_MAX_SALT];
	size_t salt_size;
} UnsealKey;

/* info: the stream EncryptionInfo. False: another password, or an encryption that is not known. */
bool unseal_key(UnsealKey *key, Bytes info);
/* Decrypts the package in place, without the size before it. */
void unseal(const UnsealKey *key, uint8_t *package, size_t size);
