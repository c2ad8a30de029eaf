/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shrink.h - makes a small picture of a large one, row by row
 *
 * Each pixel of the small picture is the mean of the pixels that it covers; each of those counts
 * for one pixel of the small picture. A picture that is small already stays as it is. Memory
 * depends on the size of the small picture alone. */
#pragma once
#include "common/ipc/wire.h"

/* Larger pictures are not drawn: with all their pixels in memory they take 192 MiB. */
enum { SHRINK_PIXELS = 64 << 20 };

typedef struct Shrink Shrink;

/* Can a picture of this size be drawn? Neither side is 0, and it has at most SHRINK_PIXELS. */
bool shrink_allows(uint64_t width, uint64_t height);
/* How large the small picture is, for decoders that scale by themselves. */
void shrink_size(uint32_t width, uint32_t height, unsigned *width_r, unsigned *height_r);
/* The size that shrink_allows(). shrink_free() frees it. */
Shrink *shrink_new(uint32_t width, uint32_t height);
void shrink_free(Shrink *shrink);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Shrink, shrink_free)

/* Takes the next row from the top: red, green and blue of each of its pixels. Rows after the last
 * one are ignored. */
void shrink_row(Shrink *shrink, const uint8_t *pixels);
/* The small picture, with sides of at most WIRE_PICTURE_SIDE; rows that did not come are white.
 * Borrowed. */
const uint8_t *shrink_picture(const Shrink *shrink, unsigned *width_r, unsigned *height_r);
