/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/text/checksum.h"
#include <string.h>

/* Bytes in which no block repeats. The caller owns them. */
static uint8_t *make_bytes(size_t length)
{
	uint8_t *bytes = g_malloc(length + 1);
	for (size_t i = 0; i < length; i++)
		bytes[i] = i * 7 + (i >> 8);
	return bytes;
}

static void make_key(ChecksumUse use, ChecksumKey *key)
{
	uint8_t secret[CHECKSUM_SECRET_BYTES];
	for (unsigned i = 0; i < sizeof secret; i++)
		secret[i] = i;
	checksum_key_derive(secret, use, key);
}

/* The values come from another implementation of the definition in checksum.h, which agrees with
 * the test vectors of RFC 4418. The lengths are those at which UMAC changes its way: no block, a
 * part of one, one, two, many, and more than 16 MiB. */
static void test_values(void)
{
	static const struct {
		size_t length;
		ChecksumUse use;
		uint8_t expected[CHECKSUM_BYTES];
	} values[] = {
	        {0, CHECKSUM_OF_FILE,
	                {0x5c, 0x40, 0xa4, 0x3c, 0xb9, 0x9f, 0x3a, 0xca, 0xae, 0x2c, 0xa6, 0xf4,
	                        0x33, 0xbb, 0x79, 0x3c}},
	        {0, CHECKSUM_OF_TEXT,
	                {0x34, 0xce, 0x5b, 0x35, 0xa0, 0xc1, 0x0f, 0x3b, 0xd4, 0x4f, 0x56, 0x2b,
	                        0x9b, 0xf8, 0x89, 0x7f}},
	        {3, CHECKSUM_OF_FILE,
	                {0x02, 0x3a, 0x47, 0xa2, 0x21, 0x58, 0x88, 0x1d, 0x3f, 0xb3, 0x1d, 0x37,
	                        0xb8, 0x63, 0x5e, 0xa0}},
	        {1024, CHECKSUM_OF_FILE,
	                {0x4e, 0xae, 0xaa, 0x29, 0x30, 0x95, 0xb1, 0xcf, 0xec, 0x6e, 0x21, 0xea,
	                        0xbd, 0xe6, 0xe9, 0x33}},
	        {1025, CHECKSUM_OF_TEXT,
	                {0xce, 0xd6, 0x3a, 0x3f, 0xd6, 0xc7, 0x4b, 0xe4, 0x88, 0x2b, 0x7e, 0xed,
	                        0x6b, 0x3e, 0xee, 0x7b}},
	        {70001, CHECKSUM_OF_FILE,
	                {0x85, 0x86, 0x09, 0xd8, 0x7d, 0x27, 0x4d, 0x05, 0x8b, 0x06, 0x07, 0x06,
	                        0xa2, 0xb7, 0xea, 0x7c}},
	        {(1 << 24) + 5, CHECKSUM_OF_FILE,
	                {0x70, 0x2c, 0xa2, 0xbf, 0x8f, 0x5d, 0xfc, 0xeb, 0xd9, 0x77, 0x06, 0x9f,
	                        0xee, 0xf0, 0x38, 0x53}},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(values); i++) {
		g_autofree uint8_t *bytes = make_bytes(values[i].length);
		uint8_t got[CHECKSUM_BYTES];
		ChecksumKey key;
		make_key(values[i].use, &key);
		checksum_of(&key, bytes, values[i].length, got);
		g_assert_cmpmem(got, sizeof got, values[i].expected, sizeof values[i].expected);
	}
}

static void test_stream(void)
{
	enum { LENGTH = 5000 };
	g_autofree uint8_t *bytes = make_bytes(LENGTH);
	uint8_t whole[CHECKSUM_BYTES], streamed[CHECKSUM_BYTES];
	ChecksumKey key;
	make_key(CHECKSUM_OF_FILE, &key);
	checksum_of(&key, bytes, LENGTH, whole);
	for (size_t part = 1; part < LENGTH; part = part * 3 + 1) {
		Checksum *checksum = checksum_new(&key);
		for (size_t at = 0; at < LENGTH; at += part)
			checksum_update(checksum, bytes + at, MIN(part, LENGTH - at));
		checksum_final(checksum, streamed);
		g_assert_cmpmem(streamed, sizeof streamed, whole, sizeof whole);
	}
}

static void test_keys(void)
{
	uint8_t secret[CHECKSUM_SECRET_BYTES] = {0}, of[4][CHECKSUM_BYTES];
	ChecksumKey key;
	for (unsigned i = 0; i < 4; i++) {
		secret[CHECKSUM_SECRET_BYTES - 1] = i / 2;
		checksum_key_derive(secret, i % 2 ? CHECKSUM_OF_TEXT : CHECKSUM_OF_FILE, &key);
		checksum_of(&key, "same", 4, of[i]);
		for (unsigned before = 0; before < i; before++)
			g_assert_cmpint(memcmp(of[i], of[before], CHECKSUM_BYTES), !=, 0);
	}
}

/* Blocks of zeros are what a sum of products forgets; the length tells them apart. */
static void test_length(void)
{
	uint8_t zeros[4096] = {0}, one[CHECKSUM_BYTES], other[CHECKSUM_BYTES];
	ChecksumKey key;
	make_key(CHECKSUM_OF_FILE, &key);
	for (size_t length = 0; length + 1 < sizeof zeros; length += 31) {
		checksum_of(&key, zeros, length, one);
		checksum_of(&key, zeros, length + 1, other);
		g_assert_cmpint(memcmp(one, other, CHECKSUM_BYTES), !=, 0);
	}
}

static char *read_data(const char *name, gsize *length)
{
	g_autofree char *path =
	        g_build_filename(g_getenv("abs_top_srcdir"), "tests", "index", "data", name, NULL);
	g_autoptr(GError) error = NULL;
	char *bytes = NULL;
	g_file_get_contents(path, &bytes, length, &error);
	g_assert_no_error(error);
	return bytes;
}

/* evil.html was made to have the length and the XXH3-128 of genuine.html. */
static void test_collision(void)
{
	gsize n_genuine, n_evil;
	g_autofree char *genuine = read_data("genuine.html", &n_genuine);
	g_autofree char *evil = read_data("evil.html", &n_evil);
	uint8_t one[CHECKSUM_BYTES], other[CHECKSUM_BYTES];
	ChecksumKey key;
	make_key(CHECKSUM_OF_FILE, &key);
	g_assert_cmpuint(n_genuine, ==, n_evil);
	checksum_of(&key, genuine, n_genuine, one);
	checksum_of(&key, evil, n_evil, other);
	g_assert_cmpint(memcmp(one, other, CHECKSUM_BYTES), !=, 0);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/index/checksum/value-follows-its-definition", test_values);
	g_test_add_func("/index/checksum/parts-give-the-value-of-the-whole", test_stream);
	g_test_add_func("/index/checksum/depends-on-secret-and-use", test_keys);
	g_test_add_func("/index/checksum/depends-on-the-length", test_length);
	g_test_add_func(
	        "/index/checksum/files-made-to-collide-without-a-key-differ", test_collision);
	return g_test_run();
}
