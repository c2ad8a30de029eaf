/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/meaning/svd.h"
#include "index/meaning/jacobi.h"
#include <math.h>
#include <string.h>

/* More vectors than are asked for make those that are asked for exact sooner, and so does each
 * iteration. With few iterations the order of hits depends on the seed. */
enum { SPARE_VECTORS = 8, ITERATIONS = 12, MOST_WIDTH = SVD_MOST_VECTORS + SPARE_VECTORS };
/* A direction that is so much weaker than the strongest is noise of rounding. */
static const double negligible = 1e-10;

/* One iteration: words to documents, made orthonormal, and back to words, made orthonormal. */
typedef enum {
	SVD_TO_ROWS,
	SVD_GRAM_ROWS,
	SVD_ROTATE_ROWS,
	SVD_TO_COLUMNS,
	SVD_GRAM_COLUMNS,
	SVD_ROTATE_COLUMNS,
	N_SVD_STAGES
} SvdStage;

struct Svd {
	const SvdMatrix *matrix;
	unsigned width, iterations_left;
	SvdStage stage;
	size_t at; /* the next row or column of the stage */
	float *rows, *columns; /* `width` components each */
	double gram[MOST_WIDTH * MOST_WIDTH], rotation[MOST_WIDTH * MOST_WIDTH];
	float weights[256];
};

float svd_frequency_weight(unsigned f)
{
	return f > 0 ? 1 + logf(f) : 0;
}

/* SplitMix64: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators"
 * (2014). */
static uint64_t svd_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

Svd *svd_new(const SvdMatrix *matrix, unsigned vectors, uint64_t seed)
{
	Svd *svd = g_new0(Svd, 1);
	g_assert(vectors > 0 && vectors <= SVD_MOST_VECTORS && matrix->n_rows <= SVD_MOST_ROWS);
	svd->matrix = matrix;
	svd->width = vectors + SPARE_VECTORS;
	svd->iterations_left = ITERATIONS;
	svd->rows = g_new0(float, (size_t)matrix->n_rows * svd->width);
	svd->columns = g_new(float, (size_t)matrix->n_columns * svd->width);
	for (size_t i = 0; i < (size_t)matrix->n_columns * svd->width; i++)
		svd->columns[i] = svd_random(&seed) >> 63 ? 1 : -1;
	for (unsigned f = 0; f < 256; f++)
		svd->weights[f] = svd_frequency_weight(f);
	return svd;
}

void svd_free(Svd *svd)
{
	if (!svd)
		return;
	g_free(svd->rows);
	g_free(svd->columns);
	g_free(svd);
}

/* ---- the stages; each returns how much work an item was */

static float svd_entry(const Svd *svd, size_t column, uint32_t entry)
{
	const SvdMatrix *matrix = svd->matrix;
	return svd->weights[entry & 0xff] * matrix->row_scales[entry >> 8] *
	       matrix->column_scales[column];
}

static size_t svd_column_to_rows(Svd *svd, size_t column)
{
	const SvdMatrix *matrix = svd->matrix;
	const unsigned width = svd->width;
	const float *from = svd->columns + column * width;
	for (size_t i = matrix->begin[column]; i < matrix->begin[column + 1]; i++) {
		float entry = svd_entry(svd, column, matrix->entries[i]);
		float *to = svd->rows + (size_t)(matrix->entries[i] >> 8) * width;
		for (unsigned j = 0; j < width; j++)
			to[j] += entry * from[j];
	}
	return matrix->begin[column + 1] - matrix->begin[column] + 1;
}

static size_t svd_column_from_rows(Svd *svd, size_t column)
{
	const SvdMatrix *matrix = svd->matrix;
	const unsigned width = svd->width;
	float *to = svd->columns + column * width;
	memset(to, 0, width * sizeof *to);
	for (size_t i = matrix->begin[column]; i < matrix->begin[column + 1]; i++) {
		float entry = svd_entry(svd, column, matrix->entries[i]);
		const float *from = svd->rows + (size_t)(matrix->entries[i] >> 8) * width;
		for (unsigned j = 0; j < width; j++)
			to[j] += entry * from[j];
	}
	return matrix->begin[column + 1] - matrix->begin[column] + 1;
}

static size_t svd_add_to_gram(Svd *svd, const float *item)
{
	const unsigned width = svd->width;
	for (unsigned i = 0; i < width; i++)
		for (unsigned j = 0; j <= i; j++)
			svd->gram[i * width + j] += (double)item[i] * item[j];
	return width / 2;
}

static size_t svd_rotate(const Svd *svd, float *item)
{
	const unsigned width = svd->width;
	double rotated[MOST_WIDTH] = {0};
	for (unsigned i = 0; i < width; i++)
		for (unsigned j = 0; j < width; j++)
			rotated[j] += item[i] * svd->rotation[i * width + j];
	for (unsigned j = 0; j < width; j++)
		item[j] = rotated[j];
	return width;
}

/* Finds by what the items must be multiplied so that their components become orthonormal, the
 * strongest first: their Gram matrix is R diag(L) R', so that it is R diag(L^-1/2). */
static void svd_find_rotation(Svd *svd)
{
	const unsigned width = svd->width;
	double values[MOST_WIDTH];
	for (unsigned i = 0; i < width; i++)
		for (unsigned j = 0; j < i; j++)
			svd->gram[j * width + i] = svd->gram[i * width + j];
	jacobi_eigen(svd->gram, width, values, svd->rotation);
	for (unsigned j = 0; j < width; j++) {
		bool kept = values[j] > values[0] * negligible;
		double scale = kept ? 1 / sqrt(values[j]) : 0;
		for (unsigned i = 0; i < width; i++)
			svd->rotation[i * width + j] *= scale;
	}
}

static size_t svd_do_item(Svd *svd, size_t at)
{
	float *row = svd->rows + at * svd->width, *column = svd->columns + at * svd->width;
	switch (svd->stage) {
	case SVD_TO_ROWS:
		return svd_column_to_rows(svd, at);
	case SVD_TO_COLUMNS:
		return svd_column_from_rows(svd, at);
	case SVD_GRAM_ROWS:
		return svd_add_to_gram(svd, row);
	case SVD_GRAM_COLUMNS:
		return svd_add_to_gram(svd, column);
	case SVD_ROTATE_ROWS:
		return svd_rotate(svd, row);
	default:
		return svd_rotate(svd, column);
	}
}

static size_t svd_stage_items(const Svd *svd)
{
	bool of_rows = svd->stage == SVD_GRAM_ROWS || svd->stage == SVD_ROTATE_ROWS;
	return of_rows ? svd->matrix->n_rows : svd->matrix->n_columns;
}

static void svd_next_stage(Svd *svd)
{
	if (svd->stage == SVD_GRAM_ROWS || svd->stage == SVD_GRAM_COLUMNS) {
		svd_find_rotation(svd);
		memset(svd->gram, 0, sizeof svd->gram);
	}
	svd->at = 0;
	if (++svd->stage < N_SVD_STAGES)
		return;
	svd->stage = SVD_TO_ROWS;
	if (--svd->iterations_left > 0 && svd->rows)
		memset(svd->rows, 0, (size_t)svd->matrix->n_rows * svd->width * sizeof *svd->rows);
}

bool svd_step(Svd *svd, size_t entries)
{
	for (size_t done = 0; svd->iterations_left > 0 && done < entries;) {
		if (svd->at == svd_stage_items(svd))
			svd_next_stage(svd);
		else
			done += svd_do_item(svd, svd->at++);
	}
	return svd->iterations_left > 0;
}

const float *svd_vectors(const Svd *svd, unsigned *stride_r)
{
	*stride_r = svd->width;
	return svd->columns;
}
