/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/sniff/sniff-self.h"
#include "extractors/shared/bytes.h"
#include <glib.h>
#include <stdbool.h>
#include <string.h>

enum {
	PROGRAM_BYTES = 1 << 20, /* most bytes of the unpacking program */
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

/* True if the end of a central directory (APPNOTE 4.3.16) is at this offset, with the directory
 * right before it. Padding may follow. */
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

/* Checks for the main header of version 4 (kind 0x73, 13 bytes or more) or 5 (kind 1). */
static bool is_rar(Bytes b)
{
	if (b.size < 32)
		return false;
	if (b.data[6] == 0)
		return b.data[9] == 0x73 && le16(b, 12) >= 13 && le16(b, 12) < 256;
	return b.data[6] == 1 && b.data[7] == 0 && b.data[12] >= 3 && b.data[12] < 128 &&
	       b.data[13] == 1;
}

/* Checks for version 0 and an end header within the file. */
static bool is_7z(Bytes b)
{
	if (b.size < 32 || b.data[6] != 0)
		return false;
	uint64_t offset = le64(b, 12);
	uint64_t length = le64(b, 20);
	return length > 0 && offset < b.size && length <= b.size - 32 &&
	       offset + length <= b.size - 32;
}

/* Checks for version 1.3 and that the cabinet is complete. */
static bool is_cabinet(Bytes b)
{
	return b.size >= 36 && le32(b, 4) == 0 && le32(b, 8) <= b.size && le32(b, 8) > 36 &&
	       b.data[24] == 3 && b.data[25] == 1;
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
