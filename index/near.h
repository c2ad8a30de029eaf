/* SPDX-License-Identifier: GPL-3.0-or-later */
/* near.h - all pairs of fingerprints that differ in few bits
 *
 * Two fingerprints of 64 bits with at most d different bits agree in one of b blocks but for d / b bits (pigeonhole; the idea of
 * Manku, Jain, Das Sarma: "Detecting near-duplicates for web crawling", WWW 2007, who have d < b). With six blocks and d = 11 one
 * block differs in a bit at most: each fingerprint is compared with those of its bucket and of the ten or eleven next to it,
 * for each block. Exact: nothing is missed. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum { NEAR_BLOCKS = 6, NEAR_MAX_BITS = 11 };

/* Puts in the same group what is linked by pairs with at most bits (<= NEAR_MAX_BITS) different bits. groups: n numbers, those of a
 * group are equal: the index of one member. Time: about n * n / 30 comparisons; memory: 16 bytes each. Equal fingerprints cost
 * no more than one. */
void near_group(const uint64_t *hashes, uint32_t n, unsigned bits, uint32_t *groups);
