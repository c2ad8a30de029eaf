/* SPDX-License-Identifier: GPL-3.0-or-later */
/* word-sums.h - the vector of one new document, from its terms */
#pragma once
#include "index/meaning/model.h"
#include "index/text/terms.h"

/* Of each column, so many words tell the subject: those of a long book. A document of millions of
 * words would otherwise keep everything that was just saved waiting. */
enum { WORD_SUMS_MOST = 200 * 1000 };

/* Adds up the vectors of the words of a document, with the weights of the training. Returns false
 * if the model has none of them. */
bool meaning_fold_in(const MeaningModel *model, const Terms *terms, MeaningVector *out);
/* The same for one stream of terms (index/text/terms.h), which may be damaged. */
bool meaning_fold_in_stream(
        const MeaningModel *model, const void *stream, size_t length, MeaningVector *out);
