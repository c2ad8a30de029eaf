/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/legacy/xls-unlock.h"
#include "extractors/shared/sweatshop.h"
#include <nettle/arcfour.h>
#include <string.h>

enum {
	PIECE = 1024, /* each piece has a key of its own */
	XOR_BYTES = 16,
	MAX_HASH = 20,
	MD5_BYTES = 16,
	MD5_KEPT = 5,
	SALT_BYTES = 16,
	MIN_KEY = 16,
	R_SHEET = 0x85,
};

typedef struct {
	uint8_t *stream;
	size_t size;
	bool by_xor;
	uint8_t xor_bytes[XOR_BYTES];
	const struct nettle_hash *hash; /* makes the keys of RC4 */
	uint8_t base[MAX_HASH]; /* hashed with the number of a piece */
	size_t base_size, key_size;
	uint32_t piece; /* the piece that mask is for */
	uint8_t mask[PIECE];
} Lock;

/* ---- XOR */

/* 2.3.7.1: verifies the password. */
static unsigned password_verifier(void)
{
	enum { FINAL = 0xce4b };
	unsigned verifier = 0;
	for (size_t i = strlen(SWEATSHOP) + 1; i-- > 0;) {
		unsigned byte = i > 0 ? (uint8_t)SWEATSHOP[i - 1] : strlen(SWEATSHOP);
		verifier = ((verifier >> 14 & 1) | (verifier << 1 & 0x7fff)) ^ byte;
	}
	return verifier ^ FINAL;
}

/* 2.3.7.2, for a password of 15 letters: one byte of padding. */
static void make_xor(Lock *lock, unsigned key)
{
	static const uint8_t password[XOR_BYTES] = SWEATSHOP "\xbb";
	for (unsigned i = 0; i < XOR_BYTES; i++) {
		uint8_t byte = password[i] ^ (i % 2 ? key >> 8 : key & 0xff);
		lock->xor_bytes[i] = byte >> 1 | byte << 7;
	}
	lock->by_xor = true;
}

/* 2.3.7.3; the start in the array depends on the position and size of the record. */
static void decrypt_xor(Lock *lock, size_t from, size_t to, size_t record_size)
{
	for (size_t i = from; i < to; i++) {
		uint8_t byte = lock->stream[i] ^ lock->xor_bytes[(i + record_size) % XOR_BYTES];
		lock->stream[i] = byte >> 5 | byte << 3;
	}
}

/* ---- RC4 */

static void make_mask(Lock *lock, uint32_t piece)
{
	struct arcfour_ctx cipher;
	uint8_t number[4] = {piece, piece >> 8, piece >> 16, piece >> 24};
	uint8_t key[MAX_HASH];
	hash_pair(lock->hash, (Bytes){lock->base, lock->base_size}, (Bytes){number, 4}, key,
	        MAX_HASH);
	size_t size = lock->key_size;
	if (size < MIN_KEY) {
		memset(key + size, 0, MIN_KEY - size);
		size = MIN_KEY;
	}
	arcfour_set_key(&cipher, size, key);
	memset(lock->mask, 0, PIECE);
	arcfour_crypt(&cipher, PIECE, lock->mask, lock->mask);
	lock->piece = piece;
}

static void decrypt_rc4(Lock *lock, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		if (i / PIECE != lock->piece)
			make_mask(lock, i / PIECE);
		lock->stream[i] ^= lock->mask[i % PIECE];
	}
}

/* The verifier and its hash, encrypted in sequence as the first piece. */
static bool xls_verify_password(Lock *lock, Bytes verifier, Bytes told)
{
	uint8_t plain[SALT_BYTES], found[MAX_HASH];
	if (verifier.size < SALT_BYTES)
		return false;
	make_mask(lock, 0);
	for (size_t i = 0; i < SALT_BYTES; i++)
		plain[i] = verifier.data[i] ^ lock->mask[i];
	size_t size = hash_pair(
	        lock->hash, (Bytes){plain, SALT_BYTES}, (Bytes){NULL, 0}, found, MAX_HASH);
	if (told.size < size)
		return false;
	for (size_t i = 0; i < size; i++)
		if (found[i] != (told.data[i] ^ lock->mask[SALT_BYTES + i]))
			return false;
	return true;
}

/* 2.3.6.2 */
static bool begin_rc4(Lock *lock, Bytes header)
{
	enum { TIMES = 16, ONCE = MD5_KEPT + SALT_BYTES };
	Bytes salt = bytes_part(header, 0, SALT_BYTES);
	uint8_t hash[MAX_HASH], repeated[TIMES * ONCE];
	if (salt.size < SALT_BYTES)
		return false;
	lock->hash = &nettle_md5;
	hash_pair(lock->hash, (Bytes){(const uint8_t *)SWEATSHOP_UTF16, SWEATSHOP_UTF16_BYTES},
	        (Bytes){NULL, 0}, hash, MAX_HASH);
	for (unsigned i = 0; i < TIMES; i++) {
		memcpy(repeated + (size_t)i * ONCE, hash, MD5_KEPT);
		memcpy(repeated + (size_t)i * ONCE + MD5_KEPT, salt.data, SALT_BYTES);
	}
	hash_pair(lock->hash, (Bytes){repeated, sizeof repeated}, (Bytes){NULL, 0}, lock->base,
	        MAX_HASH);
	lock->base_size = MD5_KEPT;
	lock->key_size = MD5_BYTES;
	return xls_verify_password(lock, bytes_part(header, SALT_BYTES, SALT_BYTES),
	        bytes_part(header, 2 * SALT_BYTES, MD5_BYTES));
}

/* 2.3.5.2; a key has at least 40 bits. */
static bool begin_crypto_api(Lock *lock, Bytes info)
{
	enum { HEADER_AT = 8, BITS_AT = 24, VERIFIER_AT = 20, HASH_AT = 40, LEAST_BITS = 40 };
	Bytes verifier = bytes_part(info, HEADER_AT + (size_t)le32(info, 4), SIZE_MAX);
	Bytes salt = bytes_part(verifier, 4, SALT_BYTES);
	uint32_t bits = le32(info, BITS_AT);
	if (bits == 0)
		bits = LEAST_BITS;
	if (salt.size < SALT_BYTES || bits % 8 != 0 || bits < LEAST_BITS || bits > 8 * MAX_HASH)
		return false;
	lock->hash = &nettle_sha1;
	lock->base_size = hash_pair(lock->hash, salt,
	        (Bytes){(const uint8_t *)SWEATSHOP_UTF16, SWEATSHOP_UTF16_BYTES}, lock->base,
	        MAX_HASH);
	lock->key_size = bits / 8;
	return xls_verify_password(lock, bytes_part(verifier, VERIFIER_AT, SALT_BYTES),
	        bytes_part(verifier, HASH_AT, MAX_HASH));
}

/* ---- records */

/* Records that are never encrypted. */
static bool xls_is_never_encrypted(unsigned kind)
{
	static const uint16_t kinds[] = {0x2f /* FilePass */, 0xe1, 0x138, 0x194, 0x195, 0x196,
	        0x009 /* BOF of each version */, 0x209, 0x409, 0x809};
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (kinds[i] == kind)
			return true;
	return false;
}

static void open_record(Lock *lock, unsigned kind, size_t from, size_t to, size_t record_size)
{
	enum { POSITION_BYTES = 4 }; /* position of a sheet in the stream: not encrypted */
	if (xls_is_never_encrypted(kind))
		return;
	if (kind == R_SHEET)
		from = MIN(from + POSITION_BYTES, to);
	if (lock->by_xor)
		decrypt_xor(lock, from, to, record_size);
	else
		decrypt_rc4(lock, from, to);
}

static void open_records(Lock *lock, size_t from)
{
	Bytes stream = {lock->stream, lock->size};
	while (from <= stream.size && stream.size - from >= 4) {
		size_t length = le16(stream, from + 2), body = from + 4;
		size_t end = body + MIN(length, stream.size - body);
		open_record(lock, le16(stream, from), body, end, length);
		from = end;
	}
}

static bool xls_begin(Lock *lock, Bytes pass, bool is_8)
{
	unsigned kind = is_8 ? le16(pass, 0) : 0;
	Bytes xor_key = bytes_part(pass, is_8 ? 2 : 0, 4);
	unsigned major = le16(pass, 2), minor = le16(pass, 4);
	if (kind == 0) {
		make_xor(lock, le16(xor_key, 0));
		return xor_key.size == 4 && le16(xor_key, 2) == password_verifier();
	}
	if (kind == 1 && major == 1 && minor == 1)
		return begin_rc4(lock, bytes_part(pass, 6, SIZE_MAX));
	return kind == 1 && major >= 2 && major <= 4 && minor == 2 &&
	       begin_crypto_api(lock, bytes_part(pass, 6, SIZE_MAX));
}

uint8_t *book_decrypt(Bytes stream, size_t from, Bytes pass, bool is_8)
{
	Lock lock = {.size = stream.size};
	if (xls_begin(&lock, pass, is_8))
		lock.stream = g_try_malloc(stream.size);
	if (lock.stream) {
		memcpy(lock.stream, stream.data, stream.size);
		open_records(&lock, from);
	}
	return lock.stream;
}
