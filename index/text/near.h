/* SPDX-License-Identifier: GPL-3.0-or-later */
/* near.h - defines near copies, and finds all pairs among many texts
 *
 * Two texts are near copies if their simhashes differ in at most NEAR_BITS of 64 bits, which
 * selects candidates, and their sketches in at most NEAR_SKETCH_BITS of 128, which confirms them: a
 * Jaccard coefficient of word triples of about .56 or more. docs/measurements/copies.md has the
 * figures after both limits.
 *
 * The near copies of one text are found by comparing it with all texts. If eighteen bits may
 * differ, no block of the 64 need be equal. Tables of permuted fingerprints with a prefix match
 * (Manku, Jain, Das Sarma: "Detecting near-duplicates for web crawling", WWW 2007, for three bits)
 * would therefore be hundreds, and a pass over a million prints takes less time than opening the
 * index.
 *
 * For all pairs, near_group() sorts by prefixes of permuted sketches, one table after the other,
 * and compares texts with the same prefix. The bits of a sketch are independent: two texts with the
 * coefficient J share a prefix of p bits with probability ((1 + J) / 2)^p, and share it in at least
 * one of t tables with probability 1 - (1 - ((1 + J) / 2)^p)^t. p grows with the number of texts so
 * that about 64 of them share a prefix by chance; t is chosen for .99 at J = .7. No pair is
 * reported that is not near. A link between any two members holds a group together, so a group of
 * three or more hardly ever lacks a member. */
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

/* Packs a print as it is stored: three times 64 bits, big endian. */
void near_pack(const NearPrint *print, uint8_t out[NEAR_PRINT_BYTES]);
void near_unpack(const uint8_t bytes[NEAR_PRINT_BYTES], NearPrint *out);

/* done: number of finished tables; all: number of tables. */
typedef void (*NearProgress)(unsigned done, unsigned all, void *data);

/* Puts texts that are linked by near copies into the same group. groups: n numbers; each is the
 * index of one member of the group, the same for all its members. Up to NEAR_ALL_PAIRS different
 * prints are compared with each other. Takes 64 bytes of memory for each. Equal prints cost no more
 * than one. If a hundred thousand prints all resemble each other, each is compared with some of the
 * others only. progress may be NULL. */
void near_group(
        const NearPrint *prints, uint32_t n, uint32_t *groups, NearProgress progress, void *data);
