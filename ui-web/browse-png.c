/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-web/browse-png.h"
#include <string.h>
#include <zlib.h>

enum { COLOURS = 3, DEPTH_8 = 8, TRUECOLOUR = 2 };

static void png_append_number(GByteArray *png, uint32_t number)
{
	const uint8_t bytes[4] = {number >> 24, number >> 16, number >> 8, number};
	g_byte_array_append(png, bytes, sizeof bytes);
}

/* 5.3: length, type, data, and the CRC of type and data. */
static void png_append_chunk(GByteArray *png, const char *type, const uint8_t *data, size_t length)
{
	png_append_number(png, length);
	size_t from = png->len;
	g_byte_array_append(png, (const guint8 *)type, 4);
	if (length > 0)
		g_byte_array_append(png, data, length);
	png_append_number(png, crc32(crc32(0, NULL, 0), png->data + from, png->len - from));
}

static void png_append_header(GByteArray *png, unsigned width, unsigned height)
{
	g_autoptr(GByteArray) header = g_byte_array_new();
	const uint8_t kind[5] = {DEPTH_8, TRUECOLOUR};
	png_append_number(header, width);
	png_append_number(header, height);
	g_byte_array_append(header, kind, sizeof kind);
	png_append_chunk(png, "IHDR", header->data, header->len);
}

/* Each row begins with the type of its filter, 0: none. */
static uint8_t *png_filter_rows(
        unsigned width, unsigned height, const uint8_t *pixels, size_t *length_r)
{
	size_t row = (size_t)COLOURS * width;
	uint8_t *rows = g_malloc0((row + 1) * height);
	for (unsigned y = 0; y < height; y++)
		memcpy(rows + (row + 1) * y + 1, pixels + row * y, row);
	*length_r = (row + 1) * height;
	return rows;
}

GBytes *browse_png(unsigned width, unsigned height, const uint8_t *pixels)
{
	static const uint8_t signature[8] = "\x89PNG\r\n\x1a\n";
	size_t length;
	g_autofree uint8_t *rows = png_filter_rows(width, height, pixels, &length);
	uLongf packed_length = compressBound(length);
	g_autofree uint8_t *packed = g_malloc(packed_length);
	if (compress2(packed, &packed_length, rows, length, Z_BEST_SPEED) != Z_OK)
		return NULL;
	GByteArray *png = g_byte_array_new();
	g_byte_array_append(png, signature, sizeof signature);
	png_append_header(png, width, height);
	png_append_chunk(png, "IDAT", packed, packed_length);
	png_append_chunk(png, "IEND", NULL, 0);
	return g_byte_array_free_to_bytes(png);
}
