/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/shared/shrink.h"
#include <string.h>

struct Shrink {
	uint32_t width, height; /* of the large picture */
	unsigned small_width, small_height;
	uint32_t row; /* the next one of the large picture */
	unsigned small_row; /* the one that is being summed up */
	uint32_t rows_summed;
	uint64_t sums[WIRE_PICTURE_SIDE * WIRE_PIXEL_BYTES];
	uint8_t picture[WIRE_PICTURE_SIDE * WIRE_PICTURE_SIDE * WIRE_PIXEL_BYTES];
};

bool shrink_allows(uint64_t width, uint64_t height)
{
	return width > 0 && height > 0 && width <= SHRINK_PIXELS && height <= SHRINK_PIXELS / width;
}

static unsigned shrink_side(uint32_t side, uint32_t longer)
{
	if (longer <= WIRE_PICTURE_SIDE)
		return side;
	return MAX((uint64_t)side * WIRE_PICTURE_SIDE / longer, 1);
}

void shrink_size(uint32_t width, uint32_t height, unsigned *width_r, unsigned *height_r)
{
	*width_r = shrink_side(width, MAX(width, height));
	*height_r = shrink_side(height, MAX(width, height));
}

Shrink *shrink_new(uint32_t width, uint32_t height)
{
	Shrink *shrink = g_new0(Shrink, 1);
	shrink->width = width;
	shrink->height = height;
	shrink_size(width, height, &shrink->small_width, &shrink->small_height);
	memset(shrink->picture, 0xff, sizeof shrink->picture);
	return shrink;
}

void shrink_free(Shrink *shrink)
{
	g_free(shrink);
}

/* Where the part of a large side begins that is one pixel of the small side. */
static uint32_t shrink_edge(unsigned at, uint32_t side, unsigned small_side)
{
	return (uint64_t)at * side / small_side;
}

static void shrink_add_row(Shrink *shrink, const uint8_t *pixels)
{
	for (unsigned x = 0; x < shrink->small_width; x++) {
		uint64_t *sum = shrink->sums + (size_t)WIRE_PIXEL_BYTES * x;
		uint32_t end = shrink_edge(x + 1, shrink->width, shrink->small_width);
		uint32_t at = shrink_edge(x, shrink->width, shrink->small_width);
		for (; at < end; at++, pixels += WIRE_PIXEL_BYTES) {
			sum[0] += pixels[0];
			sum[1] += pixels[1];
			sum[2] += pixels[2];
		}
	}
	shrink->rows_summed++;
}

static void shrink_finish_row(Shrink *shrink)
{
	uint8_t *out = shrink->picture +
	               (size_t)shrink->small_row * shrink->small_width * WIRE_PIXEL_BYTES;
	for (unsigned x = 0; x < shrink->small_width; x++) {
		uint64_t n = shrink_edge(x + 1, shrink->width, shrink->small_width) -
		             shrink_edge(x, shrink->width, shrink->small_width);
		for (unsigned i = 0; i < WIRE_PIXEL_BYTES; i++)
			*out++ = shrink->sums[WIRE_PIXEL_BYTES * x + i] / (n * shrink->rows_summed);
	}
	memset(shrink->sums, 0, sizeof shrink->sums);
	shrink->rows_summed = 0;
	shrink->small_row++;
}

void shrink_row(Shrink *shrink, const uint8_t *pixels)
{
	if (shrink->row >= shrink->height)
		return;
	shrink_add_row(shrink, pixels);
	shrink->row++;
	if (shrink->row == shrink_edge(shrink->small_row + 1, shrink->height, shrink->small_height))
		shrink_finish_row(shrink);
}

const uint8_t *shrink_picture(const Shrink *shrink, unsigned *width_r, unsigned *height_r)
{
	*width_r = shrink->small_width;
	*height_r = shrink->small_height;
	return shrink->picture;
}
