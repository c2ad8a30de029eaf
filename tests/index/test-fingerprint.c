/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/text/fingerprint.h"
#include "index/text/near.h"
#include <math.h>
#include <string.h>

static const ChecksumKey zero_key;

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
	fingerprint_document(doc, &zero_key, &print);
	return print;
}

static unsigned distance(Fingerprint a, Fingerprint b)
{
	return __builtin_popcountll(a.near.simhash ^ b.near.simhash);
}

static void test_text_checksum(void)
{
	Fingerprint plain = print_of(TAG_BODY, "Straße, Ärger — foo", NULL);
	Fingerprint folded = print_of(TAG_BODY, "strasse\narger (FOO)", "a title");
	Fingerprint other = print_of(TAG_BODY, "strasse foo arger", NULL);
	uint8_t expected[CHECKSUM_BYTES];

	checksum_of(&zero_key, "strasse arger foo ", 18, expected);
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
	checksum_of(&zero_key, text->str, text->len, expected);
	Fingerprint print = print_of(TAG_BODY, text->str, NULL);
	g_assert_cmpmem(print.text_checksum, CHECKSUM_BYTES, expected, CHECKSUM_BYTES);
	g_assert_cmpuint(print.words, ==, 50000);
}

/* Computed by hand: bit 0 is in a and b (3 + 1 of 6), bit 1 in b and c (1 + 2: not more than half),
 * bit 2 in all, bit 3 in none. */
static void test_weights(void)
{
	static const Feature features[] = {{0x5, 3}, {0x7, 1}, {0x6, 2}};
	g_assert_cmpuint(fingerprint_simhash(features, 3, 4), ==, 0x5);
	g_assert_cmpuint(fingerprint_simhash(features, 3, 2), ==, 0x1);
	static const Feature top[] = {{UINT64_C(1) << 63, 2}, {0, 1}};
	g_assert_cmpuint(fingerprint_simhash(top, 2, 64), ==, UINT64_C(1) << 63);
	g_assert_cmpuint(fingerprint_simhash(NULL, 0, 64), ==, 0);
}

/* Compares with the definition: add the weight for a one, subtract it for a zero. */
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

static void assert_near(Fingerprint a, Fingerprint b)
{
	g_assert_cmpuint(distance(a, b), <=, NEAR_BITS);
	g_assert_cmpuint(sketch_distance(&a.near.sketch, &b.near.sketch), <=, NEAR_SKETCH_BITS);
	g_assert_true(near_is(&a.near, &b.near));
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

	g_assert_true(original.has_near);
	assert_near(original, print_of(TAG_BODY, changed->str, NULL));
	assert_near(original, print_of(TAG_BODY, added->str, NULL));
	g_assert_cmpuint(distance(original, far), >, NEAR_BITS);
	g_assert_cmpuint(sketch_distance(&original.near.sketch, &far.near.sketch), >,
	        2 * NEAR_SKETCH_BITS - 14);
	g_assert_false(print_of(TAG_BODY, "one two three four five six seven", NULL).has_near);
	g_assert_true(print_of(TAG_BODY, "one two three four five six seven eight", NULL).has_near);
}

static uint64_t random_bits(void)
{
	return (uint64_t)g_test_rand_int() << 32 | (uint32_t)g_test_rand_int();
}

static NearPrint random_print(void)
{
	return (NearPrint){random_bits(), {{random_bits(), random_bits()}}};
}

static void flip(NearPrint *print, int simhash_bits, int sketch_bits)
{
	while (simhash_bits-- > 0)
		print->simhash ^= UINT64_C(1) << g_test_rand_int_range(0, 64);
	for (int bit; sketch_bits-- > 0;) {
		bit = g_test_rand_int_range(0, SKETCH_BITS);
		print->sketch.bits[bit / 64] ^= UINT64_C(1) << bit % 64;
	}
}

static NearPrint *random_prints(uint32_t n, int simhash_bits, int sketch_bits)
{
	NearPrint *prints = g_new(NearPrint, n);
	for (uint32_t i = 0; i < n; i++) {
		prints[i] = i > 0 && g_test_rand_int_range(0, 3) > 0
		                    ? prints[g_test_rand_int_range(0, i)]
		                    : random_print();
		flip(&prints[i], g_test_rand_int_range(0, simhash_bits),
		        g_test_rand_int_range(0, sketch_bits));
	}
	return prints;
}

/* Groups by comparing each print with each other one. */
static void group_by_force(const NearPrint *prints, uint32_t n, uint32_t *groups)
{
	for (uint32_t i = 0; i < n; i++)
		groups[i] = i;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = i + 1; k < n; k++) {
			uint32_t from = MAX(groups[i], groups[k]), to = MIN(groups[i], groups[k]);
			if (from == to || !near_is(&prints[i], &prints[k]))
				continue;
			for (uint32_t j = 0; j < n; j++)
				if (groups[j] == from)
					groups[j] = to;
		}
}

static void test_groups_equal_brute_force(void)
{
	enum { N = 400 };
	uint32_t ours[N], theirs[N];
	for (unsigned round = 0; round < 10; round++) {
		g_autofree NearPrint *prints = random_prints(N, 20, 36);
		near_group(prints, N, ours, NULL, NULL);
		group_by_force(prints, N, theirs);
		g_assert_cmpmem(ours, sizeof ours, theirs, sizeof theirs);
	}
	near_group(NULL, 0, ours, NULL, NULL);
}

static void count_calls(unsigned done, unsigned all, void *data)
{
	g_assert_cmpuint(done, <, all);
	++*(unsigned *)data;
}

/* Of the pairs that differ in d bits of the sketch, this share is found according to the header,
 * with prefixes of 7 bits and as many tables as J = .7 needs for .99. */
static double expected_recall(unsigned d)
{
	enum { PREFIX = 7 };
	double tables = ceil(log(.01) / log(1 - pow(.85, PREFIX)));
	return 1 - pow(1 - pow(1 - d / (double)SKETCH_BITS, PREFIX), tables);
}

/* Inverts this number of different bits of the sketch. */
static void set_apart(NearPrint *print, unsigned d)
{
	uint8_t bits[SKETCH_BITS];
	for (unsigned i = 0; i < SKETCH_BITS; i++)
		bits[i] = i;
	for (unsigned i = 0; i < d; i++) {
		unsigned from = g_test_rand_int_range(i, SKETCH_BITS);
		print->sketch.bits[bits[from] / 64] ^= UINT64_C(1) << bits[from] % 64;
		bits[from] = bits[i];
	}
}

/* There are too many prints for comparing all pairs. Of the pairs at each distance, as many are
 * found as the formula says, and nothing is found that is not a pair. */
static void test_tables(void)
{
	enum { PAIRS = 4000 };
	static const unsigned apart[] = {0, 6, 12, 19, 24, NEAR_SKETCH_BITS, NEAR_SKETCH_BITS + 1};
	g_autofree NearPrint *prints = g_new(NearPrint, 2 * PAIRS);
	g_autofree uint32_t *groups = g_new(uint32_t, 2 * PAIRS);
	for (unsigned k = 0; k < G_N_ELEMENTS(apart); k++) {
		unsigned found = 0, calls = 0;
		for (unsigned i = 0; i < PAIRS; i++) {
			prints[2 * i] = prints[2 * i + 1] = random_print();
			prints[2 * i + 1].simhash ^=
			        (UINT64_C(1) << g_test_rand_int_range(1, NEAR_BITS + 1)) - 1;
			set_apart(&prints[2 * i + 1], apart[k]);
		}
		near_group(prints, 2 * PAIRS, groups, count_calls, &calls);
		for (unsigned i = 0; i < PAIRS; i++) {
			found += groups[2 * i] == groups[2 * i + 1];
			g_assert_cmpuint(groups[2 * i], ==, 2 * i);
			g_assert_true(groups[2 * i + 1] == 2 * i || groups[2 * i + 1] == 2 * i + 1);
		}
		g_assert_cmpuint(calls, >, 1);
		double expected = apart[k] > NEAR_SKETCH_BITS ? 0 : expected_recall(apart[k]);
		g_test_message("%u bits apart: %.4f, expected %.4f", apart[k],
		        found / (double)PAIRS, expected);
		g_assert_cmpfloat_with_epsilon(found / (double)PAIRS, expected, .05);
	}
}

/* Many texts that resemble one text form one group, in less than quadratic time. */
static void test_crowd(void)
{
	enum { N = 20000 };
	g_autofree NearPrint *prints = g_new(NearPrint, N);
	g_autofree uint32_t *groups = g_new(uint32_t, N);
	NearPrint first = random_print();
	for (unsigned i = 0; i < N; i++) {
		prints[i] = first;
		flip(&prints[i], 3, 6);
	}
	near_group(prints, N, groups, NULL, NULL);
	for (unsigned i = 0; i < N; i++)
		g_assert_cmpuint(groups[i], ==, 0);
}

static void test_pack(void)
{
	NearPrint print = {0x0123456789abcdefu, {{0x1122334455667788u, 0x99aabbccddeeff00u}}},
	          again;
	static const uint8_t expected[NEAR_PRINT_BYTES] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd,
	        0xef, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd,
	        0xee, 0xff, 0};
	uint8_t bytes[NEAR_PRINT_BYTES];
	near_pack(&print, bytes);
	g_assert_cmpmem(bytes, sizeof bytes, expected, sizeof expected);
	near_unpack(bytes, &again);
	g_assert_cmpmem(&print, sizeof print, &again, sizeof again);
}

/* Tests the estimate of the Jaccard coefficient of sets that share a known part. */
static void test_sketch(void)
{
	static const double shares[] = {0, .3, .5, .7, .9, 1};
	for (unsigned i = 0; i < G_N_ELEMENTS(shares); i++) {
		enum { SETS = 60, SIZE = 1000 };
		double sum = 0;
		for (unsigned round = 0; round < SETS; round++) {
			SketchState a, b;
			sketch_begin(&a);
			sketch_begin(&b);
			for (unsigned k = 0; k < SIZE; k++) {
				uint64_t hash = random_bits();
				sketch_add(&a, hash);
				sketch_add(&b, k < shares[i] * SIZE ? hash : random_bits());
			}
			Sketch x = sketch_end(&a), y = sketch_end(&b);
			sum += 1 - 2.0 * sketch_distance(&x, &y) / SKETCH_BITS;
		}
		double jaccard = shares[i] / (2 - shares[i]);
		g_assert_cmpfloat_with_epsilon(sum / SETS, jaccard, .05);
	}
}

/* Sets with fewer elements than bins, and the empty set. */
static void test_small_sketch(void)
{
	SketchState a, b;
	sketch_begin(&a);
	g_assert_cmpuint(sketch_end(&a).bits[0] | sketch_end(&a).bits[1], ==, 0);
	sketch_begin(&b);
	for (uint64_t i = 1; i <= 5; i++) {
		sketch_add(&a, i * 0x9e3779b97f4a7c15u);
		for (unsigned again = 0; again < 3; again++)
			sketch_add(&b, (6 - i) * 0x9e3779b97f4a7c15u);
	}
	Sketch x = sketch_end(&a), y = sketch_end(&b);
	g_assert_cmpuint(sketch_distance(&x, &y), ==, 0);
	sketch_add(&b, 77);
	y = sketch_end(&b);
	g_assert_cmpuint(sketch_distance(&x, &y), <, NEAR_SKETCH_BITS);
}

/* The worked example of a simhash in the textbook (Croft, Metzler, Strohman: "Search Engines", fig.
 * 3.15), with the words' weights and its own hash values of 8 bits. */
static void test_textbook(void)
{
	static const Feature words[] = {
	        {0x61, 2}, /* tropical */
	        {0xab, 2}, /* fish */
	        {0xe6, 1}, /* include */
	        {0x1e, 1}, /* found */
	        {0x2d, 1}, /* environments */
	        {0x8b, 1}, /* around */
	        {0x2a, 1}, /* world */
	        {0xc0, 1}, /* including */
	        {0xae, 1}, /* both */
	        {0x3f, 1}, /* freshwater */
	        {0xb5, 1}, /* salt */
	        {0x25, 1}, /* water */
	        {0xee, 1}, /* species */
	};
	g_assert_cmpuint(fingerprint_simhash(words, G_N_ELEMENTS(words), 8), ==, 0xaf);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func(
	        "/index/fingerprint/text-checksum-ignores-case-and-layout", test_text_checksum);
	g_test_add_func("/index/fingerprint/long-texts-are-fingerprinted", test_long_text);
	g_test_add_func("/index/fingerprint/weights-decide-each-bit", test_weights);
	g_test_add_func("/index/fingerprint/value-follows-its-definition", test_definition);
	g_test_add_func("/index/fingerprint/near-texts-are-near", test_near);
	g_test_add_func("/index/near/groups-equal-brute-force", test_groups_equal_brute_force);
	g_test_add_func("/index/near/tables-find-all-within-the-distance", test_tables);
	g_test_add_func("/index/near/many-equal-fingerprints-cost-little", test_crowd);
	g_test_add_func("/index/near/packed-tables-are-read-as-written", test_pack);
	g_test_add_func("/index/sketch/similarity-is-estimated", test_sketch);
	g_test_add_func(
	        "/index/sketch/repetition-does-not-change-a-small-sketch", test_small_sketch);
	g_test_add_func("/index/fingerprint/value-agrees-with-the-textbook", test_textbook);
	return g_test_run();
}
