/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/meaning/word-matrix.h"
#include "common/base/compare.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	uint32_t hash;
	uint32_t documents; /* that have the word, with those that are not in the sample */
} CountedWord;

struct MeaningCounts {
	const GArray *documents;
	size_t most_entries;
	unsigned most_words, least_documents;
	unsigned halvings; /* how often half of the documents was dropped */
	GArray *words; /* of CountedWord */
	GArray *begins; /* size_t: where the entries of each word begin */
	uint32_t *entries;
	size_t n_entries, room;
	guint row; /* of the last document that was counted for the word; G_MAXUINT: none yet */
	guint hint; /* where the last document stands in the list */
	bool open; /* a word was begun */
	bool unordered; /* its documents did not come in ascending order */
	float *row_scales, *column_scales;
	SvdMatrix matrix;
};

MeaningCounts *meaning_counts_new(const GArray *documents, size_t most_entries, unsigned most_words)
{
	MeaningCounts *counts = g_new0(MeaningCounts, 1);
	counts->documents = documents;
	counts->most_entries = most_entries;
	counts->most_words = most_words;
	counts->least_documents = MEANING_LEAST_DOCUMENTS_OF_WORD;
	counts->words = g_array_new(FALSE, FALSE, sizeof(CountedWord));
	counts->begins = g_array_new(FALSE, FALSE, sizeof(size_t));
	return counts;
}

void meaning_counts_free(MeaningCounts *counts)
{
	if (!counts)
		return;
	g_array_unref(counts->words);
	g_array_unref(counts->begins);
	g_free(counts->entries);
	g_free(counts->row_scales);
	g_free(counts->column_scales);
	g_free(counts);
}

/* ---- documents and the sample of them */

/* Posting lists ascend, so the next document is seldom far away. */
static bool counts_find_row(MeaningCounts *counts, int64_t document, guint *row_r)
{
	const int64_t *ids = (const int64_t *)(const void *)counts->documents->data;
	guint n = counts->documents->len, low = counts->hint, step = 1;
	if (low >= n || ids[low] > document)
		low = 0;
	while (low + step < n && ids[low + step] <= document) {
		low += step;
		step *= 2;
	}
	guint high = MIN(low + step, n);
	while (low + 1 < high) {
		guint middle = (low + high) / 2;
		if (ids[middle] <= document)
			low = middle;
		else
			high = middle;
	}
	counts->hint = low;
	*row_r = low;
	return low < n && ids[low] == document;
}

/* Fibonacci hashing: neighbours, which are often of one directory, are spread. */
static bool counts_in_sample(const MeaningCounts *counts, uint32_t row)
{
	return (uint64_t)(row * 2654435769U) >> (32 - counts->halvings) == 0;
}

static size_t counts_begin(const MeaningCounts *counts, guint word)
{
	return word < counts->begins->len ? g_array_index(counts->begins, size_t, word)
	                                  : counts->n_entries;
}

/* Keeps the words in enough documents, and of their entries those of the sample. */
static void counts_filter(MeaningCounts *counts)
{
	guint kept = 0;
	size_t to = 0, end = 0;
	for (guint i = 0; i < counts->words->len; i++) {
		size_t from = i == 0 ? 0 : end;
		CountedWord word = g_array_index(counts->words, CountedWord, i);
		end = counts_begin(counts, i + 1);
		bool unknown = counts->open && i + 1 == counts->words->len;
		if (!unknown && word.documents < counts->least_documents)
			continue;
		g_array_index(counts->words, CountedWord, kept) = word;
		g_array_index(counts->begins, size_t, kept++) = to;
		for (; from < end; from++)
			if (counts_in_sample(counts, counts->entries[from] >> 8))
				counts->entries[to++] = counts->entries[from];
	}
	g_array_set_size(counts->words, kept);
	g_array_set_size(counts->begins, kept);
	counts->n_entries = to;
}

/* Halves the sample until there is room for an entry. False: it cannot become smaller, since a
 * damaged index has a few documents too often. */
static bool counts_make_room(MeaningCounts *counts)
{
	enum { MOST_HALVINGS = 31 };
	while (counts->n_entries == counts->most_entries && counts->halvings < MOST_HALVINGS) {
		counts->halvings++;
		counts_filter(counts);
	}
	return counts->n_entries < counts->most_entries;
}

/* Raises the least number of documents of a word until no more than most words are left. */
static void counts_drop_rare(MeaningCounts *counts, unsigned most)
{
	while (counts->words->len > most) {
		counts->least_documents++;
		counts_filter(counts);
	}
}

/* ---- words */

/* So sums are rounded alike, in whatever segments the posting lists lie. */
static void counts_order_entries(MeaningCounts *counts)
{
	size_t begin = counts_begin(counts, counts->words->len - 1);
	if (counts->unordered)
		qsort(counts->entries + begin, counts->n_entries - begin, sizeof(uint32_t),
		        compare_uint32);
	counts->unordered = false;
}

static void counts_end_word(MeaningCounts *counts)
{
	guint last = counts->words->len - 1;
	counts_order_entries(counts);
	const CountedWord *word = &g_array_index(counts->words, CountedWord, last);
	bool common = word->documents > counts->documents->len / 2;
	counts->open = false;
	if (!common && word->documents >= counts->least_documents)
		return;
	counts->n_entries = g_array_index(counts->begins, size_t, last);
	g_array_set_size(counts->words, last);
	g_array_set_size(counts->begins, last);
}

void meaning_counts_word(MeaningCounts *counts, uint32_t hash)
{
	const CountedWord word = {hash, 0};
	if (counts->open)
		counts_end_word(counts);
	if (counts->words->len >= 2 * counts->most_words)
		counts_drop_rare(counts, counts->most_words);
	g_array_append_val(counts->begins, counts->n_entries);
	g_array_append_val(counts->words, word);
	counts->open = true;
	counts->hint = 0;
	counts->row = G_MAXUINT;
}

static void counts_append(MeaningCounts *counts, uint32_t row, unsigned frequency)
{
	enum { FIRST_ROOM = 1 << 16 };
	if (counts->n_entries == counts->room) {
		counts->room = MIN(MAX(2 * counts->room, FIRST_ROOM), counts->most_entries);
		counts->entries = g_renew(uint32_t, counts->entries, counts->room);
	}
	const uint32_t entry = row << 8 | frequency;
	if (counts->n_entries > counts_begin(counts, counts->words->len - 1))
		counts->unordered |= counts->entries[counts->n_entries - 1] > entry;
	counts->entries[counts->n_entries++] = entry;
}

void meaning_counts_document(MeaningCounts *counts, int64_t document, unsigned frequency)
{
	guint row;
	if (frequency == 0 || !counts_find_row(counts, document, &row) || row == counts->row)
		return;
	counts->row = row;
	g_array_index(counts->words, CountedWord, counts->words->len - 1).documents++;
	if (counts_make_room(counts) && row < SVD_MOST_ROWS && counts_in_sample(counts, row))
		counts_append(counts, row, MIN(frequency, 255));
}

void meaning_counts_end(MeaningCounts *counts)
{
	if (counts->open)
		counts_end_word(counts);
	counts_drop_rare(counts, counts->most_words);
}

/* ---- the matrix */

/* Gives the documents of the sample the numbers from 0 on; returns how many they are. */
static uint32_t counts_number_rows(MeaningCounts *counts)
{
	g_autofree uint32_t *numbers = g_new(uint32_t, counts->documents->len + 1);
	uint32_t n = 0;
	for (guint row = 0; row < counts->documents->len; row++)
		numbers[row] = counts_in_sample(counts, row) ? n++ : 0;
	for (size_t i = 0; i < counts->n_entries; i++)
		counts->entries[i] =
		        numbers[counts->entries[i] >> 8] << 8 | (counts->entries[i] & 0xff);
	return n;
}

/* A text has length 1, however long it is. */
static void counts_scale_rows(MeaningCounts *counts)
{
	const SvdMatrix *matrix = &counts->matrix;
	for (uint32_t column = 0; column < matrix->n_columns; column++)
		for (size_t i = matrix->begin[column]; i < matrix->begin[column + 1]; i++) {
			float entry = svd_frequency_weight(matrix->entries[i] & 0xff) *
			              matrix->column_scales[column];
			counts->row_scales[matrix->entries[i] >> 8] += entry * entry;
		}
	for (uint32_t row = 0; row < matrix->n_rows; row++)
		if (counts->row_scales[row] > 0)
			counts->row_scales[row] = 1 / sqrtf(counts->row_scales[row]);
}

const SvdMatrix *meaning_counts_matrix(MeaningCounts *counts)
{
	uint32_t n_rows = counts_number_rows(counts);
	counts->row_scales = g_new0(float, n_rows);
	counts->column_scales = g_new0(float, counts->words->len);
	for (guint i = 0; i < counts->words->len; i++) {
		const CountedWord *word = &g_array_index(counts->words, CountedWord, i);
		counts->column_scales[i] = logf((float)counts->documents->len / word->documents);
	}
	g_array_append_val(counts->begins, counts->n_entries);
	counts->matrix = (SvdMatrix){n_rows, counts->words->len,
	        (const size_t *)(const void *)counts->begins->data, counts->entries,
	        counts->row_scales, counts->column_scales};
	counts_scale_rows(counts);
	return &counts->matrix;
}

uint32_t meaning_counts_hash(const MeaningCounts *counts, uint32_t column)
{
	return g_array_index(counts->words, CountedWord, column).hash;
}
