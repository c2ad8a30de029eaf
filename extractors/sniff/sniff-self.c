/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/sniff/sniff-self.h"
#include "extractors/shared/bytes.h"
#include <glib.h>
#include <stdbool.h>
#include <string.h>

enum {
	PROGRAM_BYTES = 1 << 20, /* of the part that unpacks */
	ZIP_END = 22,
	ZIP_COMMENT_MAX = 65535,
};

static bool is_program(const char *mime)
{
	static const char *const types[] = {"application/vnd.microsoft.portable-executable",
	        "application/x-dosexec", "application/x-executable", "application/x-pie-executable",
	        "application/x-sharedlib", "application/x-msdownload", NULL};
	return g_strv_contains(types, mime);
}

/* The end of the central directory (APPNOTE 4.3.16), with the directory right before it; padding
 * may follow. */
static bool is_zip_end(const uint8_t *data, size_t size, size_t at)
{
	Bytes end = {data + at, size - at};
	size_t length = le32(end, 12);
	return le16(end, 20) <= size - at - ZIP_END && le16(end, 10) > 0 && length >= 46 &&
	       length <= at && memcmp(data + at - length, "PK\1\2", 4) == 0;
}

static bool has_zip_end(const uint8_t *data, size_t size)
{
	if (size < ZIP_END)
		return false;
	size_t first = size - ZIP_END - MIN(size - ZIP_END, (size_t)ZIP_COMMENT_MAX);
	for (size_t at = size - ZIP_END + 1; at-- > first;)
		if (data[at] == 'P' && memcmp(data + at, "PK\5\6", 4) == 0 &&
		        is_zip_end(data, size, at))
			return true;
	return false;
}

/* The main header of version 4 (kind 0x73, of 13 bytes and more) or 5 (kind 1). */
static bool is_rar(Bytes b)
{
	if (b.size < 32)
		return false;
	if (b.data[6] == 0)
		return b.data[9] == 0x73 && le16(b, 12) >= 13 && le16(b, 12) < 256;
	return b.data[6] == 1 && b.data[7] == 0 && b.data[12] >= 3 && b.data[12] < 128 &&
	       b.data[13] == 1;
}

/* Version 0, and a header at the end that lies within the file. */
static bool is_7z(Bytes b)
{
	if (b.size < 32 || b.data[6] != 0)
		return false;
	uint64_t offset = le64(b, 12);
	uint64_t length = le64(b, 20);
	return length > 0 && offset < b.size && length <= b.size - 32 &&
	       offset + length <= b.size - 32;
}

/* Version 1.3, and all of it is there. */
static bool is_cabinet(Bytes b)
{
	return b.size >= 36 && le32(b, 4) == 0 && le32(b, 8) <= b.size && le32(b, 8) > 36 &&
	       b.data[24] == 3 && b.data[25] == 1;
}

static uint32_t sniff_sum_of(const uint8_t *bytes, size_t size)
{
	uint32_t sum = UINT32_MAX;
	for (size_t i = 0; i < size; i++) {
		sum ^= bytes[i];
		for (unsigned bit = 0; bit < 8; bit++)
			sum = sum >> 1 ^ (sum & 1 ? 0xedb88320 : 0);
	}
	return ~sum;
}

/* The main header, with its sum (arj.h). */
static bool is_arj(Bytes b)
{
	enum { SHORTEST = 30, LONGEST = 2600, MAIN = 2 };
	size_t size = le16(b, 2);
	Bytes basic = bytes_part(b, 4, size);
	return size >= SHORTEST && size <= LONGEST && basic.size == size &&
	       basic.data[0] >= SHORTEST && basic.data[6] == MAIN &&
	       sniff_sum_of(basic.data, size) == le32(b, 4 + size);
}

static const struct {
	const char *mark;
	size_t length;
	bool (*is)(Bytes bytes);
	const char *mime;
} kinds[] = {
        {"Rar!\x1a\7", 6, is_rar, "application/vnd.rar"},
        {"7z\xbc\xaf\x27\x1c", 6, is_7z, "application/x-7z-compressed"},
        {"MSCF\0\0\0\0", 8, is_cabinet, "application/vnd.ms-cab-compressed"},
        {"\x60\xea", 2, is_arj, "application/x-arj"},
};

static const char *behind_program(const uint8_t *data, size_t size, size_t *start_r)
{
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		const uint8_t *end = data + MIN(size, (size_t)PROGRAM_BYTES), *at = data;
		while ((at = memmem(at, end - at, kinds[i].mark, kinds[i].length))) {
			*start_r = at - data;
			if (kinds[i].is((Bytes){at, size - *start_r}))
				return kinds[i].mime;
			at++;
		}
	}
	return NULL;
}

const char *sniff_self_type(const uint8_t *data, size_t size, const char *mime, size_t *start_r)
{
	bool program = is_program(mime);
	*start_r = 0;
	if (!program && strcmp(mime, "application/octet-stream") != 0)
		return NULL;
	if (has_zip_end(data, size))
		return "application/zip";
	return program ? behind_program(data, size, start_r) : NULL;
}

bool sniff_self_is_arj(const uint8_t *data, size_t size)
{
	return size > 2 && memcmp(data, "\x60\xea", 2) == 0 && is_arj((Bytes){data, size});
}
