/* SPDX-License-Identifier: GPL-3.0-or-later */
/* svd.h - the largest singular vectors of a sparse matrix
 *
 * Randomised subspace iteration: N. Halko, P. G. Martinsson, J. A. Tropp, "Finding structure with
 * randomness: probabilistic algorithms for constructing approximate matrix decompositions" (2011),
 * algorithm 4.4. The result depends on the matrix and the seed alone. The work is done in steps, so
 * that something else can be done between them. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SVD_MOST_ROWS = 1 << 24, SVD_MOST_VECTORS = 120 };

/* Rows are documents, columns are words. The entry of a word that occurs f times in a document is
 * (1 + ln f) * row_scales[row] * column_scales[column]. */
typedef struct {
	uint32_t n_rows, n_columns;
	const size_t *begin; /* n_columns + 1: where the entries of each column begin */
	const uint32_t *entries; /* row << 8 | f; f from 1 to 255 */
	const float *row_scales, *column_scales;
} SvdMatrix;

/* Returns 1 + ln f, for f from 1 to 255; 0 for 0. */
float svd_frequency_weight(unsigned f);

typedef struct Svd Svd;
/* matrix must live as long as the result. vectors: at most SVD_MOST_VECTORS. */
Svd *svd_new(const SvdMatrix *matrix, unsigned vectors, uint64_t seed);
void svd_free(Svd *svd); /* NULL is allowed */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Svd, svd_free)
/* Does about as much work as `entries` entries of the matrix take. Returns false once all is done.
 */
bool svd_step(Svd *svd, size_t entries);
/* The right singular vectors, once all is done: the components of column c are at c * stride, the
 * first `vectors` of them, by descending singular value. Components beyond the rank of the matrix
 * are 0. It belongs to svd. */
const float *svd_vectors(const Svd *svd, unsigned *stride_r);
