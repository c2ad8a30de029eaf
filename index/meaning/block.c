/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/meaning/block.h"
#include <string.h>

enum { BLOCK_SHIFT = 4 };
_Static_assert(BLOCK_DOCUMENTS == 1 << BLOCK_SHIFT, "an id is a block and a place");

int64_t block_of(int64_t document)
{
	return document >> BLOCK_SHIFT;
}

unsigned block_place(int64_t document)
{
	return document & (BLOCK_DOCUMENTS - 1);
}

int64_t block_document(int64_t block, unsigned place)
{
	return (int64_t)((uint64_t)block << BLOCK_SHIFT) | place;
}

bool block_has(const MeaningBlock *block, unsigned place)
{
	return block->present >> place & 1;
}

void block_put(MeaningBlock *block, unsigned place, const MeaningVector *vector)
{
	block->present |= 1U << place;
	block->vectors[place] = *vector;
}

void block_remove(MeaningBlock *block, unsigned place)
{
	block->present &= ~(1U << place);
}

bool block_unpack(MeaningBlock *block, int64_t present, const void *vectors, size_t length)
{
	const char *from = vectors;
	block->present = 0;
	if (present < 0 || present >= 1 << BLOCK_DOCUMENTS ||
	        length != (size_t)__builtin_popcount(present) * sizeof block->vectors[0])
		return false;
	block->present = present;
	for (unsigned i = 0; i < BLOCK_DOCUMENTS; i++) {
		if (!block_has(block, i))
			continue;
		memcpy(&block->vectors[i], from, sizeof block->vectors[i]);
		from += sizeof block->vectors[i];
	}
	return true;
}

unsigned block_pack(const MeaningBlock *block, MeaningVector out[BLOCK_DOCUMENTS])
{
	unsigned n = 0;
	for (unsigned i = 0; i < BLOCK_DOCUMENTS; i++)
		if (block_has(block, i))
			out[n++] = block->vectors[i];
	return n;
}
