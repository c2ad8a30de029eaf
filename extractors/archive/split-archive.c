/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/archive/split-archive.h"
#include "extractors/archive/zipdir.h"
#include "extractors/shared/bytes.h"
#include "extractors/sniff/sniff.h"
#include <string.h>

/* Reads a number with seven bits in each byte, the lowest first, and moves *at past it. */
static uint64_t split_take_number(Bytes b, size_t *at)
{
	uint64_t value = 0;
	for (unsigned shift = 0; shift < 63 && *at < b.size; shift += 7) {
		uint8_t byte = b.data[(*at)++];
		value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			break;
	}
	return value;
}

/* The main header of version 5 has a checksum, size, kind, flags, the size of the extra area, and
 * the flags of the archive ("RAR 5.0 archive format"). */
static bool is_rar5_part(Bytes all)
{
	enum { HEADER = 8, SUM_BYTES = 4, MORE = 1, VOLUME = 1 };
	size_t at = HEADER + SUM_BYTES;
	split_take_number(all, &at);
	uint64_t kind = split_take_number(all, &at);
	if (split_take_number(all, &at) & MORE)
		split_take_number(all, &at);
	return kind == 1 && (split_take_number(all, &at) & VOLUME);
}

bool parts_is_marked(const Input *in)
{
	enum { RAR_FLAGS = 10, RAR_VOLUME = 1, CABINET_FLAGS = 30, BEFORE_OR_AFTER = 3 };
	Bytes all = {in->data, in->size};
	if (in->size < 32)
		return false;
	if (memcmp(in->data, "Rar!\x1a\7\0", 7) == 0)
		return le16(all, RAR_FLAGS) & RAR_VOLUME;
	if (memcmp(in->data, "Rar!\x1a\7\1\0", 8) == 0)
		return is_rar5_part(all);
	if (memcmp(in->data, "MSCF\0\0\0\0", 8) == 0)
		return le16(all, CABINET_FLAGS) & BEFORE_OR_AFTER;
	/* an archive that turned out smaller than one part begins in the same way but has a
	 * directory */
	ZipDir dir;
	return memcmp(in->data, "PK\7\10PK\3\4", 8) == 0 && !zipdir_open(&dir, in);
}

size_t parts_find_tar(const Input *in)
{
	enum { MARK_AT = 257 };
	const uint8_t *end = in->data + in->size, *at = in->data;
	if (in->size < MARK_AT)
		return in->size;
	while ((at = memmem(at, end - at, "ustar", 5))) {
		size_t mark = at - in->data;
		if (mark >= MARK_AT && sniff_is_tar(at - MARK_AT, in->size - (mark - MARK_AT)))
			return mark - MARK_AT;
		at++;
	}
	return in->size;
}
