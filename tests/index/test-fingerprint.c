/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/fingerprint.h"
#include "index/near.h"
#include <string.h>

static const char story[] =
        "The harbour master kept a book of every ship that came in with the tide, its captain, its "
        "cargo and the weather of the day. In the winter of the great frost the book stayed empty "
        "for "
        "nine weeks, and on the last page of that year he drew a small picture of the frozen bay "
        "with "
        "children skating between the masts.";

static Fingerprint print_of(DocTag tag, const char *text, const char *title)
{
	g_autoptr(Document) doc = document_new(NULL);
	Fingerprint print;
	document_add_text(doc, tag, DOC_RUN_BLOCK, text, strlen(text));
	if (title)
		document_add_fact(doc, FIELD_TITLE, title, strlen(title));
	fingerprint_document(doc, &print);
	return print;
}

static unsigned distance(Fingerprint a, Fingerprint b)
{
	return __builtin_popcountll(a.simhash ^ b.simhash);
}

/* XXH3-128 of the published test of no input and of three bytes: another library version may not
 * change the index. */
static void test_checksum(void)
{
	static const uint8_t empty[CHECKSUM_BYTES] = {0x99, 0xaa, 0x06, 0xd3, 0x01, 0x47, 0x98,
	        0xd8, 0x60, 0x01, 0xc3, 0x24, 0x46, 0x8d, 0x49, 0x7f};
	uint8_t out[CHECKSUM_BYTES], again[CHECKSUM_BYTES];
	Checksum *checksum = checksum_new();

	checksum_of("", 0, out);
	g_assert_cmpmem(out, sizeof(out), empty, sizeof(empty));
	checksum_update(checksum, story, 100);
	checksum_update(checksum, story + 100, strlen(story) - 100);
	checksum_final(checksum, again);
	checksum_of(story, strlen(story), out);
	g_assert_cmpmem(out, sizeof(out), again, sizeof(again));
}

static void test_text_checksum(void)
{
	Fingerprint plain = print_of(TAG_BODY, "Straße, Ärger — foo", NULL);
	Fingerprint folded = print_of(TAG_BODY, "strasse\narger (FOO)", "a title");
	Fingerprint other = print_of(TAG_BODY, "strasse foo arger", NULL);
	uint8_t expected[CHECKSUM_BYTES];

	checksum_of("strasse arger foo ", 18, expected);
	g_assert_true(plain.has_checksum);
	g_assert_cmpmem(plain.text_checksum, CHECKSUM_BYTES, expected, CHECKSUM_BYTES);
	g_assert_cmpmem(folded.text_checksum, CHECKSUM_BYTES, expected, CHECKSUM_BYTES);
	g_assert_true(memcmp(other.text_checksum, expected, CHECKSUM_BYTES) != 0);
	g_assert_cmpuint(plain.words, ==, 3);
	g_assert_cmpuint(folded.words, ==, 5);
	g_assert_false(print_of(TAG_BODY, " .,; ", NULL).has_checksum);
	g_assert_false(print_of(TAG_NOISE, "menu home", NULL).has_checksum);
}

static void test_long_text(void)
{
	g_autoptr(GString) text = g_string_new(NULL);
	uint8_t expected[CHECKSUM_BYTES];
	for (unsigned i = 0; i < 50000; i++)
		g_string_append_printf(text, "word%u ", i);
	checksum_of(text->str, text->len, expected);
	Fingerprint print = print_of(TAG_BODY, text->str, NULL);
	g_assert_cmpmem(print.text_checksum, CHECKSUM_BYTES, expected, CHECKSUM_BYTES);
	g_assert_cmpuint(print.words, ==, 50000);
}

/* By hand: bit 0 is in a and b (3 + 1 of 6), bit 1 in b and c (1 + 2: not more than half), bit 2 in
 * all, bit 3 in none. */
static void test_weights(void)
{
	static const Feature features[] = {{0x5, 3}, {0x7, 1}, {0x6, 2}};
	g_assert_cmpuint(fingerprint_simhash(features, 3, 4), ==, 0x5);
	g_assert_cmpuint(fingerprint_simhash(features, 3, 2), ==, 0x1);
	static const Feature top[] = {{UINT64_C(1) << 63, 2}, {0, 1}};
	g_assert_cmpuint(fingerprint_simhash(top, 2, 64), ==, UINT64_C(1) << 63);
	g_assert_cmpuint(fingerprint_simhash(NULL, 0, 64), ==, 0);
}

/* Against the definition: add the weight for a one, subtract it for a zero. */
static void test_definition(void)
{
	enum { N = 500 };
	Feature features[N];
	int64_t sums[64] = {0};
	uint64_t expected = 0;
	for (unsigned i = 0; i < N; i++) {
		features[i].hash = (uint64_t)g_test_rand_int() << 32 | (uint32_t)g_test_rand_int();
		features[i].weight = g_test_rand_int_range(1, 1000000);
		for (unsigned bit = 0; bit < 64; bit++)
			sums[bit] += features[i].hash >> bit & 1 ? (int64_t)features[i].weight
			                                         : -(int64_t)features[i].weight;
	}
	for (unsigned bit = 0; bit < 64; bit++)
		expected |= (uint64_t)(sums[bit] > 0) << bit;
	g_assert_cmpuint(fingerprint_simhash(features, N, 64), ==, expected);
}

static void test_near(void)
{
	g_autoptr(GString) changed = g_string_new(story);
	g_autoptr(GString) added = g_string_new(story);
	g_string_replace(changed, "nine weeks", "ten weeks", 1);
	g_string_append(added, " He never showed it to anybody.");
	Fingerprint original = print_of(TAG_BODY, story, NULL);
	Fingerprint far = print_of(TAG_BODY,
	        "Preheat the oven, butter a deep tin and line it with paper. Beat the eggs with "
	        "the sugar "
	        "until pale, fold in flour and melted chocolate, then bake for half an hour and "
	        "let it "
	        "cool before you cut it into squares.",
	        NULL);

	g_assert_true(original.has_simhash);
	g_assert_cmpuint(
	        distance(original, print_of(TAG_BODY, changed->str, NULL)), <=, FINGERPRINT_NEAR);
	g_assert_cmpuint(
	        distance(original, print_of(TAG_BODY, added->str, NULL)), <=, FINGERPRINT_NEAR);
	g_assert_cmpuint(distance(original, far), >, 2 * FINGERPRINT_NEAR);
	g_assert_false(print_of(TAG_BODY, "one two three four five six seven", NULL).has_simhash);
	g_assert_true(
	        print_of(TAG_BODY, "one two three four five six seven eight", NULL).has_simhash);
}

/* All pairs by comparing each with each. */
static void group_by_force(const uint64_t *hashes, uint32_t n, unsigned bits, uint32_t *groups)
{
	for (uint32_t i = 0; i < n; i++)
		groups[i] = i;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = i + 1; k < n; k++) {
			uint32_t from = MAX(groups[i], groups[k]), to = MIN(groups[i], groups[k]);
			if (from == to || __builtin_popcountll(hashes[i] ^ hashes[k]) > (int)bits)
				continue;
			for (uint32_t j = 0; j < n; j++)
				if (groups[j] == from)
					groups[j] = to;
		}
}

static uint64_t random_hash(void)
{
	return (uint64_t)g_test_rand_int() << 32 | (uint32_t)g_test_rand_int();
}

static void test_groups_equal_brute_force(void)
{
	enum { N = 400 };
	uint64_t hashes[N];
	uint32_t ours[N], theirs[N];
	for (unsigned bits = 0; bits <= NEAR_MAX_BITS; bits++) {
		for (unsigned i = 0; i < N; i++) {
			hashes[i] = i > 0 && g_test_rand_int_range(0, 3) > 0
			                    ? hashes[g_test_rand_int_range(0, i)]
			                    : random_hash();
			for (int flips = g_test_rand_int_range(0, 15); flips > 0; flips--)
				hashes[i] ^= UINT64_C(1) << g_test_rand_int_range(0, 64);
		}
		near_group(hashes, N, bits, ours);
		group_by_force(hashes, N, bits, theirs);
		g_assert_cmpmem(ours, sizeof ours, theirs, sizeof theirs);
	}
	near_group(hashes, 0, 3, ours);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/index/fingerprint/checksum", test_checksum);
	g_test_add_func("/index/fingerprint/text-checksum", test_text_checksum);
	g_test_add_func("/index/fingerprint/long-text", test_long_text);
	g_test_add_func("/index/fingerprint/weights", test_weights);
	g_test_add_func("/index/fingerprint/definition", test_definition);
	g_test_add_func("/index/fingerprint/near", test_near);
	g_test_add_func("/index/near/groups-equal-brute-force", test_groups_equal_brute_force);
	return g_test_run();
}
