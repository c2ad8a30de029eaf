/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mutate-zip.c - mutates a member of a zip file below its compression, or a field of its directory
 *
 * A changed member is stored with the right checksum and sizes, and all places are corrected.
 * Source: PKWARE's APPNOTE.TXT, sections 4.3.7, 4.3.12 and 4.3.16. */
#include <config.h>
#include "extractors/shared/crc.h"
#include "tests/fuzz/mutate.h"
#include <string.h>

enum {
	LOCAL_BYTES = 30,
	ENTRY_BYTES = 46,
	END_BYTES = 22,
	METHOD_STORED = 0,
	METHOD_DEFLATED = 8,
	FLAG_SIZES_BEHIND = 8
};

typedef struct {
	size_t at, size; /* of its directory entry */
	size_t local; /* place of the member */
} ZipEntry;

typedef struct {
	uint8_t at, size;
} ZipField;

typedef struct {
	Bytes file;
	size_t directory, end; /* places of the directory and of its end record */
	GArray *entries; /* ZipEntry */
} ZipFile;

static void put16(GByteArray *out, size_t at, uint32_t value)
{
	out->data[at] = value;
	out->data[at + 1] = value >> 8;
}

static void put32(GByteArray *out, size_t at, uint32_t value)
{
	put16(out, at, value);
	put16(out, at + 2, value >> 16);
}

static bool zip_read_directory(ZipFile *zip)
{
	size_t end = zip->file.size;
	do {
		if (end-- == 0)
			return false;
	} while (le32(zip->file, end) != 0x06054b50 || zip->file.size - end < END_BYTES);
	zip->end = end;
	zip->directory = le32(zip->file, end + 16);
	for (size_t at = zip->directory; at < end && le32(zip->file, at) == 0x02014b50;) {
		size_t size = ENTRY_BYTES + le16(zip->file, at + 28) + le16(zip->file, at + 30) +
		              le16(zip->file, at + 32);
		if (size > end - at)
			break;
		ZipEntry entry = {at, size, le32(zip->file, at + 42)};
		g_array_append_val(zip->entries, entry);
		at += size;
	}
	return zip->entries->len > 0;
}

/* Returns the bytes of a member, unpacked; NULL: it cannot be. *end_r: where they end in the file.
 */
static GByteArray *zip_unpack(const ZipFile *zip, const ZipEntry *entry, size_t *end_r)
{
	size_t start = entry->local + LOCAL_BYTES + le16(zip->file, entry->local + 26) +
	               le16(zip->file, entry->local + 28);
	Bytes packed = bytes_part(zip->file, start, le32(zip->file, entry->at + 20));
	uint32_t method = le16(zip->file, entry->at + 10);
	*end_r = start + packed.size;
	if (le32(zip->file, entry->local) != 0x04034b50 || *end_r > zip->directory ||
	        (method != METHOD_STORED && method != METHOD_DEFLATED))
		return NULL;
	if (method == METHOD_DEFLATED)
		return mutate_inflate(packed, true);
	return g_byte_array_append(g_byte_array_new(), packed.data, packed.size);
}

static void put_sizes(GByteArray *out, size_t at, const GByteArray *bytes)
{
	put32(out, at, crc_of(bytes->data, bytes->len, CRC_COMMON));
	put32(out, at + 4, bytes->len);
	put32(out, at + 8, bytes->len);
}

/* The directory entries moved by shift; so did the members after the changed one. */
static void zip_correct_directory(const ZipFile *zip, const ZipEntry *changed,
        const GByteArray *bytes, long shift, GByteArray *out)
{
	for (guint i = 0; i < zip->entries->len; i++) {
		const ZipEntry *entry = &g_array_index(zip->entries, ZipEntry, i);
		if (entry->local > changed->local)
			put32(out, entry->at + shift + 42, entry->local + shift);
	}
	size_t at = changed->at + shift;
	put16(out, at + 8, le16(zip->file, changed->at + 8) & ~FLAG_SIZES_BEHIND);
	put16(out, at + 10, METHOD_STORED);
	put_sizes(out, at + 16, bytes);
	put32(out, zip->end + shift + 16, zip->directory + shift);
}

static GByteArray *zip_change_member(GRand *random, const ZipFile *zip, const ZipEntry *entry)
{
	size_t end;
	g_autoptr(GByteArray) bytes = zip_unpack(zip, entry, &end);
	if (!bytes)
		return NULL;
	if (mutate_chance(random, 3) || !mutate_xml(random, bytes))
		mutate_bytes(bytes);
	size_t names = le16(zip->file, entry->local + 26) + le16(zip->file, entry->local + 28);
	GByteArray *out = g_byte_array_new();
	g_byte_array_append(out, zip->file.data, entry->local + LOCAL_BYTES + names);
	put16(out, entry->local + 6, le16(zip->file, entry->local + 6) & ~FLAG_SIZES_BEHIND);
	put16(out, entry->local + 8, METHOD_STORED);
	put_sizes(out, entry->local + 14, bytes);
	g_byte_array_append(out, bytes->data, bytes->len);
	long shift = (long)out->len - (long)end;
	g_byte_array_append(out, zip->file.data + end, zip->file.size - end);
	zip_correct_directory(zip, entry, bytes, shift, out);
	return out;
}

/* Changes a number of a directory entry or of the end record, and nothing that depends on it. */
static GByteArray *zip_change_field(GRand *random, const ZipFile *zip, const ZipEntry *entry)
{
	static const ZipField fields[] = {{6, 2}, {8, 2}, {10, 2}, {16, 4}, {20, 4}, {24, 4},
	        {28, 2}, {30, 2}, {32, 2}, {42, 4}},
	                      ends[] = {{4, 2}, {6, 2}, {8, 2}, {10, 2}, {12, 4}, {16, 4}, {20, 2}};
	bool in_end = mutate_chance(random, 4);
	size_t i = g_rand_int_range(random, 0, in_end ? G_N_ELEMENTS(ends) : G_N_ELEMENTS(fields));
	size_t at = in_end ? zip->end + ends[i].at : entry->at + fields[i].at;
	GByteArray *out = g_byte_array_append(g_byte_array_new(), zip->file.data, zip->file.size);
	uint32_t value = mutate_edge(random, zip->file.size);
	if ((in_end ? ends : fields)[i].size == 4)
		put32(out, at, value);
	else
		put16(out, at, value);
	return out;
}

GByteArray *mutate_format(GRand *random, Bytes file)
{
	g_autoptr(GArray) entries = g_array_new(FALSE, FALSE, sizeof(ZipEntry));
	ZipFile zip = {.file = file, .entries = entries};
	if (!zip_read_directory(&zip))
		return NULL;
	const ZipEntry *entry =
	        &g_array_index(entries, ZipEntry, g_rand_int_range(random, 0, entries->len));
	return mutate_chance(random, 4) ? zip_change_field(random, &zip, entry)
	                                : zip_change_member(random, &zip, entry);
}
