/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stored.h - the model and the vectors that an index has, as a reader sees them
 *
 * Call these functions between reader_begin() and reader_end(): a training may replace both at
 * once. Each returns false with error. Damaged rows count as missing. */
#pragma once
#include "index/meaning/model.h"
#include "index/read/reader.h"

/* *learned_r: there is a model, and it is complete. */
bool stored_is_learned(Reader *r, bool *learned_r, GError **error);
/* Reads a part of the model, unless it was read before. */
bool stored_read_part(Reader *r, MeaningModel *model, unsigned part, GError **error);
/* Folds a stream of terms (index/text/terms.h) in. *known_r: the model has one of them. */
bool stored_fold_in(Reader *r, GBytes *stream, MeaningVector *out, bool *known_r, GError **error);
/* *known_r: the document has a vector. */
bool stored_vector(Reader *r, int64_t document, MeaningVector *out, bool *known_r, GError **error);

typedef struct {
	int64_t document;
	double likeness; /* the cosine of the angle between both directions */
} MeaningNeighbour;
/* Compares all vectors with one. Appends the documents whose likeness is at least so much, at most
 * STORED_MOST_NEIGHBOURS, the nearest of them, by document, ascending. */
enum { STORED_MOST_NEIGHBOURS = 10000 };
bool stored_neighbours(
        Reader *r, const MeaningVector *to, double least, GArray *out, GError **error);
