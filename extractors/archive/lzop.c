/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/archive/lzop.h"
#include <lzo/lzo1x.h>
#include <string.h>

enum {
	MAGIC_BYTES = 9,
	WITH_LEVEL = 0x0940, /* from this version on a header has a level and 64 bits of time */
	LAST_METHOD = 3, /* all three unpack alike */
	LAST_FILTER = 16, /* differences of bytes so far apart */
	ADLER32_PLAIN = 1 << 0,
	ADLER32_PACKED = 1 << 1,
	EXTRA_FIELD = 1 << 6,
	CRC32_PLAIN = 1 << 8,
	CRC32_PACKED = 1 << 9,
	FILTERED = 1 << 11,
	CRC32_HEADER = 1 << 12,
};

struct Lzop {
	const uint8_t *data;
	size_t size, at, max;
	size_t end; /* of the current part */
	bool failed; /* something lies beyond the end */
	uint32_t flags, filter;
	unsigned parts;
	char *name;
	uint8_t *block;
	size_t room;
	DocReason reason;
};

static const uint8_t magic[MAGIC_BYTES] = {0x89, 'L', 'Z', 'O', 0, '\r', '\n', 0x1a, '\n'};

typedef struct {
	uint32_t plain_size, packed_size; /* the same: stored as it is */
	uint32_t plain_adler, plain_crc, packed_adler, packed_crc;
	const uint8_t *bytes;
} Block;

bool lzop_is(const Input *in)
{
	return in->size > MAGIC_BYTES && memcmp(in->data, magic, MAGIC_BYTES) == 0;
}

const char *lzop_preload(void)
{
	return lzo_init() == LZO_E_OK ? NULL : "liblzo2 cannot be used";
}

Lzop *lzop_new(const Input *in, size_t max)
{
	Lzop *lzop = g_new0(Lzop, 1);
	*lzop = (Lzop){.data = in->data, .size = in->size, .max = max};
	return lzop;
}

void lzop_free(Lzop *lzop)
{
	g_free(lzop->name);
	g_free(lzop->block);
	g_free(lzop);
}

DocReason lzop_reason(const Lzop *lzop)
{
	return lzop->reason;
}

static const uint8_t *lzop_take(Lzop *lzop, size_t size)
{
	if (lzop->failed || lzop->size - lzop->at < size) {
		lzop->failed = true;
		return NULL;
	}
	lzop->at += size;
	return lzop->data + lzop->at - size;
}

static uint32_t lzop_number(Lzop *lzop, unsigned bytes)
{
	uint32_t value = 0;
	const uint8_t *from = lzop_take(lzop, bytes);
	for (unsigned i = 0; from && i < bytes; i++)
		value = value << 8 | from[i];
	return value;
}

static bool lzop_give_up(Lzop *lzop, DocReason reason)
{
	lzop->reason = reason;
	lzop->failed = true;
	return false;
}

static bool sums_match(
        const uint8_t *bytes, size_t size, bool is_adler, uint32_t adler, bool is_crc, uint32_t crc)
{
	return (!is_adler || lzo_adler32(1, bytes, size) == adler) &&
	       (!is_crc || lzo_crc32(0, bytes, size) == crc);
}

/* A header is followed by its sum; the one of the extra field, which nobody writes, has its own. */
static bool sum_follows(Lzop *lzop, size_t from)
{
	size_t size = lzop->at - from;
	bool is_crc = lzop->flags & CRC32_HEADER;
	uint32_t sum = lzop_number(lzop, 4);
	return !lzop->failed && sums_match(lzop->data + from, size, !is_crc, sum, is_crc, sum);
}

static void lzop_read_name(Lzop *lzop)
{
	size_t length = lzop_number(lzop, 1);
	const uint8_t *name = lzop_take(lzop, length);
	g_free(lzop->name);
	lzop->name = name && length > 0 ? g_strndup((const char *)name, length) : NULL;
}

static bool skip_extra_field(Lzop *lzop)
{
	size_t from = lzop->at;
	if (lzop->flags & EXTRA_FIELD) {
		lzop_take(lzop, lzop_number(lzop, 4));
		return sum_follows(lzop, from);
	}
	return true;
}

/* From the version of the program on. */
static bool lzop_read_header(Lzop *lzop)
{
	size_t from = lzop->at;
	bool is_new = lzop_number(lzop, 2) >= WITH_LEVEL;
	lzop_take(lzop, is_new ? 4 : 2); /* versions: of the library, needed */
	unsigned method = lzop_number(lzop, 1);
	lzop_take(lzop, is_new ? 1 : 0);
	lzop->flags = lzop_number(lzop, 4);
	lzop->filter = lzop->flags & FILTERED ? lzop_number(lzop, 4) : 0;
	lzop_take(lzop, is_new ? 12 : 8); /* mode, time */
	lzop_read_name(lzop);
	if (lzop->failed || !sum_follows(lzop, from) || !skip_extra_field(lzop))
		return lzop_give_up(lzop, REASON_DAMAGED);
	if (method == 0 || method > LAST_METHOD || lzop->filter > LAST_FILTER)
		return lzop_give_up(lzop, REASON_UNSUPPORTED);
	return true;
}

/* False at the end of the part, and where it is cut off. */
static bool read_block(Lzop *lzop, Block *block)
{
	*block = (Block){.plain_size = lzop_number(lzop, 4)};
	if (lzop->failed || block->plain_size == 0)
		return false;
	block->packed_size = lzop_number(lzop, 4);
	if (lzop->flags & ADLER32_PLAIN)
		block->plain_adler = lzop_number(lzop, 4);
	if (lzop->flags & CRC32_PLAIN)
		block->plain_crc = lzop_number(lzop, 4);
	bool is_packed = block->packed_size < block->plain_size;
	if (is_packed && lzop->flags & ADLER32_PACKED)
		block->packed_adler = lzop_number(lzop, 4);
	if (is_packed && lzop->flags & CRC32_PACKED)
		block->packed_crc = lzop_number(lzop, 4);
	block->bytes = lzop_take(lzop, block->packed_size);
	return block->bytes && block->packed_size <= block->plain_size;
}

/* Where the current part ends, told by the sizes of its blocks. */
static size_t lzop_find_end(Lzop *lzop)
{
	Block block;
	size_t from = lzop->at;
	while (read_block(lzop, &block))
		;
	bool whole = !lzop->failed && block.plain_size == 0;
	size_t end = whole ? lzop->at : lzop->size;
	lzop->at = from;
	lzop->failed = false;
	return end;
}

static bool has_more(const Lzop *lzop, size_t at)
{
	return lzop->size - at > MAGIC_BYTES && memcmp(lzop->data + at, magic, MAGIC_BYTES) == 0;
}

bool lzop_next(Lzop *lzop)
{
	if (lzop->parts > 0)
		lzop->at = lzop->end;
	lzop->failed = false;
	if (!has_more(lzop, lzop->at))
		return false;
	lzop->parts++;
	lzop->end = lzop->size;
	lzop_take(lzop, MAGIC_BYTES);
	if (!lzop_read_header(lzop))
		return false;
	lzop->end = lzop_find_end(lzop);
	return true;
}

const char *lzop_part_name(const Lzop *lzop)
{
	return lzop->parts > 1 || has_more(lzop, lzop->end) ? lzop->name : NULL;
}

/* Room for a block; false if it is larger than is allowed, or than its bytes can ever give. */
static bool lzop_make_room(Lzop *lzop, const Block *block)
{
	enum { MOST_FROM_ONE = 256 };
	if (block->plain_size / MOST_FROM_ONE > block->packed_size)
		return lzop_give_up(lzop, REASON_DAMAGED);
	if (block->plain_size > lzop->max)
		return lzop_give_up(lzop, REASON_LIMIT_MEMORY);
	if (block->plain_size <= lzop->room)
		return true;
	g_free(lzop->block);
	lzop->block = g_try_malloc(block->plain_size);
	lzop->room = lzop->block ? block->plain_size : 0;
	return lzop->block ? true : lzop_give_up(lzop, REASON_LIMIT_MEMORY);
}

static bool lzop_unpack(Lzop *lzop, const Block *block)
{
	lzo_uint size = block->plain_size;
	bool is_packed = block->packed_size < block->plain_size;
	if (is_packed &&
	        !sums_match(block->bytes, block->packed_size, lzop->flags & ADLER32_PACKED,
	                block->packed_adler, lzop->flags & CRC32_PACKED, block->packed_crc))
		return false;
	if (!is_packed)
		memcpy(lzop->block, block->bytes, block->plain_size);
	else if (lzo1x_decompress_safe(
	                 block->bytes, block->packed_size, lzop->block, &size, NULL) != LZO_E_OK ||
	         size != block->plain_size)
		return false;
	for (size_t i = lzop->filter; lzop->filter > 0 && i < size; i++)
		lzop->block[i] += lzop->block[i - lzop->filter];
	return sums_match(lzop->block, size, lzop->flags & ADLER32_PLAIN, block->plain_adler,
	        lzop->flags & CRC32_PLAIN, block->plain_crc);
}

/* Damage ends the part as its end does: so what came before it is read. */
static la_ssize_t lzop_next_block(struct archive *archive, void *data, const void **bytes_r)
{
	Lzop *lzop = data;
	Block block;
	bool any = !lzop->failed && read_block(lzop, &block);
	if (!any && (lzop->failed || block.plain_size > 0))
		lzop_give_up(lzop, lzop->reason ? lzop->reason : REASON_DAMAGED);
	if (!any || !lzop_make_room(lzop, &block))
		return 0;
	if (!lzop_unpack(lzop, &block)) {
		lzop_give_up(lzop, REASON_DAMAGED);
		return 0;
	}
	*bytes_r = lzop->block;
	return block.plain_size;
}

int lzop_open(Lzop *lzop, struct archive *archive)
{
	return archive_read_open(archive, lzop, NULL, lzop_next_block, NULL);
}
