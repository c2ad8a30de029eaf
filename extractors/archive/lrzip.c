/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/archive/lrzip.h"
#include "extractors/archive/lrzblocks.h"
#include "extractors/shared/bytes.h"
#include <lzo/lzoconf.h>
#include <string.h>

enum {
	MAGIC_BYTES = 24,
	PROPERTIES_AT = 16,
	HAS_MD5_AT = 21,
	IS_ENCRYPTED_AT = 22,
	OLDEST = 4, /* the minor number of a version */
	WITH_WIDTH = 5, /* from it on each chunk says how wide its numbers are */
	WITH_END =
	        6, /* whether it is the last, and how long it becomes; all numbers are that wide */
	WIDEST = 8,
	LENGTH_BYTES = 2, /* of an order; before WITH_WIDTH as wide as all numbers */
	SUM_BYTES = 4,
	MD5_BYTES = 16, /* of the whole, at the end */
	PIECE_BYTES = 64 << 10,
	MEMORY_SHARE = 4,
};

struct Lrzip {
	Bytes all;
	size_t at; /* of the next chunk */
	unsigned version, width; /* width: of the distances in this chunk */
	bool is_summed, is_open, is_last;
	uint64_t size, made; /* of the whole; size is used before WITH_END */
	LrzForm form;
	LrzBlocks orders, bytes;
	uint64_t fresh, again; /* bytes of the current order that are missing yet */
	uint64_t back; /* so far back are those to be had again */
	uint8_t *window; /* the last bytes of the chunk, as a ring once it is as large as it may be
	                  */
	size_t room, max_room;
	uint64_t end; /* bytes of the chunk so far */
	uint32_t sum;
	DocReason reason;
	const char *detail;
};

bool lrzip_is(const Input *in)
{
	return in->size >= MAGIC_BYTES && memcmp(in->data, "LRZI", 4) == 0;
}

static bool lrzip_give_up(Lrzip *lrzip, DocReason reason, const char *detail)
{
	if (lrzip->reason == REASON_NONE) {
		lrzip->reason = reason;
		lrzip->detail = detail;
	}
	return false;
}

Lrzip *lrzip_new(const Input *in)
{
	Lrzip *lrzip = g_new0(Lrzip, 1);
	*lrzip = (Lrzip){.all = {in->data, in->size},
	        .at = MAGIC_BYTES,
	        .version = in->data[5],
	        .max_room = MAX(in->limits->memory_bytes / MEMORY_SHARE, (uint64_t)PIECE_BYTES)};
	lrzip->form = (LrzForm){
	        .width = WIDEST, .properties = in->data + PROPERTIES_AT, .max = lrzip->max_room};
	lrzip->size = le64(lrzip->all, 6);
	lrzip->is_summed = lrzip->version >= WITH_END || !in->data[HAS_MD5_AT];
	if (in->data[4] != 0 || lrzip->version < OLDEST || lrzip->version > WITH_END)
		lrzip_give_up(lrzip, REASON_UNSUPPORTED, "another version of its format");
	else if (lrzip->version >= WITH_END && in->data[IS_ENCRYPTED_AT])
		lrzip_give_up(lrzip, REASON_ENCRYPTED, NULL);
	return lrzip;
}

static void close_chunk(Lrzip *lrzip)
{
	if (lrzip->is_open) {
		lrzblocks_close(&lrzip->orders);
		lrzblocks_close(&lrzip->bytes);
	}
	lrzip->is_open = false;
}

void lrzip_free(Lrzip *lrzip)
{
	close_chunk(lrzip);
	g_free(lrzip->window);
	g_free(lrzip);
}

DocReason lrzip_reason(const Lrzip *lrzip)
{
	return lrzip->reason;
}

const char *lrzip_detail(const Lrzip *lrzip)
{
	return lrzip->detail;
}

/* ---- chunks */

/* What lies before the headers of its streams. */
static bool read_widths(Lrzip *lrzip)
{
	bool has_end = lrzip->version >= WITH_END;
	size_t left = lrzip->all.size - lrzip->at;
	lrzip->width = WIDEST;
	if (lrzip->version < WITH_WIDTH)
		return true;
	if (left < 2)
		return lrzip_give_up(lrzip, REASON_DAMAGED, NULL);
	lrzip->width = lrzip->all.data[lrzip->at++];
	if (lrzip->width == 0 || lrzip->width > WIDEST)
		return lrzip_give_up(lrzip, REASON_DAMAGED, NULL);
	if (!has_end)
		return true;
	lrzip->is_last = lrzip->all.data[lrzip->at++];
	if (left < 2 + lrzip->width)
		return lrzip_give_up(lrzip, REASON_DAMAGED, NULL);
	lrzip->at += lrzip->width;
	lrzip->form.width = lrzip->width;
	return true;
}

/* Of what was read from a pipe the size is not told. */
static bool is_at_end(const Lrzip *lrzip)
{
	if (lrzip->version >= WITH_END)
		return lrzip->is_last;
	return lrzip->size > 0 ? lrzip->made >= lrzip->size
	                       : lrzip->all.size - lrzip->at <= MD5_BYTES;
}

static bool open_chunk(Lrzip *lrzip)
{
	if (is_at_end(lrzip) || lrzip->reason != REASON_NONE || !read_widths(lrzip))
		return false;
	Bytes chunk = bytes_part(lrzip->all, lrzip->at, SIZE_MAX);
	lrzblocks_open(&lrzip->orders, chunk, 0, &lrzip->form);
	lrzblocks_open(&lrzip->bytes, chunk, 1 + 3 * lrzip->form.width, &lrzip->form);
	lrzip->is_open = true;
	lrzip->at += MAX(lrzblocks_end(&lrzip->orders), lrzblocks_end(&lrzip->bytes));
	lrzip->end = 0;
	lrzip->sum = 0;
	return true;
}

/* From a stream; false if it does not have so much. */
static bool lrzip_take(Lrzip *lrzip, LrzBlocks *from, uint8_t *to, size_t size)
{
	if (lrzblocks_take(from, to, size) == size)
		return true;
	return lrzip_give_up(lrzip, from->reason ? from->reason : REASON_DAMAGED, from->detail);
}

static uint64_t lrzip_take_number(Lrzip *lrzip, unsigned width)
{
	uint8_t bytes[WIDEST] = {0};
	lrzip_take(lrzip, &lrzip->orders, bytes, width);
	return le64((Bytes){bytes, sizeof bytes}, 0);
}

/* The program begins with none of the bits set and leaves them as they come out. */
static uint32_t sum_on(uint32_t sum, const uint8_t *bytes, size_t size)
{
	return ~lzo_crc32(~sum, bytes, size);
}

static void end_chunk(Lrzip *lrzip)
{
	uint32_t sum = lrzip_take_number(lrzip, SUM_BYTES);
	if (lrzip->reason == REASON_NONE && lrzip->is_summed && sum != lrzip->sum)
		lrzip_give_up(lrzip, REASON_DAMAGED, NULL);
	close_chunk(lrzip);
}

/* ---- what comes out */

/* False at the end of the chunk, and at damage. */
static bool next_order(Lrzip *lrzip)
{
	bool is_again = lrzip_take_number(lrzip, 1) != 0;
	bool is_short = lrzip->version >= WITH_WIDTH;
	uint64_t length = lrzip_take_number(lrzip, is_short ? LENGTH_BYTES : WIDEST);
	if (lrzip->reason != REASON_NONE)
		return false;
	if (!is_again) {
		lrzip->fresh = length;
		return length > 0;
	}
	lrzip->back = lrzip_take_number(lrzip, lrzip->width);
	lrzip->again = length;
	if (length == 0 || lrzip->back == 0 || lrzip->back > lrzip->end)
		return lrzip_give_up(lrzip, REASON_DAMAGED, NULL);
	if (lrzip->back > lrzip->max_room)
		return lrzip_give_up(lrzip, REASON_LIMIT_MEMORY, "too far back in it");
	return true;
}

static bool lrzip_make_room(Lrzip *lrzip)
{
	if (lrzip->end < lrzip->room || lrzip->room == lrzip->max_room)
		return true;
	size_t more = lrzip->room ? MIN(lrzip->room * 2, lrzip->max_room) : PIECE_BYTES;
	uint8_t *window = g_try_realloc(lrzip->window, more);
	if (!window)
		return lrzip_give_up(lrzip, REASON_LIMIT_MEMORY, NULL);
	lrzip->window = window;
	lrzip->room = more;
	return true;
}

static void lrzip_repeat(Lrzip *lrzip, size_t at, size_t size)
{
	size_t from = (lrzip->end - lrzip->back) % lrzip->room;
	for (size_t i = 0; i < size; i++) {
		lrzip->window[at + i] = lrzip->window[from++];
		if (from == lrzip->room)
			from = 0;
	}
}

/* Bytes of the current order, to at in the window; 0: there are no more, for now. */
static size_t lrzip_follow(Lrzip *lrzip, size_t at, size_t room)
{
	if (lrzip->fresh == 0 && lrzip->again == 0 && !next_order(lrzip))
		return 0;
	bool is_fresh = lrzip->fresh > 0;
	uint64_t *left = is_fresh ? &lrzip->fresh : &lrzip->again;
	size_t n = MIN(*left, room);
	if (is_fresh) {
		size_t got = lrzblocks_take(&lrzip->bytes, lrzip->window + at, n);
		if (got < n)
			lrzip_take(lrzip, &lrzip->bytes, lrzip->window + at + got, 1);
		n = got;
	} else {
		lrzip_repeat(lrzip, at, n);
	}
	*left -= n;
	lrzip->end += n;
	return n;
}

/* Up to the end of the chunk, of a piece, or of the ring. */
static size_t lrzip_fill(Lrzip *lrzip, size_t at)
{
	size_t room = MIN((size_t)PIECE_BYTES, lrzip->room - at), used = 0, more = 1;
	while (used < room && more > 0 && lrzip->reason == REASON_NONE)
		used += more = lrzip_follow(lrzip, at + used, room - used);
	lrzip->sum = sum_on(lrzip->sum, lrzip->window + at, used);
	lrzip->made += used;
	if (more == 0 && lrzip->reason == REASON_NONE)
		end_chunk(lrzip);
	return used;
}

static la_ssize_t lrzip_next_piece(struct archive *archive, void *data, const void **bytes_r)
{
	Lrzip *lrzip = data;
	while (lrzip->reason == REASON_NONE) {
		if (!lrzip->is_open && !open_chunk(lrzip))
			break;
		if (!lrzip_make_room(lrzip))
			break;
		size_t at = lrzip->end % lrzip->room;
		size_t size = lrzip_fill(lrzip, at);
		*bytes_r = lrzip->window + at;
		if (size > 0)
			return size;
	}
	return 0;
}

int lrzip_open(Lrzip *lrzip, struct archive *archive)
{
	return archive_read_open(archive, lrzip, NULL, lrzip_next_piece, NULL);
}
