/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/archive/lrzblocks.h"
#include <archive_entry.h>
#include <lzo/lzo1x.h>
#include <string.h>

enum {
	PIECE_BYTES = 64 << 10,
	MOST_FROM_ONE = 256, /* bytes that LZO makes of one */
	DICTIONARY_MIN = 4 << 10,
	PLAIN = 3,
	BZIP2 = 4,
	LZO = 5,
	LZMA = 6,
	GZIP = 7,
	ZPAQ = 8,
};

typedef struct {
	unsigned method;
	uint64_t packed, plain, next;
	size_t end; /* behind it */
} Header;

static uint64_t lrzblocks_number(Bytes b, size_t at, unsigned width)
{
	uint64_t value = 0;
	for (unsigned i = 0; i < width && at + i < b.size; i++)
		value |= (uint64_t)b.data[at + i] << 8 * i;
	return value;
}

/* False: it does not lie in the chunk. */
static bool lrzblocks_read_header(Bytes chunk, uint64_t at, unsigned width, Header *header)
{
	size_t size = 1 + 3 * width;
	if (at > chunk.size || chunk.size - at < size)
		return false;
	*header = (Header){.method = chunk.data[at],
	        .packed = lrzblocks_number(chunk, at + 1, width),
	        .plain = lrzblocks_number(chunk, at + 1 + width, width),
	        .next = lrzblocks_number(chunk, at + 1 + 2 * width, width),
	        .end = at + size};
	return true;
}

static bool lrzblocks_give_up(LrzBlocks *blocks, DocReason reason, const char *detail)
{
	blocks->reason = reason;
	blocks->detail = detail;
	return false;
}

void lrzblocks_open(LrzBlocks *blocks, Bytes chunk, size_t at, const LrzForm *form)
{
	Header first;
	*blocks = (LrzBlocks){.chunk = chunk, .form = *form};
	if (!lrzblocks_read_header(chunk, at, form->width, &first))
		lrzblocks_give_up(blocks, REASON_DAMAGED, NULL);
	else if (first.next > 0 && first.next < first.end)
		lrzblocks_give_up(blocks, REASON_DAMAGED, NULL);
	else
		blocks->next = first.next;
}

static void lrzblocks_end_block(LrzBlocks *blocks)
{
	g_clear_object(&blocks->zlib);
	g_clear_pointer(&blocks->archive, archive_read_free);
	g_clear_pointer(&blocks->room, g_free);
	blocks->piece = (Bytes){NULL, 0};
}

void lrzblocks_close(LrzBlocks *blocks)
{
	lrzblocks_end_block(blocks);
}

size_t lrzblocks_end(const LrzBlocks *blocks)
{
	size_t end = 0;
	uint64_t next = blocks->next;
	while (next > 0) {
		Header header;
		if (!lrzblocks_read_header(blocks->chunk, next, blocks->form.width, &header) ||
		        header.packed > blocks->chunk.size - header.end)
			return blocks->chunk.size;
		end = MAX(end, header.end + (size_t)header.packed);
		if (header.next > 0 && header.next < header.end)
			return blocks->chunk.size;
		next = header.next;
	}
	return end;
}

/* ---- the ways in which a block is compressed */

/* As much of it as there may be, or as can be read. */
static bool unpack_lzo(LrzBlocks *blocks)
{
	if (blocks->left / MOST_FROM_ONE > blocks->packed.size)
		return lrzblocks_give_up(blocks, REASON_DAMAGED, NULL);
	lzo_uint size = MIN(blocks->left, blocks->form.max);
	blocks->room = g_try_malloc(size);
	if (!blocks->room)
		return lrzblocks_give_up(blocks, REASON_LIMIT_MEMORY, NULL);
	int status = lzo1x_decompress_safe(
	        blocks->packed.data, blocks->packed.size, blocks->room, &size, NULL);
	if (status == LZO_E_OUTPUT_OVERRUN && blocks->left > blocks->form.max)
		blocks->rest = REASON_LIMIT_MEMORY;
	blocks->piece = (Bytes){blocks->room, size};
	return true;
}

/* The header of a file, and what was compressed. */
static la_ssize_t lrzblocks_feed(struct archive *archive, void *data, const void **bytes_r)
{
	LrzBlocks *blocks = data;
	if (blocks->method == LZMA && !blocks->head_is_read) {
		blocks->head_is_read = true;
		*bytes_r = blocks->head;
		return sizeof blocks->head;
	}
	Bytes packed = blocks->packed;
	blocks->packed.size = 0;
	*bytes_r = packed.data;
	return packed.size;
}

/* Of a file of LZMA; no larger a dictionary than the block can use, or than there may be. */
static void make_head(LrzBlocks *blocks)
{
	uint64_t wanted = lrzblocks_number((Bytes){blocks->form.properties, LRZ_PROPERTIES}, 1, 4);
	wanted = MIN(wanted, MAX(blocks->left, (uint64_t)DICTIONARY_MIN));
	uint64_t dictionary = MIN(wanted, blocks->form.max);
	if (dictionary < wanted)
		blocks->rest = REASON_LIMIT_MEMORY;
	blocks->head_is_read = false;
	blocks->head[0] = *blocks->form.properties;
	for (unsigned i = 0; i < 4; i++)
		blocks->head[1 + i] = dictionary >> 8 * i;
	for (unsigned i = 0; i < 8; i++)
		blocks->head[LRZ_PROPERTIES + i] = blocks->left >> 8 * i;
}

/* By the library's filter alone: what comes out may look like anything. */
static bool open_filter(LrzBlocks *blocks, int filter)
{
	struct archive_entry *entry;
	if (filter == ARCHIVE_FILTER_LZMA)
		make_head(blocks);
	blocks->archive = archive_read_new();
	archive_read_support_format_raw(blocks->archive);
	if (archive_read_append_filter(blocks->archive, filter) == ARCHIVE_OK &&
	        archive_read_open(blocks->archive, blocks, NULL, lrzblocks_feed, NULL) ==
	                ARCHIVE_OK &&
	        archive_read_next_header(blocks->archive, &entry) == ARCHIVE_OK)
		return true;
	bool no_room = archive_errno(blocks->archive) == ENOMEM;
	return lrzblocks_give_up(blocks, no_room ? REASON_LIMIT_MEMORY : blocks->rest, NULL);
}

static bool open_zlib(LrzBlocks *blocks)
{
	blocks->zlib = G_CONVERTER(g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_ZLIB));
	blocks->room = g_malloc(PIECE_BYTES);
	return true;
}

static bool lrzblocks_begin_block(LrzBlocks *blocks)
{
	switch (blocks->method) {
	case PLAIN:
		blocks->piece = blocks->packed;
		return true;
	case LZO:
		return unpack_lzo(blocks);
	case GZIP:
		return open_zlib(blocks);
	case BZIP2:
		return open_filter(blocks, ARCHIVE_FILTER_BZIP2);
	case LZMA:
		return open_filter(blocks, ARCHIVE_FILTER_LZMA);
	case ZPAQ:
		return lrzblocks_give_up(blocks, REASON_UNSUPPORTED, "it is compressed with ZPAQ");
	default:
		return lrzblocks_give_up(blocks, REASON_UNSUPPORTED, NULL);
	}
}

/* False: there is no further block, or none that can be read. */
static bool lrzblocks_next_block(LrzBlocks *blocks)
{
	Header header;
	lrzblocks_end_block(blocks);
	if (blocks->next == 0)
		return false;
	if (!lrzblocks_read_header(blocks->chunk, blocks->next, blocks->form.width, &header) ||
	        (header.next > 0 && header.next < header.end))
		return lrzblocks_give_up(blocks, REASON_DAMAGED, NULL);
	blocks->next = header.next;
	blocks->method = header.method;
	blocks->left = header.plain;
	blocks->rest = REASON_DAMAGED;
	blocks->packed = bytes_part(blocks->chunk, header.end, MIN(header.packed, SIZE_MAX));
	return header.plain == 0 || lrzblocks_begin_block(blocks);
}

static bool lrzblocks_next_of_zlib(LrzBlocks *blocks)
{
	gsize read = 0, written = 0;
	GConverterResult result =
	        g_converter_convert(blocks->zlib, blocks->packed.data, blocks->packed.size,
	                blocks->room, PIECE_BYTES, G_CONVERTER_INPUT_AT_END, &read, &written, NULL);
	if (result == G_CONVERTER_ERROR || written == 0)
		return lrzblocks_give_up(blocks, REASON_DAMAGED, NULL);
	blocks->packed = bytes_part(blocks->packed, read, SIZE_MAX);
	blocks->piece = (Bytes){blocks->room, written};
	return true;
}

static bool next_of_filter(LrzBlocks *blocks)
{
	const void *bytes;
	size_t size;
	la_int64_t offset;
	if (archive_read_data_block(blocks->archive, &bytes, &size, &offset) != ARCHIVE_OK ||
	        size == 0)
		return lrzblocks_give_up(blocks, blocks->rest, NULL);
	blocks->piece = (Bytes){bytes, size};
	return true;
}

/* False: nothing more comes. */
static bool lrzblocks_next_piece(LrzBlocks *blocks)
{
	while (blocks->left == 0)
		if (!lrzblocks_next_block(blocks))
			return false;
	if (blocks->piece.size > 0)
		return true;
	if (blocks->zlib)
		return lrzblocks_next_of_zlib(blocks);
	if (blocks->archive)
		return next_of_filter(blocks);
	return lrzblocks_give_up(blocks, blocks->rest, NULL);
}

size_t lrzblocks_take(LrzBlocks *blocks, uint8_t *to, size_t size)
{
	size_t taken = 0;
	while (taken < size && blocks->reason == REASON_NONE && lrzblocks_next_piece(blocks)) {
		size_t n = MIN(MIN(size - taken, blocks->piece.size), blocks->left);
		memcpy(to + taken, blocks->piece.data, n);
		blocks->piece = bytes_part(blocks->piece, n, SIZE_MAX);
		blocks->left -= n;
		taken += n;
	}
	return taken;
}
