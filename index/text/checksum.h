/* SPDX-License-Identifier: GPL-3.0-or-later */
/* checksum.h - keyed checksums, by which equal files and equal texts are known
 *
 * The checksum of bytes is the first 16 bytes of
 *
 *	HMAC-SHA-256(K2, UMAC-128(K1, nonce 0, bytes) || length)
 *
 * with the length in bytes as 64 bits, little endian. UMAC (RFC 4418) is as fast as a checksum
 * without a key, and whoever does not know K1 finds two inputs with the same value with a
 * probability of at most 2^-120 for each pair that he tries. HMAC (RFC 2104) hides that value, so
 * that checksums which are shown tell nothing about K1. SECURITY.md has the argument in full.
 *
 * Both keys come from a secret of the index and from the use: K1 is the first 16 bytes of
 * HMAC-SHA-256(secret, use || "1"), K2 is HMAC-SHA-256(secret, use || "2"), where use is "file" or
 * "text". Checksums of two indexes therefore cannot be compared. */
#pragma once
#include <glib.h>
#include <stddef.h>
#include <stdint.h>

enum { CHECKSUM_BYTES = 16, CHECKSUM_SECRET_BYTES = 32 };

typedef enum { CHECKSUM_OF_FILE, CHECKSUM_OF_TEXT } ChecksumUse;

/* K1 and K2. It is plain data and may be copied. */
typedef struct {
	uint8_t umac[16], hmac[32];
} ChecksumKey;

void checksum_key_derive(
        const uint8_t secret[CHECKSUM_SECRET_BYTES], ChecksumUse use, ChecksumKey *key_r);

/* The checksum of a stream that comes in parts of any size. */
typedef struct Checksum Checksum;
/* The key is copied. The caller ends it with checksum_final(), or drops it with g_free(). */
Checksum *checksum_new(const ChecksumKey *key);
void checksum_update(Checksum *checksum, const void *data, size_t length);
void checksum_final(Checksum *checksum, uint8_t out[CHECKSUM_BYTES]); /* frees checksum */
/* The same for bytes that are at hand. */
void checksum_of(
        const ChecksumKey *key, const void *data, size_t length, uint8_t out[CHECKSUM_BYTES]);
