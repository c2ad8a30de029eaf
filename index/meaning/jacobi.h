/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jacobi.h - eigenvalues and eigenvectors of a small symmetric matrix
 *
 * The cyclic Jacobi method: G. H. Golub, C. F. Van Loan, "Matrix computations" (2013), algorithm
 * 8.5.3. */
#pragma once

/* a: n * n numbers, symmetric; it is destroyed. Eigenvalues descend; column j of vectors belongs to
 * values[j]. */
void jacobi_eigen(double *a, unsigned n, double *values, double *vectors);
