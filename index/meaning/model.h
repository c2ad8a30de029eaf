/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model.h - the words of a model, each with its weight and vector
 *
 * A word is known by 32 bits of its hash, so that a word that is not in the model is taken for one
 * of 60,000 that are once in 70,000 times. The words are stored in parts, by the first 11 bits of
 * the hash: a query reads the parts of its words only, and the parts of a large model, of 16 words
 * and more, fill the pages of the index well. A word is the other bits of its hash with three of
 * the part, its weight as the first half of a float, and its vector. */
#pragma once
#include "index/meaning/vector.h"
#include <glib.h>

enum { MEANING_PARTS = 1 << 11, MEANING_WORD_BYTES = 5 + MEANING_DIMENSIONS };
/* An index with fewer documents that have text has no model. */
enum { MEANING_LEAST_DOCUMENTS = 300 };
/* A model holds so many words at most. */
enum { MEANING_MOST_WORDS = 1 << 16 };

typedef struct {
	uint32_t hash;
	float weight; /* from 0 to MEANING_MOST_WEIGHT: the share of an occurrence in a text, with
	                 the scale of the vector */
	MeaningVector vector;
} MeaningWord;
#define MEANING_MOST_WEIGHT 1e6f

/* Returns the hash of a term of the index. */
uint32_t meaning_hash(const char *term, size_t length);
unsigned meaning_part_of(uint32_t hash);

/* Packs words of one part, which are in ascending order of their hash. The caller owns the result.
 */
GByteArray *meaning_words_pack(const MeaningWord *words, size_t n);

/* Plain old parts; NULL: not read. */
typedef struct {
	GBytes *parts[MEANING_PARTS];
} MeaningModel;
MeaningModel *meaning_model_new(void);
void meaning_model_free(MeaningModel *model); /* NULL is allowed */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MeaningModel, meaning_model_free)
/* Copies a packed part. Returns false, and leaves the model as it is, if the bytes are damaged. */
bool meaning_model_set_part(MeaningModel *model, unsigned part, const void *bytes, size_t length);
/* Returns false if the model, as far as it was read, has no such word. */
bool meaning_model_find(const MeaningModel *model, uint32_t hash, MeaningWord *out);
size_t meaning_model_bytes(const MeaningModel *model);
