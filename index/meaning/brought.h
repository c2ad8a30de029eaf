/* SPDX-License-Identifier: GPL-3.0-or-later */
/* brought.h - directions of words by vectors that a person brings
 *
 * Of a file of word vectors (word-file.h), those of the words of the index are kept, in 8 bits for
 * each dimension. Their mean is taken from them, which all of them share (J. Mu, P. Viswanath,
 * "All-but-the-top: simple and effective postprocessing for word representations", 2018), and they
 * are projected to the MEANING_DIMENSIONS directions in which they differ most: the principal
 * components, by orthogonal iteration (G. H. Golub, C. F. Van Loan, "Matrix computations", 2013,
 * section 8.2.4). A word of the index that the file lacks gets the direction of the documents that
 * have it. The result depends on the file and the matrix alone. Memory: at most 512 bytes for each
 * word, 128 for each document, 3 MiB. */
#pragma once
#include "index/meaning/svd.h"
#include "index/meaning/vector.h"

/* Returns the column of the matrix that a word belongs to, by its hash; a negative number: none. */
typedef int64_t (*BroughtColumn)(void *data, uint32_t hash);

typedef struct BroughtVectors BroughtVectors;
/* fd: a regular file, which is taken and read on from its place. matrix and data must live as long
 * as the result. */
BroughtVectors *brought_new(int fd, const SvdMatrix *matrix, BroughtColumn column, void *data);
void brought_free(BroughtVectors *brought); /* NULL is allowed */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(BroughtVectors, brought_free)
/* Does a slice of some ten milliseconds. *more_r: it is not done. False with an error that says
 * what is wrong with the file; then it can only be freed. */
bool brought_step(BroughtVectors *brought, bool *more_r, GError **error);
/* Once it is done: MEANING_DIMENSIONS components for each column, of length 1, or all 0. It belongs
 * to brought. */
const float *brought_vectors(const BroughtVectors *brought);
/* How many columns have a direction by the file. */
unsigned brought_words(const BroughtVectors *brought);
