/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-svd.c - singular vectors against a dense reference, and what they promise */
#include <config.h>
#include "index/meaning/jacobi.h"
#include "index/meaning/svd.h"
#include <math.h>
#include <string.h>

enum { MOST_ROWS = 60, MOST_COLUMNS = 40 };

typedef struct {
	SvdMatrix matrix;
	size_t begin[MOST_COLUMNS + 1];
	uint32_t entries[MOST_ROWS * MOST_COLUMNS];
	float row_scales[MOST_ROWS], column_scales[MOST_COLUMNS];
	double dense[MOST_ROWS][MOST_COLUMNS];
} TestMatrix;

/* A matrix of groups of words and documents, with chance entries between the groups. groups 0: no
 * entries. */
static void make_matrix(TestMatrix *test, unsigned rows, unsigned columns, unsigned groups)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(11);
	size_t n = 0;
	memset(test, 0, sizeof *test);
	for (unsigned r = 0; r < rows; r++)
		test->row_scales[r] = 1.0f / (1 + r % 3);
	for (unsigned c = 0; c < columns; c++) {
		test->begin[c] = n;
		test->column_scales[c] = 1 + c % 4 * 0.5f;
		for (unsigned r = 0; r < rows && groups > 0; r++) {
			unsigned f = r % groups == c % groups      ? g_rand_int_range(random, 1, 9)
			             : g_rand_double(random) < 0.1 ? 1
			                                           : 0;
			if (f == 0)
				continue;
			test->entries[n++] = r << 8 | f;
			test->dense[r][c] =
			        (1 + log(f)) * test->row_scales[r] * test->column_scales[c];
		}
	}
	test->begin[columns] = n;
	test->matrix = (SvdMatrix){
	        rows, columns, test->begin, test->entries, test->row_scales, test->column_scales};
}

static Svd *decompose(const TestMatrix *test, unsigned vectors, size_t slice)
{
	Svd *svd = svd_new(&test->matrix, vectors, 1);
	while (svd_step(svd, slice))
		;
	return svd;
}

static double component(const Svd *svd, unsigned column, unsigned vector)
{
	unsigned stride;
	const float *vectors = svd_vectors(svd, &stride);
	return vectors[column * stride + vector];
}

/* The largest singular values by the power method with deflation: slow, and another method. */
static void find_values(TestMatrix *test, unsigned n, double *values)
{
	const unsigned rows = test->matrix.n_rows, columns = test->matrix.n_columns;
	for (unsigned k = 0; k < n; k++) {
		double v[MOST_COLUMNS], u[MOST_ROWS], norm = 0;
		for (unsigned c = 0; c < columns; c++)
			v[c] = cos(c * c + k);
		for (unsigned i = 0; i < 2000; i++) {
			double length = 0;
			norm = 0;
			memset(u, 0, sizeof u);
			for (unsigned r = 0; r < rows; r++)
				for (unsigned c = 0; c < columns; c++)
					u[r] += test->dense[r][c] * v[c];
			for (unsigned r = 0; r < rows; r++)
				norm += u[r] * u[r];
			memset(v, 0, sizeof v);
			for (unsigned r = 0; r < rows; r++)
				for (unsigned c = 0; c < columns; c++)
					v[c] += test->dense[r][c] * u[r];
			for (unsigned c = 0; c < columns; c++)
				length += v[c] * v[c];
			for (unsigned c = 0; c < columns; c++)
				v[c] /= sqrt(length);
		}
		values[k] = sqrt(norm);
		for (unsigned r = 0; r < rows; r++)
			for (unsigned c = 0; c < columns; c++)
				test->dense[r][c] -= u[r] * v[c];
	}
}

/* The sum of the squares of what the first vectors leave of the matrix. */
static double error_of(const TestMatrix *test, const Svd *svd, unsigned vectors)
{
	double error = 0;
	for (unsigned r = 0; r < test->matrix.n_rows; r++) {
		double left[MOST_COLUMNS];
		memcpy(left, test->dense[r], sizeof left);
		for (unsigned k = 0; k < vectors; k++) {
			double projection = 0;
			for (unsigned c = 0; c < test->matrix.n_columns; c++)
				projection += test->dense[r][c] * component(svd, c, k);
			for (unsigned c = 0; c < test->matrix.n_columns; c++)
				left[c] -= projection * component(svd, c, k);
		}
		for (unsigned c = 0; c < test->matrix.n_columns; c++)
			error += left[c] * left[c];
	}
	return error;
}

/* The length of the matrix times a singular vector, which is its singular value. */
static double value_of(const TestMatrix *test, const Svd *svd, unsigned vector)
{
	double squares = 0;
	for (unsigned r = 0; r < test->matrix.n_rows; r++) {
		double product = 0;
		for (unsigned c = 0; c < test->matrix.n_columns; c++)
			product += test->dense[r][c] * component(svd, c, vector);
		squares += product * product;
	}
	return sqrt(squares);
}

static void test_as_reference(void)
{
	enum { VECTORS = 5 };
	g_autofree TestMatrix *test = g_new(TestMatrix, 1);
	double values[VECTORS], found[VECTORS], kept = 0, all = 0;
	make_matrix(test, MOST_ROWS, MOST_COLUMNS, VECTORS);
	g_autoptr(Svd) svd = decompose(test, VECTORS, 100);
	double error = error_of(test, svd, VECTORS);
	for (unsigned r = 0; r < MOST_ROWS; r++)
		for (unsigned c = 0; c < MOST_COLUMNS; c++)
			all += test->dense[r][c] * test->dense[r][c];
	for (unsigned k = 0; k < VECTORS; k++)
		found[k] = value_of(test, svd, k);
	find_values(test, VECTORS, values);
	for (unsigned k = 0; k < VECTORS; k++) {
		g_assert_cmpfloat_with_epsilon(found[k], values[k], 1e-4 * values[0]);
		kept += values[k] * values[k];
	}
	/* No matrix of this rank leaves less (Eckart, Young 1936). */
	g_assert_cmpfloat(error, <=, (all - kept) * 1.001);
	g_assert_cmpfloat(error, <, all / 4);
}

static void test_orthonormal(void)
{
	enum { VECTORS = 12 };
	g_autofree TestMatrix *test = g_new(TestMatrix, 1);
	make_matrix(test, 50, 30, 4);
	g_autoptr(Svd) svd = decompose(test, VECTORS, 1000);
	for (unsigned i = 0; i < VECTORS; i++)
		for (unsigned j = 0; j <= i; j++) {
			double product = 0;
			for (unsigned c = 0; c < 30; c++)
				product += component(svd, c, i) * component(svd, c, j);
			g_assert_cmpfloat_with_epsilon(product, i == j, 1e-4);
		}
}

static void test_slices_change_nothing(void)
{
	g_autofree TestMatrix *test = g_new(TestMatrix, 1);
	make_matrix(test, 40, 30, 3);
	g_autoptr(Svd) fine = decompose(test, 4, 1), coarse = decompose(test, 4, 1 << 30);
	for (unsigned c = 0; c < 30; c++)
		for (unsigned k = 0; k < 4; k++)
			g_assert_cmpfloat(component(fine, c, k), ==, component(coarse, c, k));
}

/* Components beyond the rank are 0, and no value is NaN. */
static void test_low_rank(void)
{
	static const struct {
		unsigned rows, columns, groups;
	} cases[] = {{1, 1, 1}, {1, 5, 1}, {5, 1, 1}, {3, 20, 1}, {5, 5, 0}, {0, 0, 0}, {4, 0, 0}};
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree TestMatrix *test = g_new(TestMatrix, 1);
		make_matrix(test, cases[i].rows, cases[i].columns, cases[i].groups);
		g_autoptr(Svd) svd = decompose(test, 8, 7);
		unsigned rank = MIN(cases[i].rows, cases[i].columns);
		for (unsigned c = 0; c < cases[i].columns; c++)
			for (unsigned k = 0; k < 8; k++) {
				g_assert_true(isfinite(component(svd, c, k)));
				if (k >= rank)
					g_assert_cmpfloat(component(svd, c, k), ==, 0);
			}
		g_assert_cmpfloat_with_epsilon(error_of(test, svd, 8), 0, 1e-6);
	}
}

static void test_jacobi(void)
{
	double a[] = {2, 1, 0, 1, 2, 0, 0, 0, 5}, values[3], vectors[9];
	jacobi_eigen(a, 3, values, vectors);
	g_assert_cmpfloat_with_epsilon(values[0], 5, 1e-12);
	g_assert_cmpfloat_with_epsilon(values[1], 3, 1e-12);
	g_assert_cmpfloat_with_epsilon(values[2], 1, 1e-12);
	g_assert_cmpfloat_with_epsilon(fabs(vectors[2 * 3 + 0]), 1, 1e-12);
	g_assert_cmpfloat_with_epsilon(vectors[0 * 3 + 1], vectors[1 * 3 + 1], 1e-12);
	g_assert_cmpfloat_with_epsilon(vectors[0 * 3 + 2], -vectors[1 * 3 + 2], 1e-12);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/svd/jacobi", test_jacobi);
	g_test_add_func("/svd/as-reference", test_as_reference);
	g_test_add_func("/svd/orthonormal", test_orthonormal);
	g_test_add_func("/svd/slices", test_slices_change_nothing);
	g_test_add_func("/svd/low-rank", test_low_rank);
	return g_test_run();
}
