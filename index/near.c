/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/near.h"
#include <stdlib.h>
#include <string.h>

/* First bit and width of each block. */
static const struct {
	unsigned shift, width;
} blocks[NEAR_BLOCKS] = {{0, 11}, {11, 11}, {22, 11}, {33, 11}, {44, 10}, {54, 10}};

typedef struct {
	uint64_t hash;
	uint32_t item;
} Entry;

static int compare_hash(const void *a, const void *b)
{
	uint64_t x = ((const Entry *)a)->hash, y = ((const Entry *)b)->hash;
	return (x > y) - (x < y);
}

/* Union-find with path halving. */
static uint32_t find(uint32_t *groups, uint32_t item)
{
	while (groups[item] != item)
		item = groups[item] = groups[groups[item]];
	return item;
}

static void join(uint32_t *groups, uint32_t a, uint32_t b)
{
	a = find(groups, a);
	b = find(groups, b);
	if (a != b)
		groups[MAX(a, b)] = MIN(a, b);
}

/* One entry for each different hash; equal ones are joined at once. */
static uint32_t unify(Entry *entries, uint32_t n, uint32_t *groups)
{
	uint32_t kept = 0;
	qsort(entries, n, sizeof *entries, compare_hash);
	for (uint32_t i = 0; i < n; i++) {
		if (kept > 0 && entries[kept - 1].hash == entries[i].hash)
			join(groups, entries[kept - 1].item, entries[i].item);
		else
			entries[kept++] = entries[i];
	}
	return kept;
}

static unsigned block_of(uint64_t hash, unsigned block)
{
	return hash >> blocks[block].shift & ((1u << blocks[block].width) - 1);
}

typedef struct {
	const Entry *entries; /* by the block */
	const uint32_t *starts; /* of each bucket, and the end of the last */
	unsigned bits;
	uint32_t *groups;
} Pass;

static void compare_buckets(const Pass *pass, uint32_t one, uint32_t other)
{
	uint32_t end = pass->starts[other + 1];
	for (uint32_t i = pass->starts[one]; i < pass->starts[one + 1]; i++) {
		const Entry *a = &pass->entries[i];
		for (uint32_t k = one == other ? i + 1 : pass->starts[other]; k < end; k++) {
			const Entry *b = &pass->entries[k];
			if ((unsigned)__builtin_popcountll(a->hash ^ b->hash) <= pass->bits)
				join(pass->groups, a->item, b->item);
		}
	}
}

/* Entries sorted by one block (counting sort), each bucket compared with itself and its neighbours.
 */
static void run_pass(const Entry *entries, Entry *sorted, uint32_t n, unsigned block, unsigned bits,
        uint32_t *groups)
{
	uint32_t buckets = 1u << blocks[block].width;
	g_autofree uint32_t *starts = g_new0(uint32_t, buckets + 1);
	g_autofree uint32_t *next = g_new(uint32_t, buckets);
	for (uint32_t i = 0; i < n; i++)
		starts[block_of(entries[i].hash, block) + 1]++;
	for (uint32_t i = 0; i < buckets; i++)
		starts[i + 1] += starts[i];
	memcpy(next, starts, buckets * sizeof *next);
	for (uint32_t i = 0; i < n; i++)
		sorted[next[block_of(entries[i].hash, block)]++] = entries[i];
	const Pass pass = {sorted, starts, bits, groups};
	for (uint32_t i = 0; i < buckets; i++) {
		compare_buckets(&pass, i, i);
		for (unsigned bit = 0; bit < blocks[block].width; bit++)
			if ((i ^ 1u << bit) > i)
				compare_buckets(&pass, i, i ^ 1u << bit);
	}
}

void near_group(const uint64_t *hashes, uint32_t n, unsigned bits, uint32_t *groups)
{
	g_autofree Entry *entries = g_new(Entry, MAX(n, 1));
	g_autofree Entry *sorted = g_new(Entry, MAX(n, 1));
	for (uint32_t i = 0; i < n; i++) {
		entries[i] = (Entry){hashes[i], i};
		groups[i] = i;
	}
	uint32_t different = unify(entries, n, groups);
	for (unsigned block = 0; block < NEAR_BLOCKS; block++)
		run_pass(entries, sorted, different, block, MIN(bits, NEAR_MAX_BITS), groups);
	for (uint32_t i = 0; i < n; i++)
		groups[i] = find(groups, i);
}
