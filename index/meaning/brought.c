/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/meaning/brought.h"
#include "common/base/autofd.h"
#include "common/base/i18n.h"
#include "index/meaning/model.h"
#include "index/meaning/word-file.h"
#include "index/store/db.h"
#include "index/text/tokenizer.h"
#include <errno.h>
#include <float.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

enum {
	BROUGHT_READ_BYTES = 2 << 20,
	BROUGHT_SLICE_PRODUCTS = 32 << 20,
	BROUGHT_SLICE_ENTRIES = 400 * 1000
};
/* More directions than are kept make those that are kept exact sooner. */
enum { BROUGHT_WIDTH = MEANING_DIMENSIONS + 8, BROUGHT_ITERATIONS = 16, BROUGHT_LARGEST = 127 };
static const double brought_negligible = 1e-9;

typedef enum {
	BROUGHT_READ,
	BROUGHT_COVARIANCE,
	BROUGHT_DIRECTIONS,
	BROUGHT_PROJECT,
	BROUGHT_TO_DOCUMENTS,
	BROUGHT_FROM_DOCUMENTS,
	BROUGHT_DONE
} BroughtStage;

struct BroughtVectors {
	int fd;
	const SvdMatrix *matrix;
	BroughtColumn column;
	void *data;
	BroughtStage stage;
	size_t at; /* the next item of the stage */
	WordFile *file;
	char *buffer; /* of BROUGHT_READ_BYTES */
	uint32_t wanted; /* the column of the word whose numbers come next */
	unsigned dimensions;
	GArray *columns; /* uint32_t: of each row that was read */
	GByteArray *rows; /* int8_t, `dimensions` for each */
	bool *known; /* of each column: the file has it */
	double *mean, *covariance,
	        *directions; /* D; D * D; BROUGHT_WIDTH * D, a direction after the other */
	float *vectors; /* MEANING_DIMENSIONS for each column */
	float *documents; /* the same for each row of the matrix */
	unsigned words;
};

/* ---- the file */

typedef struct {
	uint32_t hash;
	unsigned terms;
} BroughtTerm;

static int brought_note_term(void *data, const char *token, int length, int start, int end)
{
	BroughtTerm *term = data;
	(void)start, (void)end;
	term->hash = meaning_hash(token, length);
	return ++term->terms > 1;
}

/* A word that is several terms of the index has no direction. Of two words of one term, the first
 * counts: such files begin with the most frequent words. */
static bool brought_wants(void *data, const char *word, size_t length)
{
	BroughtVectors *brought = data;
	BroughtTerm term = {0, 0};
	if (length > 4 * TOKEN_MAX_BYTES)
		return false;
	tokenize(word, length, brought_note_term, &term);
	int64_t column = term.terms == 1 ? brought->column(brought->data, term.hash) : -1;
	if (column < 0 || brought->known[column])
		return false;
	brought->wanted = column;
	return true;
}

static void brought_take(void *data, const float *numbers, unsigned n)
{
	BroughtVectors *brought = data;
	float largest = 0;
	int8_t row[WORD_FILE_MOST_DIMENSIONS];
	for (unsigned i = 0; i < n; i++)
		largest = MAX(largest, fabsf(numbers[i]));
	if (!isnormal(largest))
		return;
	for (unsigned i = 0; i < n; i++)
		row[i] = lrintf(numbers[i] / largest * BROUGHT_LARGEST);
	brought->dimensions = n;
	brought->known[brought->wanted] = true;
	g_array_append_val(brought->columns, brought->wanted);
	g_byte_array_append(brought->rows, (const uint8_t *)row, n);
}

static const WordFileFuncs brought_funcs = {brought_wants, brought_take};

BroughtVectors *brought_new(int fd, const SvdMatrix *matrix, BroughtColumn column, void *data)
{
	BroughtVectors *brought = g_new0(BroughtVectors, 1);
	brought->fd = fd;
	brought->matrix = matrix;
	brought->column = column;
	brought->data = data;
	brought->file = word_file_new(&brought_funcs, brought);
	brought->buffer = g_malloc(BROUGHT_READ_BYTES);
	brought->columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	brought->rows = g_byte_array_new();
	brought->known = g_new0(bool, matrix->n_columns);
	return brought;
}

void brought_free(BroughtVectors *brought)
{
	if (!brought)
		return;
	close(brought->fd);
	word_file_free(brought->file);
	g_free(brought->buffer);
	g_array_unref(brought->columns);
	g_byte_array_unref(brought->rows);
	g_free(brought->known);
	g_free(brought->mean);
	g_free(brought->covariance);
	g_free(brought->directions);
	g_free(brought->vectors);
	g_free(brought->documents);
	g_free(brought);
}

static void brought_next_stage(BroughtVectors *brought)
{
	brought->stage++;
	brought->at = 0;
}

static bool brought_refuse(GError **error, const char *why)
{
	g_set_error_literal(error, INDEX_ERROR, INDEX_ERROR_OTHER, why);
	return false;
}

static bool brought_end_file(BroughtVectors *brought, GError **error)
{
	if (!word_file_end(brought->file, error))
		return false;
	if (brought->columns->len == 0)
		return brought_refuse(error, _("it has no word of the index"));
	const size_t d = brought->dimensions;
	g_clear_pointer(&brought->buffer, g_free);
	brought->mean = g_new0(double, d);
	brought->covariance = g_new0(double, d *d);
	brought_next_stage(brought);
	return true;
}

static bool brought_read(BroughtVectors *brought, GError **error)
{
	ssize_t n;
	do
		n = read(brought->fd, brought->buffer, BROUGHT_READ_BYTES);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return brought_refuse(error, g_strerror(errno));
	return n > 0 ? word_file_feed(brought->file, brought->buffer, n, error)
	             : brought_end_file(brought, error);
}

/* ---- principal components */

/* A row with length 1. */
static void brought_unit(const BroughtVectors *brought, size_t row, double *out)
{
	const unsigned d = brought->dimensions;
	const int8_t *at = (const int8_t *)brought->rows->data + row * d;
	double square = 0;
	for (unsigned i = 0; i < d; i++)
		square += at[i] * at[i];
	for (unsigned i = 0; i < d; i++)
		out[i] = at[i] / sqrt(square);
}

static void brought_end_covariance(BroughtVectors *brought)
{
	const unsigned d = brought->dimensions, n = brought->columns->len;
	for (unsigned i = 0; i < d; i++)
		brought->mean[i] /= n;
	for (unsigned i = 0; i < d; i++)
		for (unsigned j = 0; j <= i; j++) {
			double value = brought->covariance[i * d + j] / n -
			               brought->mean[i] * brought->mean[j];
			brought->covariance[i * d + j] = brought->covariance[j * d + i] = value;
		}
	brought->directions = g_new(double, BROUGHT_WIDTH *d);
	uint32_t random = 1;
	for (unsigned i = 0; i < BROUGHT_WIDTH * d; i++) {
		random = random * 1664525 + 1013904223; /* any signs will do */
		brought->directions[i] = random >> 31 ? 1 : -1;
	}
	brought_next_stage(brought);
}

static void brought_covariance(BroughtVectors *brought)
{
	const unsigned d = brought->dimensions;
	double unit[WORD_FILE_MOST_DIMENSIONS];
	for (size_t left = BROUGHT_SLICE_PRODUCTS;
	        brought->at < brought->columns->len && left >= (size_t)d * d;
	        left -= (size_t)d * d) {
		brought_unit(brought, brought->at++, unit);
		for (unsigned i = 0; i < d; i++) {
			brought->mean[i] += unit[i];
			for (unsigned j = 0; j <= i; j++)
				brought->covariance[i * d + j] += unit[i] * unit[j];
		}
	}
	if (brought->at == brought->columns->len)
		brought_end_covariance(brought);
}

static double brought_product(const double *a, const double *b, unsigned n)
{
	double sum = 0;
	for (unsigned i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

/* Gram and Schmidt, twice because of rounding. A direction that depends on those before becomes 0.
 */
static void brought_make_orthonormal(double *directions, unsigned d)
{
	for (unsigned k = 0; k < BROUGHT_WIDTH; k++) {
		double *one = directions + (size_t)k * d, before = brought_product(one, one, d);
		for (int again = 0; again < 2; again++)
			for (unsigned other = 0; other < k; other++) {
				const double *with = directions + (size_t)other * d;
				double share = brought_product(one, with, d);
				for (unsigned i = 0; i < d; i++)
					one[i] -= share * with[i];
			}
		double square = brought_product(one, one, d);
		double scale = square > before * brought_negligible && square > DBL_MIN
		                       ? 1 / sqrt(square)
		                       : 0;
		for (unsigned i = 0; i < d; i++)
			one[i] *= scale;
	}
}

static void brought_iterate(BroughtVectors *brought)
{
	const unsigned d = brought->dimensions;
	g_autofree double *turned = g_new(double, BROUGHT_WIDTH *d);
	for (unsigned k = 0; k < BROUGHT_WIDTH; k++)
		for (unsigned i = 0; i < d; i++)
			turned[k * d + i] = brought_product(brought->covariance + (size_t)i * d,
			        brought->directions + (size_t)k * d, d);
	brought_make_orthonormal(turned, d);
	memcpy(brought->directions, turned, sizeof *turned * BROUGHT_WIDTH * d);
	if (++brought->at < BROUGHT_ITERATIONS)
		return;
	brought->vectors = g_new0(float, (size_t)brought->matrix->n_columns *MEANING_DIMENSIONS);
	brought_next_stage(brought);
}

/* ---- words and documents */

/* Returns false if nothing is left of it. */
static bool brought_make_unit(float *vector)
{
	double square = 0;
	for (int i = 0; i < MEANING_DIMENSIONS; i++)
		square += (double)vector[i] * vector[i];
	double scale = square > brought_negligible ? 1 / sqrt(square) : 0;
	for (int i = 0; i < MEANING_DIMENSIONS; i++)
		vector[i] *= scale;
	return scale > 0;
}

static bool brought_project(BroughtVectors *brought, GError **error)
{
	const unsigned d = brought->dimensions;
	double unit[WORD_FILE_MOST_DIMENSIONS];
	for (size_t left = BROUGHT_SLICE_PRODUCTS;
	        brought->at < brought->columns->len && left >= MEANING_DIMENSIONS * d;
	        left -= MEANING_DIMENSIONS * d) {
		uint32_t column = g_array_index(brought->columns, uint32_t, brought->at);
		float *vector = brought->vectors + (size_t)column * MEANING_DIMENSIONS;
		brought_unit(brought, brought->at++, unit);
		for (unsigned i = 0; i < d; i++)
			unit[i] -= brought->mean[i];
		for (unsigned k = 0; k < MEANING_DIMENSIONS; k++)
			vector[k] = brought_product(unit, brought->directions + (size_t)k * d, d);
		brought->known[column] = brought_make_unit(vector);
		brought->words += brought->known[column];
	}
	if (brought->at < brought->columns->len)
		return true;
	if (brought->words == 0)
		return brought_refuse(error, _("the words of the index do not differ in it"));
	g_byte_array_set_size(brought->rows, 0);
	brought->documents = g_new0(float, (size_t)brought->matrix->n_rows *MEANING_DIMENSIONS);
	brought_next_stage(brought);
	return true;
}

static void brought_add(float *to, const float *from, float weight)
{
	for (int i = 0; i < MEANING_DIMENSIONS; i++)
		to[i] += weight * from[i];
}

/* Adds the words that the file has to the documents, or the documents to the words that it lacks.
 */
static size_t brought_spread(BroughtVectors *brought, size_t column, bool to_documents)
{
	const SvdMatrix *matrix = brought->matrix;
	float *word = brought->vectors + column * MEANING_DIMENSIONS;
	if (brought->known[column] != to_documents)
		return 1;
	for (size_t i = matrix->begin[column]; i < matrix->begin[column + 1]; i++) {
		uint32_t row = matrix->entries[i] >> 8;
		float *document = brought->documents + (size_t)row * MEANING_DIMENSIONS;
		float weight =
		        svd_frequency_weight(matrix->entries[i] & 0xff) * matrix->row_scales[row];
		if (to_documents)
			brought_add(document, word, weight * matrix->column_scales[column]);
		else
			brought_add(word, document, weight);
	}
	if (!to_documents)
		brought_make_unit(word);
	return matrix->begin[column + 1] - matrix->begin[column] + 1;
}

static void brought_spread_slice(BroughtVectors *brought, bool to_documents)
{
	const SvdMatrix *matrix = brought->matrix;
	for (size_t done = 0; done < BROUGHT_SLICE_ENTRIES && brought->at < matrix->n_columns;)
		done += brought_spread(brought, brought->at++, to_documents);
	if (brought->at < matrix->n_columns)
		return;
	for (uint32_t row = 0; to_documents && row < matrix->n_rows; row++)
		brought_make_unit(brought->documents + (size_t)row * MEANING_DIMENSIONS);
	brought_next_stage(brought);
}

bool brought_step(BroughtVectors *brought, bool *more_r, GError **error)
{
	bool ok = true;
	if (brought->stage == BROUGHT_READ)
		ok = brought_read(brought, error);
	else if (brought->stage == BROUGHT_COVARIANCE)
		brought_covariance(brought);
	else if (brought->stage == BROUGHT_DIRECTIONS)
		brought_iterate(brought);
	else if (brought->stage == BROUGHT_PROJECT)
		ok = brought_project(brought, error);
	else if (brought->stage < BROUGHT_DONE)
		brought_spread_slice(brought, brought->stage == BROUGHT_TO_DOCUMENTS);
	*more_r = ok && brought->stage != BROUGHT_DONE;
	return ok;
}

const float *brought_vectors(const BroughtVectors *brought)
{
	return brought->vectors;
}

unsigned brought_words(const BroughtVectors *brought)
{
	return brought->words;
}
