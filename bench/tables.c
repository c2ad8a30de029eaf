/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tables.c - finding all simhashes within k bits, by permuted tables and by a pass over all prints
 *
 * tables [N]: N (a million) random fingerprints of 64 bits. They are cut into m blocks, of which at
 * most k differ, so m - k are equal. There is a table for each choice of m - k blocks, sorted by
 * these bits: one prefix search in each table finds all candidates (Manku, Jain, Das Sarma,
 * "Detecting near-duplicates for web crawling", WWW 2007). This makes C(m, k) tables. Prints for
 * some k and m: the number of tables, bits of the prefix, size of all tables (8 bytes a fingerprint
 * and 4 for its number), candidates and time of a look-up. If there are more than MEASURED tables,
 * some are measured and the result is scaled up. The last line is the pass over all. */
#include <config.h>
#include "index/text/near.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MEASURED = 20, LOOKUPS = 1000 };

typedef struct {
	uint64_t print; /* permuted */
	uint32_t item;
} Row;

static double now_s(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

static uint64_t random_bits(void)
{
	return (uint64_t)g_random_int() << 32 | g_random_int();
}

static unsigned block_begin(unsigned block, unsigned blocks)
{
	return 64 * block / blocks;
}

/* Moves the chosen blocks to the front. Returns the bits of the chosen blocks. */
static unsigned permute(const uint8_t *chosen, unsigned blocks, uint64_t print, uint64_t *out)
{
	unsigned front = 0;
	*out = 0;
	for (int pass = 1; pass >= 0; pass--) {
		for (unsigned b = 0; b < blocks; b++) {
			unsigned from = block_begin(b, blocks),
			         n = block_begin(b + 1, blocks) - from;
			if (chosen[b] != pass)
				continue;
			*out = (n == 64 ? 0 : *out << n) |
			       (print >> from & (UINT64_MAX >> (64 - n)));
			front += pass ? n : 0;
		}
	}
	return front;
}

/* The next choice of the same number of blocks; false: there is none. */
static bool next_choice(uint8_t *chosen, unsigned blocks)
{
	unsigned ones = 0;
	for (unsigned i = blocks - 1; i > 0; i--) {
		if (chosen[i - 1] && !chosen[i]) {
			chosen[i - 1] = 0;
			memset(chosen + i, 0, blocks - i);
			memset(chosen + i, 1, ones + 1);
			return true;
		}
		ones += chosen[i];
	}
	return false;
}

static int compare_rows(const void *a, const void *b)
{
	uint64_t x = ((const Row *)a)->print, y = ((const Row *)b)->print;
	return (x > y) - (x < y);
}

static uint32_t lower_bound(const Row *rows, uint32_t n, uint64_t print)
{
	uint32_t low = 0, high = n;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (rows[middle].print < print)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Candidates of one look-up; *near counts those within k bits. */
static uint64_t look_up(
        const Row *rows, uint32_t n, uint64_t print, unsigned front, unsigned k, uint64_t *near)
{
	uint64_t low = print & (UINT64_MAX << (64 - front)), candidates = 0;
	uint64_t high = low | (UINT64_MAX >> front);
	for (uint32_t at = lower_bound(rows, n, low); at < n && rows[at].print <= high; at++) {
		candidates++;
		*near += sketch_count(rows[at].print ^ print) <= k;
	}
	return candidates;
}

static double choose(unsigned n, unsigned k)
{
	double all = 1;
	for (unsigned i = 1; i <= k; i++)
		all = all * (n - k + i) / i;
	return all;
}

static void measure_tables(
        const uint64_t *prints, Row *rows, uint32_t n, unsigned k, unsigned blocks)
{
	g_autofree uint8_t *chosen = g_new0(uint8_t, blocks);
	uint64_t candidates = 0, near = 0;
	unsigned made = 0, front = 0;
	double looking = 0, all = choose(blocks, k);
	for (unsigned i = 0; i < blocks; i++)
		chosen[i] = i < blocks - k;
	do {
		for (uint32_t i = 0; i < n; i++) {
			rows[i].item = i;
			front = permute(chosen, blocks, prints[i], &rows[i].print);
		}
		qsort(rows, n, sizeof *rows, compare_rows);
		double before = now_s();
		for (unsigned i = 0; i < LOOKUPS; i++) {
			uint64_t print;
			permute(chosen, blocks, random_bits(), &print);
			candidates += look_up(rows, n, print, front, k, &near);
		}
		looking += now_s() - before;
		made++;
	} while (made < MEASURED && next_choice(chosen, blocks));
	double scale = all / made / LOOKUPS;
	printf("k %2u, m %2u: %9.0f tables, prefix %2u bits, %12.0f MB, %12.0f candidates, %10.3f "
	       "ms\n",
	        k, blocks, all, front, all * n * 12 / 1e6, candidates * scale,
	        1e3 * looking * scale);
}

static void measure_pass(const uint64_t *prints, uint32_t n)
{
	uint64_t near = 0;
	double before = now_s();
	for (unsigned i = 0; i < 100; i++) {
		uint64_t print = random_bits();
		for (uint32_t k = 0; k < n; k++)
			near += sketch_count(prints[k] ^ print) <= NEAR_BITS;
	}
	printf("a pass: %.0f MB, %u candidates, %.3f ms (%.1f within %d bits)\n", n * 8 / 1e6, n,
	        1e3 * (now_s() - before) / 100, near / 100.0, NEAR_BITS);
}

int main(int argc, char **argv)
{
	static const struct {
		unsigned k, blocks;
	} sizes[] = {{3, 4}, {3, 6}, {3, 8}, {7, 8}, {7, 10}, {11, 16}, {18, 19}, {18, 26}};
	uint32_t n = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1000000;
	g_autofree uint64_t *prints = g_new(uint64_t, MAX(n, 1));
	g_autofree Row *rows = g_new(Row, MAX(n, 1));
	g_random_set_seed(1);
	for (uint32_t i = 0; i < n; i++)
		prints[i] = random_bits();
	for (unsigned i = 0; i < G_N_ELEMENTS(sizes); i++)
		measure_tables(prints, rows, n, sizes[i].k, sizes[i].blocks);
	measure_pass(prints, n);
	return 0;
}
