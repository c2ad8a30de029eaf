/* SPDX-License-Identifier: GPL-3.0-or-later */
/* near.h - near copies: what they are, and all of many at once
 *
 * Two texts are near copies if their simhashes differ in at most NEAR_BITS of 64 bits, which
 * chooses candidates, and their sketches in at most NEAR_SKETCH_BITS of 128, which confirms them: a
 * Jaccard coefficient of word triples of about .56 and more. docs/MEASUREMENTS.md has the figures
 * that chose both.
 *
 * One text is looked for by comparing it with all: with eighteen bits apart no block of the 64 need
 * be equal, so tables of permuted fingerprints with a prefix match (Manku, Jain, Das Sarma:
 * "Detecting near-duplicates for web crawling", WWW 2007, for three bits) would be hundreds, and a
 * pass over a million prints takes less time than opening the index.
 *
 * For all pairs near_group() sorts by prefixes of permuted sketches, table after table, and
 * compares what shares a prefix. Bits of a sketch are independent: two texts with the coefficient J
 * share a prefix of p bits with probability ((1 + J) / 2)^p, and meet in one of t tables with 1 -
 * (1 - ((1 + J) / 2)^p)^t. p grows with the number of texts so that chance brings about 64 of them
 * together; t is chosen for .99 at J = .7. Nothing is taken for near that is not; and since a group
 * is what links of any of its members hold together, a group of three and more hardly ever lacks
 * one. */
#pragma once
#include "index/text/sketch.h"
#include <stdbool.h>

enum { NEAR_BITS = 18, NEAR_SKETCH_BITS = 28, NEAR_PRINT_BYTES = 24, NEAR_ALL_PAIRS = 4096 };

typedef struct {
	uint64_t simhash;
	Sketch sketch;
} NearPrint;

static inline unsigned near_bits(const NearPrint *a, const NearPrint *b)
{
	return sketch_count(a->simhash ^ b->simhash);
}

static inline bool near_is(const NearPrint *a, const NearPrint *b)
{
	return sketch_distance(&a->sketch, &b->sketch) <= NEAR_SKETCH_BITS &&
	       near_bits(a, b) <= NEAR_BITS;
}

/* As it is stored: three times 64 bits, big endian. */
void near_pack(const NearPrint *print, uint8_t out[NEAR_PRINT_BYTES]);
void near_unpack(const uint8_t bytes[NEAR_PRINT_BYTES], NearPrint *out);

/* done of all tables. */
typedef void (*NearProgress)(unsigned done, unsigned all, void *data);

/* Puts in the same group what is linked by near copies. groups: n numbers, those of a group are
 * equal: the index of one member. Up to NEAR_ALL_PAIRS different prints are compared each with
 * each. Memory: 64 bytes each. Equal prints cost no more than one, and of a hundred thousand that
 * all resemble each other each is compared with some, not all. progress may be NULL. */
void near_group(
        const NearPrint *prints, uint32_t n, uint32_t *groups, NearProgress progress, void *data);
