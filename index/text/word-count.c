/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/text/word-count.h"
#include <math.h>

enum { REGISTER_BITS = 12 };

void word_count_add(WordCount *count, uint64_t hash)
{
	uint8_t *most = &count->most[hash >> (64 - REGISTER_BITS)];
	/* the lowest bit ends a run of zeros that is as long as it can be */
	uint64_t rest = hash << REGISTER_BITS | UINT64_C(1) << (REGISTER_BITS - 1);
	uint8_t run = 1 + __builtin_clzll(rest);
	if (run <= *most)
		return;
	count->used += *most == 0;
	count->lost += ldexp(1, -*most) - ldexp(1, -run);
	*most = run;
}

uint64_t word_count_estimate(const WordCount *count)
{
	const double n = WORD_COUNT_REGISTERS, alpha = 0.7213 / (1 + 1.079 / n);
	double estimate = alpha * n * n / (n - count->lost);
	if (estimate <= 2.5 * n && count->used < WORD_COUNT_REGISTERS)
		estimate = n * log(n / (n - count->used));
	return llround(estimate);
}
