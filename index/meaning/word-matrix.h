/* SPDX-License-Identifier: GPL-3.0-or-later */
/* word-matrix.h - which word is how often in which document, collected word by word within a bound
 * of memory
 *
 * If there are more than MEANING_MOST_ENTRIES, half of the documents are dropped, by their hash; if
 * there are more words than a model holds, the rarest are. */
#pragma once
#include "index/meaning/svd.h"

enum { MEANING_MOST_ENTRIES = 8 << 20, MEANING_LEAST_DOCUMENTS_OF_WORD = 3 };

typedef struct MeaningCounts MeaningCounts;

/* documents: int64_t, ascending; it must live as long as the result. most_entries:
 * MEANING_MOST_ENTRIES; less in tests. */
MeaningCounts *meaning_counts_new(
        const GArray *documents, size_t most_entries, unsigned most_words);
void meaning_counts_free(MeaningCounts *counts); /* NULL is allowed */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MeaningCounts, meaning_counts_free)

/* Begins a word. Its documents may come in any order, each once, and the order changes nothing;
 * ascending order is fast. Others than those of the list are ignored, and so are the frequency 0
 * and a document that comes again at once. A damaged index may repeat documents without end: then
 * the counts are wrong, but stay within their bounds. */
void meaning_counts_word(MeaningCounts *counts, uint32_t hash);
void meaning_counts_document(MeaningCounts *counts, int64_t document, unsigned frequency);
/* Ends the last word. Words in too few documents, or in more than half of them, are dropped. */
void meaning_counts_end(MeaningCounts *counts);

/* The collected counts, with the words weighted by ln(documents / documents with the word) and the
 * length of each document 1. It belongs to counts. Call it once, after meaning_counts_end(). */
const SvdMatrix *meaning_counts_matrix(MeaningCounts *counts);
uint32_t meaning_counts_hash(const MeaningCounts *counts, uint32_t column);
