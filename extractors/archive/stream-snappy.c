/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stream-snappy.c - the framing format of Snappy (framing_format.txt and format_description.txt of
 * that project), with the checksum of each frame */
#include <config.h>
#include "extractors/archive/stream.h"
#include "extractors/shared/crc.h"
#include <string.h>

enum {
	FRAME_HEADER = 4,
	PACKED_FRAME = 0,
	PLAIN_FRAME = 1,
	SKIPPABLE = 0x80, /* and all higher kinds */
};

static uint32_t snappy_masked_crc(const uint8_t *bytes, size_t size)
{
	uint32_t sum = crc_of(bytes, size, CRC_CASTAGNOLI);
	return (sum >> 15 | sum << 17) + 0xa282ead8;
}

/* Reads the length at the beginning of a block, seven bits in each byte, and moves *at past it. */
static uint32_t snappy_take_length(Bytes block, size_t *at)
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

static uint32_t snappy_take_number(Bytes block, size_t *at, size_t bytes)
{
	uint32_t number = 0;
	for (size_t i = 0; i < bytes && *at < block.size; i++)
		number |= (uint32_t)block.data[(*at)++] << 8 * i;
	return number;
}

typedef struct {
	size_t length, back; /* back 0: the bytes follow */
} SnappyElement;

static SnappyElement snappy_take_element(Bytes block, size_t *at)
{
	uint8_t tag = block.data[(*at)++];
	size_t upper = tag >> 2, more = tag & 3;
	SnappyElement element = {.length = upper + 1};
	if (more == 0 && upper >= 60) {
		element.length = 1 + (size_t)snappy_take_number(block, at, upper - 59);
	} else if (more == 1) {
		element.length = 4 + (upper & 7);
		element.back = (size_t)(tag >> 5) << 8 | snappy_take_number(block, at, 1);
	} else if (more > 1) {
		element.back = snappy_take_number(block, at, more == 2 ? 2 : 4);
	}
	return element;
}

/* Returns the unpacked size of the block, or 0 if it is damaged. */
static size_t snappy_unpack_block(Bytes block, uint8_t *out)
{
	size_t at = 0, used = 0, length = snappy_take_length(block, &at);
	if (length > STREAM_PIECE_BYTES)
		return 0;
	while (at < block.size) {
		bool copy = (block.data[at] & 3) != 0;
		SnappyElement element = snappy_take_element(block, &at);
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

/* Unpacks one data frame. Returns 0 if it is damaged. */
static size_t snappy_unpack_frame(unsigned kind, Bytes frame, uint8_t *piece)
{
	Bytes body = bytes_part(frame, 4, frame.size);
	size_t size = 0;
	if (kind == PACKED_FRAME && body.size > 0)
		size = snappy_unpack_block(body, piece);
	else if (kind == PLAIN_FRAME && body.size <= STREAM_PIECE_BYTES && body.size > 0)
		memcpy(piece, body.data, size = body.size);
	return size > 0 && snappy_masked_crc(piece, size) == le32(frame, 0) ? size : 0;
}

/* Reads the next data frame. */
static StreamState snappy_read(void *decoder, Bytes *packed, uint8_t *piece, size_t *size_r)
{
	while (packed->size >= FRAME_HEADER) {
		uint32_t header = le32(*packed, 0);
		unsigned kind = header & 0xff, length = header >> 8;
		Bytes frame = bytes_part(*packed, FRAME_HEADER, length);
		bool is_cut = frame.size < length;
		*packed = bytes_part(*packed, FRAME_HEADER + length, SIZE_MAX);
		if (kind >= SKIPPABLE && !is_cut)
			continue;
		*size_r = is_cut ? 0 : snappy_unpack_frame(kind, frame, piece);
		return *size_r > 0 ? STREAM_GOES_ON : STREAM_DAMAGED;
	}
	return packed->size == 0 ? STREAM_ENDED : STREAM_DAMAGED;
}

const StreamFilter stream_snappy = {.mime = "application/x-snappy-framed", .read = snappy_read};
