/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/fingerprint.h"
#include "index/terms.h"
#include <string.h>
#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

/* ---- checksums */

struct Checksum {
	XXH3_state_t *state;
};

Checksum *checksum_new(void)
{
	Checksum *checksum = g_new0(Checksum, 1);
	checksum->state = XXH3_createState();
	g_assert(checksum->state);
	XXH3_128bits_reset(checksum->state);
	return checksum;
}

void checksum_update(Checksum *checksum, const void *data, size_t length)
{
	XXH3_128bits_update(checksum->state, data, length);
}

static void to_canonical(XXH128_hash_t hash, uint8_t out[CHECKSUM_BYTES])
{
	XXH128_canonical_t canonical;
	XXH128_canonicalFromHash(&canonical, hash);
	memcpy(out, canonical.digest, CHECKSUM_BYTES);
}

void checksum_final(Checksum *checksum, uint8_t out[CHECKSUM_BYTES])
{
	to_canonical(XXH3_128bits_digest(checksum->state), out);
	XXH3_freeState(checksum->state);
	g_free(checksum);
}

void checksum_of(const void *data, size_t length, uint8_t out[CHECKSUM_BYTES])
{
	to_canonical(XXH3_128bits(data, length), out);
}

/* ---- simhash */

uint64_t fingerprint_simhash(const Feature *features, size_t n, unsigned bits)
{
	int64_t sums[64] = {0};
	uint64_t result = 0;
	for (size_t i = 0; i < n; i++)
		for (unsigned bit = 0; bit < 64; bit++)
			sums[bit] += features[i].hash >> bit & 1 ? (int64_t)features[i].weight
			                                         : -(int64_t)features[i].weight;
	for (unsigned bit = 0; bit < bits && bit < 64; bit++)
		result |= (uint64_t)(sums[bit] > 0) << bit;
	return result;
}

/* Features by their hash, with how often they occur: open addressing, at most half full. */
typedef struct {
	Feature *slots; /* weight 0: free */
	size_t mask, used;
} FeatureTable;

enum { FEATURES_AT_FIRST = 1024, CHECKSUM_BUFFER = 8192 };

struct FingerprintState {
	Checksum *checksum;
	char buffer[CHECKSUM_BUFFER];
	size_t buffered;
	FeatureTable table;
	uint32_t words, text_words;
};

static Feature *slot_of(const FeatureTable *table, uint64_t hash)
{
	size_t at = hash & table->mask;
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
			*slot_of(&grown, table->slots[i].hash) = table->slots[i];
	g_free(table->slots);
	*table = grown;
}

static void table_count(FeatureTable *table, uint64_t hash, uint32_t weight)
{
	Feature *slot = slot_of(table, hash);
	if (slot->weight != 0) {
		slot->weight += weight;
		return;
	}
	*slot = (Feature){hash, weight};
	if (++table->used * 2 > table->mask)
		table_grow(table);
}

FingerprintState *fingerprint_begin(void)
{
	FingerprintState *state = g_new(FingerprintState, 1);
	state->checksum = checksum_new();
	state->buffered = state->words = state->text_words = 0;
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

/* Words of title and headings say more about what a document is. */
static uint32_t column_weight(TextColumn column)
{
	return column == COLUMN_BODY                                ? 1
	       : column == COLUMN_TITLE || column == COLUMN_HEADING ? 3
	                                                            : 0;
}

void fingerprint_add(FingerprintState *state, TextColumn column, const char *term, int length)
{
	uint32_t weight = column_weight(column);
	state->words++;
	if (column == COLUMN_BODY || column == COLUMN_HEADING) {
		state->text_words++;
		add_to_checksum(state, term, length);
	}
	if (weight > 0)
		table_count(&state->table, XXH3_64bits(term, length), weight);
}

/* Occurrences to weights: 1 + floor(log2), so that a word that stands everywhere does not decide
 * alone. */
static uint32_t damped(uint32_t occurrences)
{
	return g_bit_storage(occurrences);
}

/* Packs the used slots together. */
static size_t table_pack(FeatureTable *table)
{
	size_t n = 0;
	for (size_t i = 0; i <= table->mask; i++)
		if (table->slots[i].weight != 0)
			table->slots[n++] =
			        (Feature){table->slots[i].hash, damped(table->slots[i].weight)};
	return n;
}

void fingerprint_end(FingerprintState *state, Fingerprint *out)
{
	size_t n = table_pack(&state->table);
	checksum_update(state->checksum, state->buffer, state->buffered);
	checksum_final(state->checksum, out->text_checksum);
	out->words = state->words;
	out->has_checksum = state->text_words > 0;
	out->has_simhash = n >= FINGERPRINT_MIN_FEATURES;
	out->simhash = out->has_simhash ? fingerprint_simhash(state->table.slots, n, 64) : 0;
	g_free(state->table.slots);
	g_free(state);
}

static void add_term(void *data, TextColumn column, const char *term, int length)
{
	fingerprint_add(data, column, term, length);
}

void fingerprint_document(const Document *doc, Fingerprint *out)
{
	FingerprintState *state = fingerprint_begin();
	terms_each(doc, add_term, state);
	fingerprint_end(state, out);
}
