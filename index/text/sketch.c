/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/text/sketch.h"
#include <stdbool.h>
#include <string.h>

enum { BIN_SHIFT = 64 - 7 /* the highest bits of a hash select its bin */ };
G_STATIC_ASSERT(1 << 7 == SKETCH_BITS);

void sketch_begin(SketchState *state)
{
	memset(state->least, 0xff, sizeof state->least);
}

/* The final step of Vigna's splitmix64. */
static uint64_t sketch_mix(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

void sketch_add(SketchState *state, uint64_t hash)
{
	uint64_t mixed = sketch_mix(hash), *least = &state->least[mixed >> BIN_SHIFT];
	mixed &= (UINT64_C(1) << BIN_SHIFT) - 1;
	*least = MIN(*least, mixed);
}

static bool sketch_is_empty(const SketchState *state)
{
	for (unsigned bin = 0; bin < SKETCH_BITS; bin++)
		if (state->least[bin] != UINT64_MAX)
			return false;
	return true;
}

/* Returns the value of the bin, or of the first bin with a value in an order that depends only on
 * the bin. */
static uint64_t sketch_value_of(const SketchState *state, unsigned bin)
{
	unsigned at = bin;
	for (uint64_t try = 1; state->least[at] == UINT64_MAX; try++)
		at = sketch_mix((uint64_t)bin << 32 | try) % SKETCH_BITS;
	return state->least[at];
}

Sketch sketch_end(const SketchState *state)
{
	Sketch sketch = {{0}};
	if (sketch_is_empty(state))
		return sketch;
	for (unsigned bin = 0; bin < SKETCH_BITS; bin++)
		sketch.bits[bin / 64] |= (sketch_mix(sketch_value_of(state, bin)) & 1) << bin % 64;
	return sketch;
}
