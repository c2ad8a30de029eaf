/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vector.h - the direction of a text or a word in the space of a model
 *
 * Latent semantic analysis: S. Deerwester, S. Dumais, G. Furnas, T. Landauer, R. Harshman,
 * "Indexing by latent semantic analysis" (1990). Only the direction counts, so it is kept in 8 bits
 * for each dimension, the largest component being 127 or -127. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MEANING_DIMENSIONS = 32 };

typedef struct {
	int8_t at[MEANING_DIMENSIONS];
} MeaningVector;

/* Rounds a direction. Returns false if all components are 0, or one is not a number. */
bool meaning_vector_round(const float sum[MEANING_DIMENSIONS], MeaningVector *out);
/* The factor by which the components that meaning_vector_round() made are multiplied to give the
 * direction its length again. */
float meaning_vector_scale(const float sum[MEANING_DIMENSIONS]);
/* Is a component not 0? */
bool meaning_vector_is_set(const MeaningVector *vector);
/* Adds weight times a vector to a sum. */
void meaning_vector_add(float sum[MEANING_DIMENSIONS], const MeaningVector *vector, float weight);
/* The cosine of the angle between two directions; 0 if one of them has only zeros. */
double meaning_cosine(const MeaningVector *a, const MeaningVector *b);
