/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/meaning/word-sums.h"
#include "index/meaning/svd.h"
#include <sqlite3.h>

typedef struct {
	uint32_t hash, n; /* n 0: the slot is free */
} SumSlot;

/* How often each word of the document occurs, by open addressing. A hash stands for its word, as in
 * the model. */
typedef struct {
	SumSlot *slots;
	size_t mask, used; /* number of slots - 1; at most half of them are used */
	uint32_t words; /* of the stream so far */
} WordSums;

static void word_sums_begin(WordSums *sums)
{
	enum { FIRST_SLOTS = 256 };
	*sums = (WordSums){g_new0(SumSlot, FIRST_SLOTS), FIRST_SLOTS - 1, 0, 0};
}

static SumSlot *word_sums_slot(const WordSums *sums, uint32_t hash)
{
	size_t at = hash & sums->mask;
	while (sums->slots[at].n > 0 && sums->slots[at].hash != hash)
		at = (at + 1) & sums->mask;
	return &sums->slots[at];
}

static void word_sums_grow(WordSums *sums)
{
	WordSums larger = {
	        g_new0(SumSlot, 2 * (sums->mask + 1)), 2 * sums->mask + 1, sums->used, sums->words};
	for (size_t i = 0; i <= sums->mask; i++)
		if (sums->slots[i].n > 0)
			*word_sums_slot(&larger, sums->slots[i].hash) = sums->slots[i];
	g_free(sums->slots);
	*sums = larger;
}

/* SQLITE_DONE: there were enough. */
static int word_sums_add(void *data, int flags, const char *term, int length, int start, int end)
{
	WordSums *sums = data;
	uint32_t hash = meaning_hash(term, length);
	SumSlot *slot = word_sums_slot(sums, hash);
	(void)flags, (void)start, (void)end;
	if (sums->words++ >= WORD_SUMS_MOST)
		return SQLITE_DONE;
	if (slot->n == 0 && 2 * ++sums->used > sums->mask) {
		word_sums_grow(sums);
		slot = word_sums_slot(sums, hash);
	}
	slot->hash = hash;
	slot->n++;
	return 0;
}

static bool word_sums_end(WordSums *sums, const MeaningModel *model, MeaningVector *out)
{
	float sum[MEANING_DIMENSIONS] = {0};
	for (size_t i = 0; i <= sums->mask; i++) {
		const SumSlot *slot = &sums->slots[i];
		MeaningWord word;
		if (slot->n > 0 && meaning_model_find(model, slot->hash, &word))
			meaning_vector_add(sum, &word.vector,
			        svd_frequency_weight(MIN(slot->n, 255)) * word.weight);
	}
	g_free(sums->slots);
	return meaning_vector_round(sum, out);
}

bool meaning_fold_in(const MeaningModel *model, const Terms *terms, MeaningVector *out)
{
	WordSums sums;
	word_sums_begin(&sums);
	for (int i = 0; i < N_COLUMNS; i++)
		if (i != COLUMN_NOISE) {
			sums.words = 0;
			terms_replay((const char *)terms->columns[i]->data, terms->columns[i]->len,
			        &sums, word_sums_add);
		}
	return word_sums_end(&sums, model, out);
}

bool meaning_fold_in_stream(
        const MeaningModel *model, const void *stream, size_t length, MeaningVector *out)
{
	WordSums sums;
	word_sums_begin(&sums);
	terms_replay(stream, length, &sums, word_sums_add);
	return word_sums_end(&sums, model, out);
}
