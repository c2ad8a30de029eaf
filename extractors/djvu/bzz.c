/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/djvu/bzz.h"
#include "extractors/djvu/zp.h"
#include <string.h>

enum {
	MAX_BLOCK_BYTES = 4096 << 10,
	BYTES = 256,
	MARKER = BYTES, /* the rank that stands for the end of the text */
	FIRST_RANKS = 2, /* these have contexts for each class of the rank before */
	CLASSES = 3,
	RANK_BITS = 8,
	COUNTED = 4, /* ranks whose bytes have a frequency */
	FREQUENCY_MAX = 0x10000000,
};

typedef struct {
	ZpDecoder zp;
	ZpContext contexts[FIRST_RANKS * CLASSES + BYTES];
	uint8_t by_rank[BYTES];
	uint32_t frequency[COUNTED], added;
	unsigned speed; /* how fast frequencies are forgotten: the shift by which `added` grows */
} Bzz;

static unsigned bzz_number(Bzz *bzz, unsigned bits)
{
	unsigned number = 0;
	while (bits-- > 0)
		number = number << 1 | zp_plain_bit(&bzz->zp);
	return number;
}

/* ---- ranks */

/* Reads a number of so many bits through a binary tree of contexts. */
static unsigned bzz_tree(Bzz *bzz, ZpContext *tree, unsigned bits)
{
	unsigned node = 1;
	for (unsigned i = 0; i < bits; i++)
		node = node << 1 | zp_bit(&bzz->zp, &tree[node - 1]);
	return node - (1u << bits);
}

static unsigned bzz_rank(Bzz *bzz, unsigned before)
{
	unsigned class = MIN(before, CLASSES - 1);
	ZpContext *context = bzz->contexts;
	for (unsigned rank = 0; rank < FIRST_RANKS; rank++, context += CLASSES)
		if (zp_bit(&bzz->zp, &context[class]))
			return rank;
	for (unsigned bits = 1; bits < RANK_BITS; context += 1u << bits, bits++)
		if (zp_bit(&bzz->zp, context))
			return (1u << bits) + bzz_tree(bzz, context + 1, bits);
	return MARKER;
}

static uint32_t bzz_frequency(const Bzz *bzz, unsigned rank)
{
	return rank < COUNTED ? bzz->frequency[rank] : 0;
}

/* Returns the byte of this rank and moves it up according to its frequency. */
static uint8_t bzz_use_rank(Bzz *bzz, unsigned rank)
{
	uint8_t byte = bzz->by_rank[rank];
	bzz->added += bzz->added >> bzz->speed;
	if (bzz->added > FREQUENCY_MAX) {
		bzz->added >>= 24;
		for (unsigned i = 0; i < COUNTED; i++)
			bzz->frequency[i] >>= 24;
	}
	uint32_t frequency = bzz->added + bzz_frequency(bzz, rank);
	for (; rank > 0 && (rank >= COUNTED || frequency >= bzz->frequency[rank - 1]); rank--) {
		bzz->by_rank[rank] = bzz->by_rank[rank - 1];
		if (rank < COUNTED)
			bzz->frequency[rank] = bzz->frequency[rank - 1];
	}
	bzz->by_rank[rank] = byte;
	bzz->frequency[rank] = frequency;
	return byte;
}

static void bzz_begin_block(Bzz *bzz)
{
	bzz->speed = zp_plain_bit(&bzz->zp) ? 1 + zp_plain_bit(&bzz->zp) : 0;
	for (unsigned i = 0; i < BYTES; i++)
		bzz->by_rank[i] = i;
	memset(bzz->frequency, 0, sizeof bzz->frequency);
	bzz->added = 4;
}

/* Reads the last column of the sorted block. *marker_r: the row of the end of the text. */
static bool bzz_read_column(Bzz *bzz, uint8_t *column, size_t size, size_t *marker_r)
{
	unsigned rank = CLASSES;
	*marker_r = 0;
	bzz_begin_block(bzz);
	for (size_t i = 0; i < size; i++) {
		rank = bzz_rank(bzz, rank);
		if (rank == MARKER)
			*marker_r = i;
		else
			column[i] = bzz_use_rank(bzz, rank);
		if (zp_overran(&bzz->zp))
			return false;
	}
	return *marker_r > 0;
}

/* ---- sorting undone */

/* For each row, the row that begins with the last byte of this one. */
static void bzz_link_rows(const uint8_t *column, size_t size, size_t marker, uint32_t *next)
{
	uint32_t first[BYTES] = {0}, row = 1; /* row 0 begins with the end of the text */
	for (size_t i = 0; i < size; i++)
		if (i != marker)
			next[i] = first[column[i]]++;
	for (unsigned byte = 0; byte < BYTES; byte++) {
		uint32_t count = first[byte];
		first[byte] = row;
		row += count;
	}
	for (size_t i = 0; i < size; i++)
		if (i != marker)
			next[i] += first[column[i]];
}

static bool bzz_unsort(const uint8_t *column, size_t size, size_t marker, GByteArray *to)
{
	g_autofree uint32_t *next = g_new(uint32_t, size);
	size_t start = to->len, row = 0;
	bzz_link_rows(column, size, marker, next);
	g_byte_array_set_size(to, start + size - 1);
	for (size_t left = size - 1; left > 0 && row != marker; row = next[row])
		to->data[start + --left] = column[row];
	if (row == marker)
		return true;
	g_byte_array_set_size(to, start);
	return false;
}

/* ---- */

static bool bzz_unpack_block(Bzz *bzz, size_t size, GByteArray *to)
{
	size_t marker;
	g_autofree uint8_t *column = g_malloc0(size);
	return bzz_read_column(bzz, column, size, &marker) && bzz_unsort(column, size, marker, to);
}

bool bzz_unpack(Bytes packed, GByteArray *to, Sink *sink)
{
	Bzz bzz = {.speed = 0};
	size_t size;
	zp_begin(&bzz.zp, packed);
	while ((size = bzz_number(&bzz, 24)) > 0 && !zp_overran(&bzz.zp))
		if (size > MAX_BLOCK_BYTES || !sink_unpacked(sink, size) ||
		        !bzz_unpack_block(&bzz, size, to))
			return false;
	return size == 0;
}
