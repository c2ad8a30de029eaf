/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/archive/packed-stream.h"
#include "extractors/shared/bytes.h"
#include "extractors/shared/crc.h"
#include <gio/gio.h>
#include <string.h>

enum {
	PIECE_BYTES = 64 << 10, /* the most that a frame of Snappy unpacks to */
	FRAME_HEADER = 4,
	PACKED_FRAME = 0,
	PLAIN_FRAME = 1,
	SKIPPABLE = 0x80, /* and what is above */
};

struct Packed {
	Bytes all;
	size_t at;
	GConverter *zlib; /* NULL: Snappy */
	bool damaged, ended;
	uint8_t piece[PIECE_BYTES];
};

static const char snappy_type[] = "application/x-snappy-framed", zlib_type[] = "application/zlib";

bool packed_is(const Input *in)
{
	return strcmp(in->mime, snappy_type) == 0 || strcmp(in->mime, zlib_type) == 0;
}

Packed *packed_new(const Input *in)
{
	Packed *packed = g_new0(Packed, 1);
	packed->all = (Bytes){in->data, in->size};
	if (strcmp(in->mime, zlib_type) == 0)
		packed->zlib = G_CONVERTER(g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_ZLIB));
	return packed;
}

void packed_free(Packed *packed)
{
	g_clear_object(&packed->zlib);
	g_free(packed);
}

bool packed_is_damaged(const Packed *packed)
{
	return packed->damaged;
}

static uint32_t masked_sum(const uint8_t *bytes, size_t size)
{
	uint32_t sum = crc_of(bytes, size, CRC_CASTAGNOLI);
	return (sum >> 15 | sum << 17) + 0xa282ead8;
}

/* The length that a block begins with, seven bits a byte; *at goes behind it. */
static uint32_t packed_take_length(Bytes block, size_t *at)
{
	uint32_t length = 0;
	for (unsigned shift = 0; shift < 28 && *at < block.size; shift += 7) {
		uint8_t byte = block.data[(*at)++];
		length |= (uint32_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			break;
	}
	return length;
}

static uint32_t packed_take_number(Bytes block, size_t *at, size_t bytes)
{
	uint32_t number = 0;
	for (size_t i = 0; i < bytes && *at < block.size; i++)
		number |= (uint32_t)block.data[(*at)++] << 8 * i;
	return number;
}

typedef struct {
	size_t length, back; /* back 0: bytes that follow */
} Element;

static Element take_element(Bytes block, size_t *at)
{
	uint8_t tag = block.data[(*at)++];
	size_t upper = tag >> 2, more = tag & 3;
	Element element = {.length = upper + 1};
	if (more == 0 && upper >= 60) {
		element.length = 1 + (size_t)packed_take_number(block, at, upper - 59);
	} else if (more == 1) {
		element.length = 4 + (upper & 7);
		element.back = (size_t)(tag >> 5) << 8 | packed_take_number(block, at, 1);
	} else if (more > 1) {
		element.back = packed_take_number(block, at, more == 2 ? 2 : 4);
	}
	return element;
}

/* Size of what the block unpacks to; 0: it is damaged. */
static size_t packed_unpack_block(Bytes block, uint8_t *out)
{
	size_t at = 0, used = 0, length = packed_take_length(block, &at);
	if (length > PIECE_BYTES)
		return 0;
	while (at < block.size) {
		bool copy = (block.data[at] & 3) != 0;
		Element element = take_element(block, &at);
		if (element.length > length - used)
			return 0;
		if (copy && (element.back == 0 || element.back > used))
			return 0;
		if (!copy && (at > block.size || element.length > block.size - at))
			return 0;
		for (size_t i = 0; i < element.length; i++, used++)
			out[used] = copy ? out[used - element.back] : block.data[at++];
	}
	return used == length ? used : 0;
}

/* A frame with bytes in it; 0: it is damaged. */
static size_t unpack_frame(Packed *packed, unsigned kind, Bytes frame)
{
	Bytes body = bytes_part(frame, 4, frame.size);
	size_t size = 0;
	if (kind == PACKED_FRAME && body.size > 0)
		size = packed_unpack_block(body, packed->piece);
	else if (kind == PLAIN_FRAME && body.size <= PIECE_BYTES && body.size > 0)
		memcpy(packed->piece, body.data, size = body.size);
	return size > 0 && masked_sum(packed->piece, size) == le32(frame, 0) ? size : 0;
}

/* Of the next frame with bytes. */
static size_t next_of_snappy(Packed *packed)
{
	while (packed->at + FRAME_HEADER <= packed->all.size) {
		uint32_t header = le32(packed->all, packed->at);
		unsigned kind = header & 0xff, length = header >> 8;
		Bytes frame = bytes_part(packed->all, packed->at + FRAME_HEADER, length);
		packed->at += FRAME_HEADER + length;
		if (kind >= SKIPPABLE)
			continue;
		size_t size = frame.size == length ? unpack_frame(packed, kind, frame) : 0;
		packed->damaged = size == 0;
		return size;
	}
	packed->damaged = packed->at != packed->all.size;
	return 0;
}

static size_t packed_next_of_zlib(Packed *packed)
{
	gsize read = 0, written = 0;
	GConverterResult result = g_converter_convert(packed->zlib, packed->all.data + packed->at,
	        packed->all.size - packed->at, packed->piece, sizeof packed->piece,
	        G_CONVERTER_INPUT_AT_END, &read, &written, NULL);
	packed->at += read;
	packed->damaged = result == G_CONVERTER_ERROR;
	packed->ended = result == G_CONVERTER_FINISHED;
	return packed->damaged ? 0 : written;
}

static la_ssize_t packed_next_piece(struct archive *archive, void *data, const void **bytes_r)
{
	Packed *packed = data;
	*bytes_r = packed->piece;
	if (packed->damaged || packed->ended)
		return 0;
	return packed->zlib ? packed_next_of_zlib(packed) : next_of_snappy(packed);
}

int packed_open(Packed *packed, struct archive *archive)
{
	return archive_read_open(archive, packed, NULL, packed_next_piece, NULL);
}
