/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/sniff/sniff-ole.h"
#include <glib.h>
#include <stdbool.h>
#include <string.h>

enum {
	HEADER_BYTES = 512,
	HEADER_TABLES = 109, /* sectors of the allocation table that the header lists */
	ENTRY_BYTES = 128,
	NAME_BYTES = 64,
	MAX_SECTORS = 4096,
	MAX_STEPS = 4096, /* most entries that are read */
};

typedef struct {
	const uint8_t *data;
	size_t size, sector_bytes;
	uint32_t sectors[MAX_SECTORS]; /* of the directory, in their order */
	size_t count;
} Directory;

/* The first name that exists decides. */
static const struct {
	const char *stream, *mime;
} streams[] = {
        {"EncryptedPackage", "application/encrypted"},
        {"__properties_version1.0", "application/vnd.ms-outlook"},
        {"WordDocument", "application/msword"}, {"Workbook", "application/vnd.ms-excel"},
        {"Book", "application/vnd.ms-excel"},
        {"PP97_DUALSTORAGE", "application/vnd.ms-powerpoint"}, /* and the same for 95 */
        {"PP40", "application/vnd.ms-powerpoint.95"}, /* versions up to 95 */
        {"PersistentStorage Directory", "application/vnd.ms-powerpoint.95"},
        {"PowerPoint Document", "application/vnd.ms-powerpoint"},
        {"Quill", "application/x-mspublisher"}, {"VisioDocument", "application/vnd.visio"},
        {"MatOST", "application/vnd.ms-works"}, {"MM", "application/vnd.ms-works"},
        {"NativeContent_MAIN", "application/x-quattro-pro"},
        {"PerfectOffice_MAIN", "application/vnd.wordperfect"},
        {"StarWriterDocument", "application/vnd.stardivision.writer"},
        {"StarCalcDocument", "application/vnd.stardivision.calc"},
        {"StarDrawDocument3", "application/vnd.stardivision.draw"},
        {"BodyText", "application/x-hwp"},
        {"CONTENTS", "application/vnd.ms-works"}, /* Works since 5, or Publisher 97 */
};

static uint32_t sniff_ole_u32(const Directory *d, size_t at)
{
	if (d->size < 4 || at > d->size - 4)
		return UINT32_MAX;
	const uint8_t *p = d->data + at;
	return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
}

static size_t sector_at(const Directory *d, uint32_t sector)
{
	return ((size_t)sector + 1) * d->sector_bytes;
}

/* Returns the next sector of the same stream. */
static uint32_t sector_after(const Directory *d, uint32_t sector)
{
	size_t in_table = d->sector_bytes / 4, table = sector / in_table;
	if (table >= HEADER_TABLES)
		return UINT32_MAX;
	uint32_t where = sniff_ole_u32(d, 0x4c + 4 * table);
	return where < 0xfffffff0 ? sniff_ole_u32(d, sector_at(d, where) + 4 * (sector % in_table))
	                          : UINT32_MAX;
}

/* Returns the offset of an entry; if there is none, an offset past the end. */
static size_t sniff_entry_at(const Directory *d, uint32_t entry)
{
	size_t in_sector = d->sector_bytes / ENTRY_BYTES, sector = entry / in_sector;
	if (sector >= d->count)
		return d->size;
	return sector_at(d, d->sectors[sector]) + entry % in_sector * ENTRY_BYTES;
}

static bool open_directory(Directory *d, const uint8_t *data, size_t size)
{
	if (size < HEADER_BYTES || memcmp(data, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 8) != 0)
		return false;
	d->data = data;
	d->size = size;
	d->sector_bytes = data[0x1e] == 12 ? 4096 : 512;
	d->count = 0;
	uint32_t sector = sniff_ole_u32(d, 0x30);
	while (sector < 0xfffffff0 && d->count < MAX_SECTORS && sector_at(d, sector) < size) {
		d->sectors[d->count++] = sector;
		sector = sector_after(d, sector);
	}
	return true;
}

/* Names are compared without case (MS-CFB 2.6.4). */
static bool has_name(const Directory *d, size_t at, const char *name)
{
	size_t length = strlen(name);
	if (d->size < NAME_BYTES + 2 || at > d->size - NAME_BYTES - 2 ||
	        d->data[at + NAME_BYTES] != 2 * (length + 1))
		return false;
	for (size_t i = 0; i < length; i++)
		if (g_ascii_tolower(d->data[at + 2 * i]) != g_ascii_tolower(name[i]) ||
		        d->data[at + 2 * i + 1] != 0)
			return false;
	return true;
}

/* Returns the lowest index in streams of a name among the children of the root, which form a binary
 * tree. */
static size_t best_name(const Directory *d)
{
	size_t best = G_N_ELEMENTS(streams);
	g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	uint32_t child = sniff_ole_u32(d, sniff_entry_at(d, 0) + 0x4c);
	g_array_append_val(stack, child);
	for (unsigned n = 0; n < MAX_STEPS && stack->len > 0; n++) {
		uint32_t entry = g_array_index(stack, uint32_t, stack->len - 1);
		g_array_set_size(stack, stack->len - 1);
		size_t at = sniff_entry_at(d, entry);
		if (at >= d->size)
			continue;
		for (size_t i = 0; i < best; i++)
			if (has_name(d, at, streams[i].stream))
				best = i;
		uint32_t left = sniff_ole_u32(d, at + 0x44), right = sniff_ole_u32(d, at + 0x48);
		g_array_append_val(stack, left);
		g_array_append_val(stack, right);
	}
	return best;
}

const char *sniff_ole_type(const uint8_t *data, size_t size)
{
	g_autofree Directory *directory = g_new(Directory, 1);
	if (!open_directory(directory, data, size))
		return NULL;
	size_t best = best_name(directory);
	return best < G_N_ELEMENTS(streams) ? streams[best].mime : "application/x-ole-storage";
}
