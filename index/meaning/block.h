/* SPDX-License-Identifier: GPL-3.0-or-later */
/* block.h - the vectors of 16 documents whose ids follow each other, as one row of the index
 *
 * A row has some ten bytes of its own, a third of a vector; 16 vectors fill the pages well. */
#pragma once
#include "index/meaning/vector.h"

enum { BLOCK_DOCUMENTS = 16 };

typedef struct {
	unsigned present; /* bit i: document i of the block has a vector */
	MeaningVector vectors[BLOCK_DOCUMENTS];
} MeaningBlock;

/* The block of a document, and its place there. */
int64_t block_of(int64_t document);
unsigned block_place(int64_t document);
/* The document at a place of a block. */
int64_t block_document(int64_t block, unsigned place);
bool block_has(const MeaningBlock *block, unsigned place);
void block_put(MeaningBlock *block, unsigned place, const MeaningVector *vector);
void block_remove(MeaningBlock *block, unsigned place);
/* Reads the columns of a row. Returns false, with an empty block, if they are damaged. */
bool block_unpack(MeaningBlock *block, int64_t present, const void *vectors, size_t length);
/* Writes the vectors that are present to out, one after the other. Returns how many they are. */
unsigned block_pack(const MeaningBlock *block, MeaningVector out[BLOCK_DOCUMENTS]);
