/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/text/fingerprint.h"
#include "index/text/terms.h"
#include <string.h>
#include <sys/random.h>
#include <xxhash.h>

/* ---- simhash */

/* A bit-sliced counter: 64 sums, one for each bit, in binary. Bit b of planes[k] is worth 2^k in
 * sum b. */
typedef struct {
	uint64_t planes[64];
} Sums;

static void sums_add(Sums *sums, uint64_t bits, uint32_t weight)
{
	for (unsigned from = 0; weight > 0; from++, weight >>= 1) {
		uint64_t carry = weight & 1 ? bits : 0;
		for (unsigned plane = from; carry != 0; plane++) {
			uint64_t both = sums->planes[plane] & carry;
			sums->planes[plane] ^= carry;
			carry = both;
		}
	}
}

static uint64_t sums_get(const Sums *sums, unsigned bit)
{
	uint64_t sum = 0;
	for (unsigned plane = 0; plane < 64; plane++)
		sum |= (sums->planes[plane] >> bit & 1) << plane;
	return sum;
}

static uint64_t sums_result(const Sums *sums, uint64_t all, unsigned bits)
{
	uint64_t result = 0;
	for (unsigned bit = 0; bit < bits && bit < 64; bit++)
		result |= (uint64_t)(2 * sums_get(sums, bit) > all) << bit;
	return result;
}

static uint64_t add_features(Sums *sums, const Feature *features, size_t n)
{
	uint64_t all = 0;
	for (size_t i = 0; i < n; i++) {
		sums_add(sums, features[i].hash, features[i].weight);
		all += features[i].weight;
	}
	return all;
}

uint64_t fingerprint_simhash(const Feature *features, size_t n, unsigned bits)
{
	Sums sums = {{0}};
	uint64_t all = add_features(&sums, features, n);
	return sums_result(&sums, all, bits);
}

/* The features are the words of title, headings and body, and their triples. Words alone would make
 * texts on one subject near copies; triples alone would need distances so large that unrelated
 * texts come into reach. A word that occurs n times weighs 1 + floor(log2 n). Triples are too many
 * to be counted, and in prose they hardly ever repeat: each weighs 1, and one that is among the
 * last seen weighs nothing, so that repeated lines do not decide. Those in title and headings count
 * three times. */

/* Features by hash, with the number of their occurrences: open addressing, at most half full. A
 * slot is chosen with a secret multiplier (Dietzfelbinger et al., "A reliable randomized algorithm
 * for the closest-pair problem", 1997), so that nobody can write a text whose words share one. */
typedef struct {
	Feature *slots; /* a free slot has weight 0 */
	size_t mask, used;
} FeatureTable;

enum { FEATURES_AT_FIRST = 1024, CHECKSUM_BUFFER = 8192, SEEN_TRIPLES = 2048 };

struct FingerprintState {
	Checksum *checksum; /* NULL: none is asked for */
	char buffer[CHECKSUM_BUFFER];
	size_t buffered;
	FeatureTable table;
	SketchState sketch; /* of the set of triples */
	Sums sums; /* of the triples; at the end of all features */
	uint64_t triples_weight,
	        seen[SEEN_TRIPLES]; /* seen: triples seen last, by the low bits of their hash */
	uint64_t before[2]; /* hashes of the last word and of the one before it; 0: none */
	uint32_t words, text_words;
	TextColumn column; /* column of the last word */
};

/* Odd, random, and the same for the life of the process. */
static uint64_t fingerprint_secret(void)
{
	static gsize secret;
	if (g_once_init_enter(&secret)) {
		uint64_t bits = 0;
		if (getrandom(&bits, sizeof bits, 0) != sizeof bits)
			bits = (uint64_t)g_random_int() << 32 | g_random_int();
		g_once_init_leave(&secret, bits | 1);
	}
	return secret;
}

static Feature *fingerprint_slot_of(const FeatureTable *table, uint64_t hash)
{
	size_t at = hash * fingerprint_secret() >> 32 & table->mask;
	while (table->slots[at].weight != 0 && table->slots[at].hash != hash)
		at = (at + 1) & table->mask;
	return &table->slots[at];
}

static void table_grow(FeatureTable *table)
{
	FeatureTable grown = {
	        g_new0(Feature, 2 * (table->mask + 1)), 2 * table->mask + 1, table->used};
	for (size_t i = 0; i <= table->mask; i++)
		if (table->slots[i].weight != 0)
			*fingerprint_slot_of(&grown, table->slots[i].hash) = table->slots[i];
	g_free(table->slots);
	*table = grown;
}

/* Returns the rank of the feature. In a full table that of any new one is FINGERPRINT_MOST_WORDS.
 */
static uint32_t table_count(FeatureTable *table, uint64_t hash, uint32_t weight)
{
	Feature *slot = fingerprint_slot_of(table, hash);
	if (slot->weight != 0) {
		slot->weight += weight;
		return slot->rank;
	}
	if (table->used == FINGERPRINT_MOST_WORDS)
		return FINGERPRINT_MOST_WORDS;
	uint32_t rank = table->used++;
	*slot = (Feature){hash, weight, rank};
	if (table->used * 2 > table->mask)
		table_grow(table);
	return rank;
}

FingerprintState *fingerprint_begin(const ChecksumKey *key)
{
	FingerprintState *state = g_new0(FingerprintState, 1);
	state->checksum = key ? checksum_new(key) : NULL;
	sketch_begin(&state->sketch);
	state->column = N_COLUMNS;
	state->table = (FeatureTable){g_new0(Feature, FEATURES_AT_FIRST), FEATURES_AT_FIRST - 1, 0};
	return state;
}

static void add_to_checksum(FingerprintState *state, const char *term, int length)
{
	if (state->buffered + length + 1 > sizeof(state->buffer)) {
		checksum_update(state->checksum, state->buffer, state->buffered);
		state->buffered = 0;
	}
	memcpy(state->buffer + state->buffered, term, length);
	state->buffered += length;
	state->buffer[state->buffered++] = ' ';
}

static uint32_t column_weight(TextColumn column)
{
	return column == COLUMN_BODY                                ? 1
	       : column == COLUMN_TITLE || column == COLUMN_HEADING ? 3
	                                                            : 0;
}

/* The result depends on the order of the two. */
static uint64_t fingerprint_joined(uint64_t left, uint64_t right)
{
	uint64_t mixed = (left ^ (left >> 29)) * 0x9e3779b97f4a7c15u + right;
	mixed = (mixed ^ (mixed >> 32)) * 0xd6e8feb86659fd93u;
	return mixed ^ (mixed >> 32);
}

static void add_triple(FingerprintState *state, uint64_t hash, uint32_t weight)
{
	uint64_t *seen = &state->seen[hash % SEEN_TRIPLES];
	if (*seen == hash)
		return;
	*seen = hash;
	sketch_add(&state->sketch, hash);
	sums_add(&state->sums, hash, weight);
	state->triples_weight += weight;
}

/* Adds the word and the triple that it ends. A triple does not span two columns. */
static uint32_t fingerprint_add_word(
        FingerprintState *state, TextColumn column, const char *term, int length, uint32_t weight)
{
	uint64_t hash = XXH3_64bits(term, length), *before = state->before;
	if (column != state->column)
		before[0] = before[1] = 0;
	state->column = column;
	uint32_t rank = table_count(&state->table, hash, weight);
	if (before[1] != 0)
		add_triple(state,
		        fingerprint_joined(before[1], fingerprint_joined(before[0], hash)), weight);
	before[1] = before[0];
	before[0] = hash;
	return rank;
}

void fingerprint_add_encoded(
        FingerprintState *state, TextColumn column, const char *term, int length)
{
	if (column != COLUMN_BODY && column != COLUMN_HEADING)
		return;
	state->text_words++;
	if (state->checksum)
		add_to_checksum(state, term, length);
}

uint32_t fingerprint_add(FingerprintState *state, TextColumn column, const char *term, int length)
{
	uint32_t weight = column_weight(column);
	state->words++;
	fingerprint_add_encoded(state, column, term, length);
	return weight > 0 ? fingerprint_add_word(state, column, term, length, weight) : 0;
}

/* The weight of a number of occurrences, 1 + floor(log2), so that a frequent word does not decide
 * alone. */
static uint32_t fingerprint_damped(uint32_t occurrences)
{
	return g_bit_storage(occurrences);
}

/* Moves the used slots to the front. */
static size_t table_pack(FeatureTable *table)
{
	size_t n = 0;
	for (size_t i = 0; i <= table->mask; i++)
		if (table->slots[i].weight != 0)
			table->slots[n++] = (Feature){
			        table->slots[i].hash, fingerprint_damped(table->slots[i].weight)};
	return n;
}

static void fingerprint_end_checksum(FingerprintState *state, uint8_t out[CHECKSUM_BYTES])
{
	if (!state->checksum)
		return;
	checksum_update(state->checksum, state->buffer, state->buffered);
	checksum_final(g_steal_pointer(&state->checksum), out);
}

void fingerprint_end(FingerprintState *state, Fingerprint *out)
{
	size_t n = table_pack(&state->table);
	out->words = state->words;
	out->has_checksum = state->checksum && state->text_words > 0;
	fingerprint_end_checksum(state, out->text_checksum);
	out->has_near = n >= FINGERPRINT_MIN_WORDS && state->triples_weight > 0;
	uint64_t all = state->triples_weight + add_features(&state->sums, state->table.slots, n);
	out->near = (NearPrint){0};
	if (out->has_near)
		out->near =
		        (NearPrint){sums_result(&state->sums, all, 64), sketch_end(&state->sketch)};
	g_free(state->table.slots);
	g_free(state);
}

static void fingerprint_add_term(
        void *data, TextColumn column, const char *term, int length, TermKind kind)
{
	if (kind == TERM_IS_WORD)
		fingerprint_add(data, column, term, length);
	else if (kind == TERM_IS_ENCODED)
		fingerprint_add_encoded(data, column, term, length);
}

void fingerprint_document(const Document *doc, const ChecksumKey *key, Fingerprint *out)
{
	FingerprintState *state = fingerprint_begin(key);
	terms_each(doc, fingerprint_add_term, state);
	fingerprint_end(state, out);
}
