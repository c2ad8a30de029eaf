/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/ooxml/xlsb-records.h"
#include <string.h>

enum { RECORD_BYTES = 1 << 20 /* longer records are skipped */ };

BinaryPart *binary_part_new(ZipParts *zip)
{
	BinaryPart *part = g_new(BinaryPart, 1);
	part->zip = zip;
	part->at = part->filled = 0;
	part->kind = 0;
	part->cut = false;
	part->record = g_byte_array_new();
	return part;
}

void binary_part_free(BinaryPart *part)
{
	g_byte_array_unref(part->record);
	g_free(part);
}

static bool xlsb_records_fill(BinaryPart *part)
{
	if (part->at < part->filled)
		return true;
	ssize_t n = zip_part_read(part->zip, part->buffer, sizeof part->buffer);
	part->at = 0;
	part->filled = n > 0 ? n : 0;
	return n > 0;
}

/* Reads a number of at most max_groups groups of 7 bits. */
static bool xlsb_records_read_number(BinaryPart *part, unsigned max_groups, uint32_t *number_r)
{
	*number_r = 0;
	for (unsigned i = 0; i < max_groups; i++) {
		if (!xlsb_records_fill(part))
			return false;
		uint8_t byte = part->buffer[part->at++];
		*number_r |= (uint32_t)(byte & 0x7f) << (7 * i);
		if (!(byte & 0x80))
			break;
	}
	return true;
}

bool binary_next(BinaryPart *part)
{
	uint32_t length;
	g_byte_array_set_size(part->record, 0);
	if (!xlsb_records_fill(part))
		return false;
	part->cut = true; /* reset once the record is complete */
	if (!xlsb_records_read_number(part, 2, &part->kind) ||
	        !xlsb_records_read_number(part, 4, &length))
		return false;
	bool keep = length <= RECORD_BYTES;
	while (length > 0) {
		if (!xlsb_records_fill(part))
			return false;
		size_t n = MIN((size_t)length, part->filled - part->at);
		if (keep)
			g_byte_array_append(part->record, part->buffer + part->at, n);
		part->at += n;
		length -= n;
	}
	part->cut = false;
	return true;
}

unsigned binary_byte(const BinaryPart *part, size_t at)
{
	return at < part->record->len ? part->record->data[at] : 0;
}

uint32_t binary_u16(const BinaryPart *part, size_t at)
{
	const GByteArray *r = part->record;
	return at + 2 <= r->len ? r->data[at] | r->data[at + 1] << 8 : 0;
}

uint32_t binary_u32(const BinaryPart *part, size_t at)
{
	return at + 4 <= part->record->len ? binary_u16(part, at) | binary_u16(part, at + 2) << 16
	                                   : 0;
}

double binary_double(const BinaryPart *part, size_t at)
{
	uint64_t bits = binary_u32(part, at) | (uint64_t)binary_u32(part, at + 4) << 32;
	double value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

char *binary_string(const BinaryPart *part, size_t *at)
{
	uint32_t count = binary_u32(part, *at);
	size_t from = *at + 4, there = part->record->len > from ? part->record->len - from : 0;
	*at = from;
	if (count == UINT32_MAX)
		return g_strdup("");
	count = MIN((size_t)count, there / 2);
	GString *text = g_string_sized_new(count);
	for (uint32_t i = 0; i < count; i++) {
		gunichar c = binary_u16(part, from + 2 * (size_t)i);
		gunichar low = i + 1 < count ? binary_u16(part, from + 2 * (size_t)i + 2) : 0;
		if (c >= 0xd800 && c < 0xdc00 && low >= 0xdc00 && low < 0xe000) {
			c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
			i++;
		}
		g_string_append_unichar(text, g_unichar_validate(c) ? c : 0xfffd);
	}
	*at += 2 * (size_t)count;
	return g_string_free(text, FALSE);
}
