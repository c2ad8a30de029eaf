/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/meaning/vector.h"
#include <glib.h>
#include <math.h>

enum { LARGEST = 127 };

/* 0 if a component is not a number. */
static float vector_largest(const float sum[MEANING_DIMENSIONS])
{
	float largest = 0;
	for (int i = 0; i < MEANING_DIMENSIONS; i++) {
		if (!isfinite(sum[i]))
			return 0;
		largest = MAX(largest, fabsf(sum[i]));
	}
	return largest;
}

bool meaning_vector_round(const float sum[MEANING_DIMENSIONS], MeaningVector *out)
{
	float largest = vector_largest(sum);
	if (!isnormal(largest))
		return false;
	for (int i = 0; i < MEANING_DIMENSIONS; i++)
		out->at[i] = lrintf(sum[i] / largest * LARGEST);
	return true;
}

float meaning_vector_scale(const float sum[MEANING_DIMENSIONS])
{
	return vector_largest(sum) / LARGEST;
}

bool meaning_vector_is_set(const MeaningVector *vector)
{
	for (int i = 0; i < MEANING_DIMENSIONS; i++)
		if (vector->at[i] != 0)
			return true;
	return false;
}

void meaning_vector_add(float sum[MEANING_DIMENSIONS], const MeaningVector *vector, float weight)
{
	for (int i = 0; i < MEANING_DIMENSIONS; i++)
		sum[i] += weight * vector->at[i];
}

double meaning_cosine(const MeaningVector *a, const MeaningVector *b)
{
	int product = 0, square_a = 0, square_b = 0;
	for (int i = 0; i < MEANING_DIMENSIONS; i++) {
		product += a->at[i] * b->at[i];
		square_a += a->at[i] * a->at[i];
		square_b += b->at[i] * b->at[i];
	}
	return product == 0 ? 0 : product / sqrt((double)square_a * square_b);
}
