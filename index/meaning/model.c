/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/meaning/model.h"
#include <math.h>
#include <string.h>
#include <xxhash.h>

uint32_t meaning_hash(const char *term, size_t length)
{
	return XXH3_64bits(term, length) >> 32;
}

enum { PART_SHIFT = 21 };
G_STATIC_ASSERT(MEANING_PARTS == 1 << (32 - PART_SHIFT));
/* The bits of a hash that a packed word has. */
static const uint32_t packed_bits = 0xffffff;

unsigned meaning_part_of(uint32_t hash)
{
	return hash >> PART_SHIFT;
}

static uint32_t model_read_hash(const uint8_t *bytes)
{
	return bytes[0] | bytes[1] << 8 | (uint32_t)bytes[2] << 16;
}

/* Rounds to 8 bits of precision, as "bfloat16". */
static uint16_t model_half_of(float weight)
{
	uint32_t bits;
	memcpy(&bits, &weight, sizeof bits);
	return isfinite(weight) ? (bits + 0x8000) >> 16 : bits >> 16;
}

static float model_weight_of(uint16_t half)
{
	const uint32_t bits = (uint32_t)half << 16;
	float weight;
	memcpy(&weight, &bits, sizeof weight);
	return weight;
}

GByteArray *meaning_words_pack(const MeaningWord *words, size_t n)
{
	GByteArray *out = g_byte_array_sized_new(n * MEANING_WORD_BYTES);
	for (size_t i = 0; i < n; i++) {
		uint32_t hash = words[i].hash;
		uint16_t weight = model_half_of(words[i].weight);
		const uint8_t head[5] = {hash, hash >> 8, hash >> 16, weight, weight >> 8};
		g_byte_array_append(out, head, sizeof head);
		g_byte_array_append(out, (const uint8_t *)words[i].vector.at, MEANING_DIMENSIONS);
	}
	return out;
}

static void model_read_word(unsigned part, const uint8_t *bytes, MeaningWord *out)
{
	out->hash = ((uint32_t)part << PART_SHIFT & ~packed_bits) | model_read_hash(bytes);
	out->weight = model_weight_of(bytes[3] | bytes[4] << 8);
	memcpy(out->vector.at, bytes + 5, sizeof out->vector.at);
}

MeaningModel *meaning_model_new(void)
{
	return g_new0(MeaningModel, 1);
}

void meaning_model_free(MeaningModel *model)
{
	for (unsigned i = 0; model && i < MEANING_PARTS; i++)
		g_clear_pointer(&model->parts[i], g_bytes_unref);
	g_free(model);
}

static bool model_is_sound(unsigned part, const uint8_t *bytes, size_t length)
{
	uint32_t before = 0;
	for (size_t at = 0; at < length; at += MEANING_WORD_BYTES) {
		MeaningWord word;
		model_read_word(part, bytes + at, &word);
		bool ordered = at == 0 || word.hash > before;
		if (!ordered || meaning_part_of(word.hash) != part ||
		        !(word.weight >= 0 && word.weight <= MEANING_MOST_WEIGHT))
			return false;
		before = word.hash;
	}
	return true;
}

bool meaning_model_set_part(MeaningModel *model, unsigned part, const void *bytes, size_t length)
{
	if (part >= MEANING_PARTS || length % MEANING_WORD_BYTES != 0 ||
	        length / MEANING_WORD_BYTES > MEANING_MOST_WORDS ||
	        !model_is_sound(part, bytes, length))
		return false;
	g_clear_pointer(&model->parts[part], g_bytes_unref);
	model->parts[part] = g_bytes_new(bytes, length);
	return true;
}

bool meaning_model_find(const MeaningModel *model, uint32_t hash, MeaningWord *out)
{
	unsigned number = meaning_part_of(hash);
	GBytes *part = model->parts[number];
	size_t length = 0;
	const uint8_t *bytes = part ? g_bytes_get_data(part, &length) : NULL;
	size_t low = 0, high = length / MEANING_WORD_BYTES;
	while (low < high) {
		size_t middle = (low + high) / 2;
		const uint8_t *word = bytes + middle * MEANING_WORD_BYTES;
		uint32_t found = model_read_hash(word);
		if (found == (hash & packed_bits)) {
			model_read_word(number, word, out);
			return true;
		}
		if (found < (hash & packed_bits))
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

size_t meaning_model_bytes(const MeaningModel *model)
{
	size_t bytes = 0;
	for (unsigned i = 0; i < MEANING_PARTS; i++)
		bytes += model->parts[i] ? g_bytes_get_size(model->parts[i]) : 0;
	return bytes;
}
