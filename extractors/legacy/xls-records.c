/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/legacy/xls-records.h"

enum { R_CONTINUE = 0x3c, WIDE = 1, EXTENDED = 4, RICH = 8 };

bool records_next(Records *r)
{
	if (r->stream.size < 4 || r->at > r->stream.size - 4)
		return false;
	r->kind = le16(r->stream, r->at);
	size_t length = le16(r->stream, r->at + 2);
	r->record = bytes_part(r->stream, r->at + 4, length);
	r->at += 4 + r->record.size;
	return true;
}

/* Moves to the next record if it continues this one. */
static bool records_continue(Records *r)
{
	bool more = r->stream.size >= 4 && r->at <= r->stream.size - 4 &&
	            le16(r->stream, r->at) == R_CONTINUE && records_next(r);
	r->failed = r->failed || !more;
	return more;
}

void records_take(Records *r, size_t size)
{
	while (size > 0 && !r->failed) {
		if (r->record.size == 0 && !records_continue(r))
			return;
		size_t step = MIN(size, r->record.size);
		r->record = bytes_part(r->record, step, SIZE_MAX);
		size -= step;
	}
}

static uint32_t xls_number(Records *r, size_t size)
{
	uint32_t value = 0;
	for (size_t i = 0; i < size && !r->failed; i++) {
		if (r->record.size == 0 && !records_continue(r))
			return 0;
		value |= (uint32_t)(r->record.size > 0 ? r->record.data[0] : 0) << (8 * i);
		records_take(r, 1);
	}
	return value;
}

uint32_t records_u32(Records *r)
{
	return xls_number(r, 4);
}

static void put_characters(Records *r, GString *text, size_t count, bool wide)
{
	while (count > 0 && !r->failed) {
		if (r->record.size < (wide ? 2 : 1)) {
			if (!records_continue(r))
				return;
			wide = xls_number(r, 1) & WIDE;
			continue;
		}
		size_t n = MIN(count, r->record.size / (wide ? 2 : 1));
		Bytes part = bytes_part(r->record, 0, n * (wide ? 2 : 1));
		if (wide)
			put_utf16(text, part);
		else
			put_encoded(text, part, charset_find("iso-8859-1"));
		r->record = bytes_part(r->record, part.size, SIZE_MAX);
		count -= n;
	}
}

char *records_characters(Records *r, size_t count)
{
	GString *text = g_string_new(NULL);
	bool wide = xls_number(r, 1) & WIDE;
	put_characters(r, text, count, wide);
	return g_string_free(text, FALSE);
}

char *records_string(Records *r)
{
	GString *text = g_string_new(NULL);
	size_t count = xls_number(r, 2);
	unsigned flags = xls_number(r, 1);
	size_t runs = flags & RICH ? xls_number(r, 2) : 0;
	size_t extra = flags & EXTENDED ? xls_number(r, 4) : 0;
	put_characters(r, text, count, flags & WIDE);
	records_take(r, runs * 4);
	records_take(r, extra);
	return g_string_free(text, FALSE);
}
