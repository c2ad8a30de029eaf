/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/ooxml/ooxml-key.h"
#include "extractors/shared/sweatshop.h"
#include "extractors/shared/xmlread.h"
#include <nettle/aes.h>
#include <nettle/cbc.h>
#include <string.h>

enum {
	BLOCK = AES_BLOCK_SIZE,
	SEGMENT = 4096,
	MAX_HASH = 64,
	STANDARD_SPINS = 50000,
	MAX_SPINS = 10000000, /* limit of the format */
	SHA1_BYTES = 20,
};

typedef union {
	struct aes128_ctx aes128;
	struct aes192_ctx aes192;
	struct aes256_ctx aes256;
} Aes;

/* False if AES has no keys of this length. */
static bool begin_cipher(Aes *aes, unsigned bits, const uint8_t *key)
{
	switch (bits) {
	case 128:
		aes128_set_decrypt_key(&aes->aes128, key);
		return true;
	case 192:
		aes192_set_decrypt_key(&aes->aes192, key);
		return true;
	case 256:
		aes256_set_decrypt_key(&aes->aes256, key);
		return true;
	default:
		return false;
	}
}

static void decrypt_128(const void *aes, size_t size, uint8_t *to, const uint8_t *from)
{
	aes128_decrypt(aes, size, to, from);
}

static void decrypt_192(const void *aes, size_t size, uint8_t *to, const uint8_t *from)
{
	aes192_decrypt(aes, size, to, from);
}

static void decrypt_256(const void *aes, size_t size, uint8_t *to, const uint8_t *from)
{
	aes256_decrypt(aes, size, to, from);
}

static nettle_cipher_func *cipher_of(unsigned bits)
{
	return bits == 128 ? decrypt_128 : bits == 192 ? decrypt_192 : decrypt_256;
}

/* Decrypts whole blocks in place and leaves the rest. iv NULL: each block by itself (ECB). */
static void decrypt_blocks(
        const Aes *aes, unsigned bits, const uint8_t *iv, uint8_t *data, size_t size)
{
	uint8_t chained[BLOCK];
	size -= size % BLOCK;
	if (!iv) {
		cipher_of(bits)(aes, size, data, data);
		return;
	}
	memcpy(chained, iv, BLOCK);
	cbc_decrypt(aes, cipher_of(bits), BLOCK, chained, size, data, data);
}

static void put_le32(uint8_t bytes[4], uint32_t value)
{
	for (unsigned i = 0; i < 4; i++)
		bytes[i] = value >> (8 * i);
}

/* Hashes the password with a salt, many times (2.3.4.7, 2.3.4.11). */
static size_t ooxml_hash_password(
        const struct nettle_hash *hash, Bytes salt, unsigned spins, uint8_t out[MAX_HASH])
{
	Bytes password = {(const uint8_t *)SWEATSHOP_UTF16, SWEATSHOP_UTF16_BYTES};
	size_t size = hash_pair(hash, salt, password, out, MAX_HASH);
	for (unsigned i = 0; i < spins; i++) {
		uint8_t number[4];
		put_le32(number, i);
		hash_pair(hash, (Bytes){number, 4}, (Bytes){out, size}, out, MAX_HASH);
	}
	return size;
}

/* ---- standard */

/* 2.3.4.7: derives a key of any length from the hash. */
static void ooxml_expand_hash(const uint8_t hash[SHA1_BYTES], uint8_t key[UNSEAL_MAX_KEY])
{
	static const uint8_t fillings[] = {0x36, 0x5c};
	uint8_t both[2 * MAX_HASH] = {0};
	for (unsigned i = 0; i < G_N_ELEMENTS(fillings); i++) {
		uint8_t filled[64];
		memset(filled, fillings[i], sizeof filled);
		for (unsigned k = 0; k < SHA1_BYTES; k++)
			filled[k] ^= hash[k];
		hash_pair(&nettle_sha1, (Bytes){filled, sizeof filled}, (Bytes){NULL, 0},
		        both + (size_t)i * SHA1_BYTES, MAX_HASH);
	}
	memcpy(key, both, UNSEAL_MAX_KEY);
}

/* Checks the password: the decrypted verifier must have the decrypted hash (2.3.4.9). */
static bool standard_verify(const PackageKey *key, Bytes verifier)
{
	enum { VERIFIER_AT = 20, HASH_AT = 40, HASH_BYTES = 32 };
	uint8_t plain[BLOCK], told[HASH_BYTES], found[MAX_HASH];
	Aes aes;
	if (verifier.size < HASH_AT + HASH_BYTES || !begin_cipher(&aes, key->bits, key->bytes))
		return false;
	memcpy(plain, verifier.data + VERIFIER_AT, BLOCK);
	memcpy(told, verifier.data + HASH_AT, HASH_BYTES);
	decrypt_blocks(&aes, key->bits, NULL, plain, BLOCK);
	decrypt_blocks(&aes, key->bits, NULL, told, HASH_BYTES);
	hash_pair(&nettle_sha1, (Bytes){plain, BLOCK}, (Bytes){NULL, 0}, found, MAX_HASH);
	return memcmp(found, told, SHA1_BYTES) == 0;
}

static bool standard_key(PackageKey *key, Bytes info)
{
	enum { HEADER_AT = 12, BITS_AT = 28, SALT_BYTES = 16 };
	Bytes verifier = bytes_part(info, HEADER_AT + (size_t)le32(info, 8), SIZE_MAX);
	if (le32(verifier, 0) != SALT_BYTES || verifier.size < 4 + SALT_BYTES)
		return false;
	uint8_t hash[MAX_HASH];
	static const uint8_t block[4];
	ooxml_hash_password(
	        &nettle_sha1, bytes_part(verifier, 4, SALT_BYTES), STANDARD_SPINS, hash);
	hash_pair(&nettle_sha1, (Bytes){hash, SHA1_BYTES}, (Bytes){block, sizeof block}, hash,
	        MAX_HASH);
	ooxml_expand_hash(hash, key->bytes);
	key->bits = le32(info, BITS_AT);
	key->by_segments = false;
	return standard_verify(key, verifier);
}

/* ---- agile */

typedef struct {
	uint8_t bytes[UNSEAL_MAX_SALT];
	size_t size;
} KeyBytes;

typedef struct {
	bool known; /* AES in CBC mode with a supported hash */
	const struct nettle_hash *hash;
	unsigned bits;
	KeyBytes salt;
} Method;

typedef struct {
	Method data, key;
	unsigned spins;
	KeyBytes verifier, verifier_hash, sealed_key;
} Agile;

static const XmlVocabulary agile_vocabulary = {
        .namespaces = (const XmlNamespace[]){{"http://schemas.microsoft.com/office/2006/encryption",
                                                     1},
                {"http://schemas.microsoft.com/office/2006/keyEncryptor/password", 2}, {NULL, 0}},
        .elements = (const XmlElement[]){{"keyData", 1, 1}, {"encryptedKey", 2, 2}, {NULL, 0, 0}},
};
enum { KEY_DATA = 1, ENCRYPTED_KEY };

static KeyBytes ooxml_value_of(const XmlAttributes *attributes, const char *name)
{
	KeyBytes value = {.size = 0};
	g_autofree char *text = xml_attribute_dup(attributes, 0, name);
	gsize size = 0;
	g_autofree guchar *bytes = text ? g_base64_decode(text, &size) : NULL;
	if (bytes && size <= sizeof value.bytes) {
		memcpy(value.bytes, bytes, size);
		value.size = size;
	}
	return value;
}

static bool find_hash(const XmlAttributes *attributes, const struct nettle_hash **hash)
{
	static const struct {
		const char *name;
		const struct nettle_hash *type;
	} hashes[] = {{"SHA512", &nettle_sha512}, {"SHA1", &nettle_sha1}, {"SHA-1", &nettle_sha1},
	        {"SHA256", &nettle_sha256}, {"SHA384", &nettle_sha384}, {"MD5", &nettle_md5}};
	for (size_t i = 0; i < G_N_ELEMENTS(hashes); i++) {
		*hash = hashes[i].type;
		if (xml_attribute_is(attributes, 0, "hashAlgorithm", hashes[i].name))
			return true;
	}
	return false;
}

static Method method_of(const XmlAttributes *attributes)
{
	Method method = {.bits = xml_attribute_number(attributes, 0, "keyBits", 256, 0),
	        .salt = ooxml_value_of(attributes, "saltValue")};
	method.known = find_hash(attributes, &method.hash) &&
	               xml_attribute_is(attributes, 0, "cipherAlgorithm", "AES") &&
	               xml_attribute_is(attributes, 0, "cipherChaining", "ChainingModeCBC") &&
	               (method.bits == 128 || method.bits == 192 || method.bits == 256) &&
	               method.salt.size > 0;
	return method;
}

static bool ooxml_key_on_start(void *user, unsigned element, const XmlAttributes *attributes)
{
	Agile *agile = user;
	if (element == KEY_DATA)
		agile->data = method_of(attributes);
	if (element != ENCRYPTED_KEY)
		return true;
	agile->key = method_of(attributes);
	agile->spins = xml_attribute_number(attributes, 0, "spinCount", MAX_SPINS, MAX_SPINS + 1);
	agile->verifier = ooxml_value_of(attributes, "encryptedVerifierHashInput");
	agile->verifier_hash = ooxml_value_of(attributes, "encryptedVerifierHashValue");
	agile->sealed_key = ooxml_value_of(attributes, "encryptedKeyValue");
	return false;
}

/* Cuts or pads a value (2.3.4.11, 2.3.4.12). */
static void ooxml_resize_value(uint8_t *out, size_t wanted, const uint8_t *bytes, size_t size)
{
	memset(out, 0x36, wanted);
	memcpy(out, bytes, MIN(size, wanted));
}

/* Decrypts a value with the key derived from the hash and a block key of eight bytes. */
static KeyBytes decrypt_value(const Agile *agile, Bytes spun, const char *block_key, KeyBytes value)
{
	const struct nettle_hash *hash = agile->key.hash;
	uint8_t made[MAX_HASH], key[UNSEAL_MAX_KEY], iv[BLOCK];
	Aes aes;
	size_t size = hash_pair(hash, spun, (Bytes){(const uint8_t *)block_key, 8}, made, MAX_HASH);
	ooxml_resize_value(key, sizeof key, made, size);
	ooxml_resize_value(iv, sizeof iv, agile->key.salt.bytes, agile->key.salt.size);
	begin_cipher(&aes, agile->key.bits, key);
	decrypt_blocks(&aes, agile->key.bits, iv, value.bytes, value.size);
	return value;
}

static bool agile_verify(const Agile *agile, Bytes spun)
{
	const struct nettle_hash *hash = agile->key.hash;
	uint8_t found[MAX_HASH];
	KeyBytes input =
	        decrypt_value(agile, spun, "\xfe\xa7\xd2\x76\x3b\x4b\x9e\x79", agile->verifier);
	KeyBytes told = decrypt_value(
	        agile, spun, "\xd7\xaa\x0f\x6d\x30\x61\x34\x4e", agile->verifier_hash);
	size_t size = MIN(input.size, agile->key.salt.size);
	size = hash_pair(hash, (Bytes){input.bytes, size}, (Bytes){NULL, 0}, found, MAX_HASH);
	return told.size >= size && memcmp(found, told.bytes, size) == 0;
}

static bool agile_key(PackageKey *key, Bytes info)
{
	static const XmlEvents events = {.start = ooxml_key_on_start};
	Agile agile = {.spins = 0};
	Bytes xml = bytes_part(info, 8, SIZE_MAX);
	if (xml.size == 0)
		return false;
	xml_read_memory(&agile_vocabulary, &events, &agile, xml.data, xml.size);
	if (!agile.data.known || !agile.key.known || agile.spins > MAX_SPINS ||
	        agile.verifier.size < BLOCK)
		return false;
	const struct nettle_hash *hash = agile.key.hash;
	uint8_t bytes[MAX_HASH];
	Bytes spun = {bytes, 0};
	spun.size = ooxml_hash_password(
	        hash, (Bytes){agile.key.salt.bytes, agile.key.salt.size}, agile.spins, bytes);
	if (!agile_verify(&agile, spun))
		return false;
	KeyBytes found =
	        decrypt_value(&agile, spun, "\x14\x6e\x0b\xe7\xab\xac\xd0\xd6", agile.sealed_key);
	ooxml_resize_value(key->bytes, sizeof key->bytes, found.bytes, found.size);
	key->bits = agile.data.bits;
	key->by_segments = true;
	key->hash = agile.data.hash;
	memcpy(key->salt, agile.data.salt.bytes, agile.data.salt.size);
	key->salt_size = agile.data.salt.size;
	return true;
}

bool package_key_derive(PackageKey *key, Bytes info)
{
	uint32_t major = le16(info, 0), minor = le16(info, 2);
	if (major == 4 && minor == 4)
		return agile_key(key, info);
	return major >= 2 && major <= 4 && minor == 2 && standard_key(key, info);
}

void package_decrypt(const PackageKey *key, uint8_t *package, size_t size)
{
	Aes aes;
	if (!begin_cipher(&aes, key->bits, key->bytes))
		return;
	if (!key->by_segments) {
		decrypt_blocks(&aes, key->bits, NULL, package, size);
		return;
	}
	const struct nettle_hash *hash = key->hash;
	for (size_t at = 0; at < size; at += SEGMENT) {
		uint8_t number[4], iv[MAX_HASH], fitted[BLOCK];
		put_le32(number, at / SEGMENT);
		size_t made = hash_pair(
		        hash, (Bytes){key->salt, key->salt_size}, (Bytes){number, 4}, iv, MAX_HASH);
		ooxml_resize_value(fitted, BLOCK, iv, made);
		decrypt_blocks(
		        &aes, key->bits, fitted, package + at, MIN(size - at, (size_t)SEGMENT));
	}
}
