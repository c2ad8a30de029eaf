/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/meaning/word-sums.h"
#include "index/meaning/svd.h"

/* How often each word of the document occurs, by open addressing. A hash stands for its word, as in
 * the model. */
typedef struct {
	struct SumSlot {
		uint32_t hash, n; /* n 0: the slot is free */
	} * slots;
	size_t mask; /* number of slots - 1 */
} WordSums;

static int word_sums_add(void *data, int flags, const char *term, int length, int start, int end)
{
	WordSums *sums = data;
	uint32_t hash = meaning_hash(term, length);
	size_t at = hash & sums->mask;
	(void)flags, (void)start, (void)end;
	while (sums->slots[at].n > 0 && sums->slots[at].hash != hash)
		at = (at + 1) & sums->mask;
	sums->slots[at].hash = hash;
	sums->slots[at].n++;
	return 0;
}

/* A term takes two bytes at least, so that at most half of the slots are used. */
static size_t word_sums_slots(const Terms *terms)
{
	size_t bytes = 0, slots = 64;
	for (int i = 0; i < N_COLUMNS; i++)
		bytes += i == COLUMN_NOISE ? 0 : terms->columns[i]->len;
	while (slots < bytes)
		slots *= 2;
	return slots;
}

bool meaning_fold_in(const MeaningModel *model, const Terms *terms, MeaningVector *out)
{
	size_t n = word_sums_slots(terms);
	g_autofree struct SumSlot *slots = g_new0(struct SumSlot, n);
	WordSums sums = {slots, n - 1};
	float sum[MEANING_DIMENSIONS] = {0};
	for (int i = 0; i < N_COLUMNS; i++)
		if (i != COLUMN_NOISE)
			terms_replay((const char *)terms->columns[i]->data, terms->columns[i]->len,
			        &sums, word_sums_add);
	for (size_t i = 0; i < n; i++) {
		MeaningWord word;
		if (slots[i].n > 0 && meaning_model_find(model, slots[i].hash, &word))
			meaning_vector_add(sum, &word.vector,
			        svd_frequency_weight(MIN(slots[i].n, 255)) * word.weight);
	}
	return meaning_vector_round(sum, out);
}
