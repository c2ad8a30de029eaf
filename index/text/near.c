/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/text/near.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	CHANCE_BITS = 6, /* a prefix is shorter by this than log2 of the number of texts */
	PREFIX_MIN = 6,
	PREFIX_MAX = 16,
	BUCKET_NEXT = 256 /* each print of a bucket is compared with this many that follow it */
};
static const double wanted_jaccard = .7, wanted_recall = .99;

typedef struct {
	NearPrint print;
	uint32_t item;
} PrintEntry;

void near_pack(const NearPrint *print, uint8_t out[NEAR_PRINT_BYTES])
{
	const uint64_t words[] = {GUINT64_TO_BE(print->simhash),
	        GUINT64_TO_BE(print->sketch.bits[0]), GUINT64_TO_BE(print->sketch.bits[1])};
	G_STATIC_ASSERT(sizeof words == NEAR_PRINT_BYTES);
	memcpy(out, words, sizeof words);
}

void near_unpack(const uint8_t bytes[NEAR_PRINT_BYTES], NearPrint *out)
{
	uint64_t words[3];
	memcpy(words, bytes, sizeof words);
	*out = (NearPrint){GUINT64_FROM_BE(words[0]),
	        {{GUINT64_FROM_BE(words[1]), GUINT64_FROM_BE(words[2])}}};
}

/* ---- groups */

/* Union-find with path halving. */
static uint32_t near_find(uint32_t *groups, uint32_t item)
{
	while (groups[item] != item)
		item = groups[item] = groups[groups[item]];
	return item;
}

static void near_join(uint32_t *groups, uint32_t a, uint32_t b)
{
	a = near_find(groups, a);
	b = near_find(groups, b);
	if (a != b)
		groups[MAX(a, b)] = MIN(a, b);
}

static int compare_prints(const void *a, const void *b)
{
	return memcmp(&((const PrintEntry *)a)->print, &((const PrintEntry *)b)->print,
	        sizeof(NearPrint));
}

/* Makes one entry for each different print; equal prints are joined at once. */
static uint32_t near_unify(PrintEntry *entries, uint32_t n, uint32_t *groups)
{
	uint32_t kept = 0;
	qsort(entries, n, sizeof *entries, compare_prints);
	for (uint32_t i = 0; i < n; i++) {
		if (kept > 0 && compare_prints(&entries[kept - 1], &entries[i]) == 0)
			near_join(groups, entries[kept - 1].item, entries[i].item);
		else
			entries[kept++] = entries[i];
	}
	return kept;
}

static void compare_range(const PrintEntry *entries, uint32_t n, uint32_t next, uint32_t *groups)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t end = n - i <= next ? n : i + 1 + next;
		for (uint32_t k = i + 1; k < end; k++)
			if (near_is(&entries[i].print, &entries[k].print))
				near_join(groups, entries[i].item, entries[k].item);
	}
}

/* ---- tables */

typedef struct {
	const PrintEntry *entries;
	uint32_t n;
	unsigned prefix; /* bits */
	uint64_t random;
	PrintEntry *sorted; /* room for n */
	uint32_t *starts; /* start of each bucket, and the end of the last */
	uint32_t *groups;
} Tables;

static unsigned prefix_for(uint32_t n)
{
	return CLAMP((int)g_bit_storage(n) - CHANCE_BITS, PREFIX_MIN, PREFIX_MAX);
}

static unsigned tables_for(unsigned prefix)
{
	double meet = pow((1 + wanted_jaccard) / 2, prefix);
	return (unsigned)ceil(log(1 - wanted_recall) / log(1 - meet));
}

/* Marsaglia's xorshift, so that the tables are the same every time. */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Chooses the first bits of a permutation of all bits. */
static void choose_bits(Tables *tables, uint8_t chosen[PREFIX_MAX])
{
	uint8_t all[SKETCH_BITS];
	for (unsigned i = 0; i < SKETCH_BITS; i++)
		all[i] = i;
	for (unsigned i = 0; i < tables->prefix; i++) {
		unsigned from = i + next_random(&tables->random) % (SKETCH_BITS - i);
		chosen[i] = all[from];
		all[from] = all[i];
	}
}

static uint32_t prefix_of(const Sketch *sketch, const uint8_t *chosen, unsigned n)
{
	uint32_t prefix = 0;
	for (unsigned i = 0; i < n; i++)
		prefix = prefix << 1 | (sketch->bits[chosen[i] / 64] >> chosen[i] % 64 & 1);
	return prefix;
}

/* Sorts by the prefix (counting sort), then compares within each bucket. */
static void run_table(Tables *tables)
{
	uint8_t chosen[PREFIX_MAX];
	uint32_t buckets = 1u << tables->prefix;
	g_autofree uint32_t *next = g_new(uint32_t, buckets);
	g_autofree uint32_t *prefixes = g_new(uint32_t, tables->n);

	choose_bits(tables, chosen);
	memset(tables->starts, 0, (buckets + 1) * sizeof *tables->starts);
	for (uint32_t i = 0; i < tables->n; i++) {
		prefixes[i] = prefix_of(&tables->entries[i].print.sketch, chosen, tables->prefix);
		tables->starts[prefixes[i] + 1]++;
	}
	for (uint32_t i = 0; i < buckets; i++)
		tables->starts[i + 1] += tables->starts[i];
	memcpy(next, tables->starts, buckets * sizeof *next);
	for (uint32_t i = 0; i < tables->n; i++)
		tables->sorted[next[prefixes[i]]++] = tables->entries[i];
	for (uint32_t i = 0; i < buckets; i++)
		compare_range(tables->sorted + tables->starts[i],
		        tables->starts[i + 1] - tables->starts[i], BUCKET_NEXT, tables->groups);
}

static void run_tables(
        const PrintEntry *entries, uint32_t n, uint32_t *groups, NearProgress progress, void *data)
{
	Tables tables = {.entries = entries,
	        .n = n,
	        .prefix = prefix_for(n),
	        .random = 0x9e3779b97f4a7c15u,
	        .groups = groups};
	unsigned all = tables_for(tables.prefix);
	g_autofree PrintEntry *sorted = tables.sorted = g_new(PrintEntry, n);
	g_autofree uint32_t *starts = tables.starts = g_new(uint32_t, (1u << tables.prefix) + 1);

	for (unsigned i = 0; i < all; i++) {
		if (progress)
			progress(i, all, data);
		run_table(&tables);
	}
}

void near_group(
        const NearPrint *prints, uint32_t n, uint32_t *groups, NearProgress progress, void *data)
{
	g_autofree PrintEntry *entries = g_new(PrintEntry, MAX(n, 1));
	for (uint32_t i = 0; i < n; i++) {
		entries[i] = (PrintEntry){prints[i], i};
		groups[i] = i;
	}
	uint32_t different = near_unify(entries, n, groups);
	if (different <= NEAR_ALL_PAIRS)
		compare_range(entries, different, NEAR_ALL_PAIRS, groups);
	else
		run_tables(entries, different, groups, progress, data);
	for (uint32_t i = 0; i < n; i++)
		groups[i] = near_find(groups, i);
}
