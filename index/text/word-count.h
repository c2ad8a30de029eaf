/* SPDX-License-Identifier: GPL-3.0-or-later */
/* word-count.h - how many different words there are in a stream of words of any length
 *
 * HyperLogLog (Flajolet, Fusy, Gandouet, Meunier: "HyperLogLog: the analysis of a near-optimal
 * cardinality estimation algorithm", 2007) with 4096 registers and 64-bit hashes: 4 KiB, and a
 * standard error of 1.6 %. Up to some 10,000 words linear counting is used instead, as the authors
 * advise. Somebody who knows the hash can write words that are counted as one: the caller seeds it.
 */
#pragma once
#include <stdint.h>

enum { WORD_COUNT_REGISTERS = 4096 };

typedef struct {
	uint8_t most[WORD_COUNT_REGISTERS]; /* longest run of zero bits, and one */
	uint32_t used; /* registers that are not 0 */
	double lost; /* sum over all registers of 1 - 2^-most, which is exact */
} WordCount; /* all zeros: no word */

void word_count_add(WordCount *count, uint64_t hash);
/* Returns the estimate, in constant time. */
uint64_t word_count_estimate(const WordCount *count);
