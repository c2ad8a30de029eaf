/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/text/checksum.h"
#include <nettle/hmac.h>
#include <nettle/umac.h>
#include <string.h>

struct Checksum {
	struct umac128_ctx umac;
	struct hmac_sha256_ctx hmac;
	uint64_t length;
};

G_STATIC_ASSERT(sizeof(((ChecksumKey *)NULL)->umac) == UMAC_KEY_SIZE);
G_STATIC_ASSERT(sizeof(((ChecksumKey *)NULL)->hmac) == SHA256_DIGEST_SIZE);

/* number: which key of this use. */
static void checksum_derive_one(const uint8_t secret[CHECKSUM_SECRET_BYTES], ChecksumUse use,
        char number, uint8_t *out, size_t length)
{
	const uint8_t *name = (const uint8_t *)(use == CHECKSUM_OF_FILE ? "file" : "text");
	struct hmac_sha256_ctx hmac;
	hmac_sha256_set_key(&hmac, CHECKSUM_SECRET_BYTES, secret);
	hmac_sha256_update(&hmac, 4, name);
	hmac_sha256_update(&hmac, 1, (const uint8_t *)&number);
	hmac_sha256_digest(&hmac, length, out);
}

void checksum_key_derive(
        const uint8_t secret[CHECKSUM_SECRET_BYTES], ChecksumUse use, ChecksumKey *key_r)
{
	checksum_derive_one(secret, use, '1', key_r->umac, sizeof key_r->umac);
	checksum_derive_one(secret, use, '2', key_r->hmac, sizeof key_r->hmac);
}

static void checksum_begin(Checksum *checksum, const ChecksumKey *key)
{
	umac128_set_key(&checksum->umac, key->umac); /* sets the nonce to 0 */
	hmac_sha256_set_key(&checksum->hmac, sizeof key->hmac, key->hmac);
	checksum->length = 0;
}

static void checksum_end(Checksum *checksum, uint8_t out[CHECKSUM_BYTES])
{
	uint8_t value[UMAC128_DIGEST_SIZE];
	uint64_t length = GUINT64_TO_LE(checksum->length);
	umac128_digest(&checksum->umac, sizeof value, value);
	hmac_sha256_update(&checksum->hmac, sizeof value, value);
	hmac_sha256_update(&checksum->hmac, sizeof length, (const uint8_t *)&length);
	hmac_sha256_digest(&checksum->hmac, CHECKSUM_BYTES, out);
	explicit_bzero(value, sizeof value);
	explicit_bzero(checksum, sizeof *checksum);
}

Checksum *checksum_new(const ChecksumKey *key)
{
	Checksum *checksum = g_new(Checksum, 1);
	checksum_begin(checksum, key);
	return checksum;
}

void checksum_update(Checksum *checksum, const void *data, size_t length)
{
	umac128_update(&checksum->umac, length, data);
	checksum->length += length;
}

void checksum_final(Checksum *checksum, uint8_t out[CHECKSUM_BYTES])
{
	checksum_end(checksum, out);
	g_free(checksum);
}

void checksum_of(
        const ChecksumKey *key, const void *data, size_t length, uint8_t out[CHECKSUM_BYTES])
{
	Checksum checksum;
	checksum_begin(&checksum, key);
	checksum_update(&checksum, data, length);
	checksum_end(&checksum, out);
}
