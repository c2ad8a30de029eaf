/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/meaning/model.h"
#include <string.h>
#include <xxhash.h>

uint32_t meaning_hash(const char *term, size_t length)
{
	return XXH3_64bits(term, length) >> 32;
}

unsigned meaning_part_of(uint32_t hash)
{
	return hash >> 24;
}

static uint32_t model_read_32(const uint8_t *bytes)
{
	return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void model_append_32(GByteArray *out, uint32_t number)
{
	const uint8_t bytes[4] = {number, number >> 8, number >> 16, number >> 24};
	g_byte_array_append(out, bytes, sizeof bytes);
}

GByteArray *meaning_words_pack(const MeaningWord *words, size_t n)
{
	GByteArray *out = g_byte_array_sized_new(n * MEANING_WORD_BYTES);
	for (size_t i = 0; i < n; i++) {
		uint32_t weight;
		memcpy(&weight, &words[i].weight, sizeof weight);
		model_append_32(out, words[i].hash);
		model_append_32(out, weight);
		g_byte_array_append(out, (const uint8_t *)words[i].vector.at, MEANING_DIMENSIONS);
	}
	return out;
}

static void model_read_word(const uint8_t *bytes, MeaningWord *out)
{
	uint32_t weight = model_read_32(bytes + 4);
	out->hash = model_read_32(bytes);
	memcpy(&out->weight, &weight, sizeof out->weight);
	memcpy(out->vector.at, bytes + 8, sizeof out->vector.at);
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
		model_read_word(bytes + at, &word);
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
	GBytes *part = model->parts[meaning_part_of(hash)];
	size_t length = 0;
	const uint8_t *bytes = part ? g_bytes_get_data(part, &length) : NULL;
	size_t low = 0, high = length / MEANING_WORD_BYTES;
	while (low < high) {
		size_t middle = (low + high) / 2;
		uint32_t found = model_read_32(bytes + middle * MEANING_WORD_BYTES);
		if (found == hash) {
			model_read_word(bytes + middle * MEANING_WORD_BYTES, out);
			return true;
		}
		if (found < hash)
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
