/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/meaning/jacobi.h"
#include <float.h>
#include <math.h>
#include <stdbool.h>

/* It converges quadratically; ten sweeps are many. */
enum { MOST_SWEEPS = 30 };

typedef struct {
	double cosine, sine;
} JacobiRotation;

/* The rotation that makes a[p][q] zero. */
static JacobiRotation jacobi_rotation(const double *a, unsigned n, unsigned p, unsigned q)
{
	double theta = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
	double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
	double cosine = 1 / sqrt(t * t + 1);
	return (JacobiRotation){cosine, t * cosine};
}

static void rotate_pair(double *x, double *y, JacobiRotation rotation)
{
	double first = *x, second = *y;
	*x = rotation.cosine * first - rotation.sine * second;
	*y = rotation.sine * first + rotation.cosine * second;
}

static void jacobi_rotate(double *a, double *vectors, unsigned n, unsigned p, unsigned q)
{
	JacobiRotation rotation = jacobi_rotation(a, n, p, q);
	for (unsigned i = 0; i < n; i++)
		rotate_pair(&a[i * n + p], &a[i * n + q], rotation);
	for (unsigned i = 0; i < n; i++)
		rotate_pair(&a[p * n + i], &a[q * n + i], rotation);
	for (unsigned i = 0; i < n; i++)
		rotate_pair(&vectors[i * n + p], &vectors[i * n + q], rotation);
}

/* Returns false once nothing was left to rotate. */
static bool jacobi_sweep(double *a, double *vectors, unsigned n)
{
	bool rotated = false;
	for (unsigned p = 0; p < n; p++)
		for (unsigned q = p + 1; q < n; q++) {
			double scale = sqrt(fabs(a[p * n + p] * a[q * n + q]));
			if (fabs(a[p * n + q]) <= DBL_EPSILON * scale || a[p * n + q] == 0)
				continue;
			jacobi_rotate(a, vectors, n, p, q);
			rotated = true;
		}
	return rotated;
}

static void swap_columns(double *vectors, unsigned n, unsigned i, unsigned j)
{
	for (unsigned row = 0; row < n; row++) {
		double kept = vectors[row * n + i];
		vectors[row * n + i] = vectors[row * n + j];
		vectors[row * n + j] = kept;
	}
}

static void jacobi_sort(double *values, double *vectors, unsigned n)
{
	for (unsigned i = 0; i + 1 < n; i++) {
		unsigned largest = i;
		for (unsigned j = i + 1; j < n; j++)
			largest = values[j] > values[largest] ? j : largest;
		double kept = values[i];
		values[i] = values[largest];
		values[largest] = kept;
		if (largest != i)
			swap_columns(vectors, n, i, largest);
	}
}

void jacobi_eigen(double *a, unsigned n, double *values, double *vectors)
{
	for (unsigned i = 0; i < n * n; i++)
		vectors[i] = i / n == i % n;
	for (unsigned sweep = 0; sweep < MOST_SWEEPS && jacobi_sweep(a, vectors, n); sweep++)
		;
	for (unsigned i = 0; i < n; i++)
		values[i] = a[i * n + i];
	jacobi_sort(values, vectors, n);
}
