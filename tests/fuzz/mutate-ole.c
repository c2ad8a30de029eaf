/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mutate-ole.c - mutates a stream of a compound file where it lies, a directory entry or a chain
 *
 * Source: MS-CFB, sections 2.2 (header), 2.3 (FAT), 2.4 (mini FAT) and 2.6 (directory). */
#include <config.h>
#include "tests/fuzz/mutate.h"
#include <string.h>

enum {
	HEADER_BYTES = 512,
	HEADER_FATS = 109, /* so many FAT sectors are named in the header; others are not read */
	ENTRY_BYTES = 128,
	MINI_BYTES = 64,
	MAX_CHAIN = 4096,
	TYPE_STREAM = 2,
	TYPE_ROOT = 5
};

/* Places in the file; the sectors of a chain are in order. */
typedef struct {
	Bytes file;
	size_t sector_bytes;
	GArray *fat; /* size_t: places of the sectors of the FAT */
	GArray *mini_fat, *directory; /* the same */
	GArray *mini_stream; /* the same, of the stream that has the mini sectors */
} OleFile;

static size_t sector_place(const OleFile *ole, uint32_t sector)
{
	return ((size_t)sector + 1) * ole->sector_bytes;
}

/* The place of the entry of a sector in a FAT; 0: there is none. */
static size_t fat_place(const OleFile *ole, const GArray *fat, uint32_t sector)
{
	size_t in_one = ole->sector_bytes / 4, number = sector / in_one;
	return number < fat->len ? g_array_index(fat, size_t, number) + sector % in_one * 4 : 0;
}

static GArray *new_places(void)
{
	return g_array_new(FALSE, FALSE, sizeof(size_t));
}

/* Returns the places of the sectors of a chain, which the caller frees. */
static GArray *ole_chain(const OleFile *ole, uint32_t sector)
{
	GArray *places = new_places();
	while (places->len < MAX_CHAIN) {
		size_t place = sector_place(ole, sector), next = fat_place(ole, ole->fat, sector);
		if (place >= ole->file.size || next == 0)
			break;
		g_array_append_val(places, place);
		sector = le32(ole->file, next);
	}
	return places;
}

/* The same of a chain of mini sectors. */
static GArray *ole_mini_chain(const OleFile *ole, uint32_t sector)
{
	GArray *places = new_places();
	while (places->len < MAX_CHAIN) {
		size_t at = (size_t)sector * MINI_BYTES, number = at / ole->sector_bytes;
		size_t next = fat_place(ole, ole->mini_fat, sector);
		if (number >= ole->mini_stream->len || next == 0)
			break;
		size_t place =
		        g_array_index(ole->mini_stream, size_t, number) + at % ole->sector_bytes;
		g_array_append_val(places, place);
		sector = le32(ole->file, next);
	}
	return places;
}

static size_t entry_place(const OleFile *ole, guint number)
{
	size_t at = (size_t)number * ENTRY_BYTES;
	return g_array_index(ole->directory, size_t, at / ole->sector_bytes) +
	       at % ole->sector_bytes;
}

static guint n_entries(const OleFile *ole)
{
	return ole->directory->len * (ole->sector_bytes / ENTRY_BYTES);
}

static bool ole_open(OleFile *ole)
{
	static const uint8_t magic[] = {0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1};
	uint32_t shift = le16(ole->file, 30);
	if (ole->file.size < HEADER_BYTES || memcmp(ole->file.data, magic, sizeof magic) != 0 ||
	        (shift != 9 && shift != 12))
		return false;
	ole->sector_bytes = 1u << shift;
	ole->fat = new_places();
	for (unsigned i = 0; i < HEADER_FATS; i++) {
		size_t place = sector_place(ole, le32(ole->file, 76 + 4 * i));
		if (place < ole->file.size)
			g_array_append_val(ole->fat, place);
	}
	ole->directory = ole_chain(ole, le32(ole->file, 48));
	ole->mini_fat = ole_chain(ole, le32(ole->file, 60));
	size_t root = ole->directory->len > 0 ? entry_place(ole, 0) : 0;
	ole->mini_stream = ole_chain(ole, le32(ole->file, root + 116));
	return ole->directory->len > 0;
}

static void ole_close(OleFile *ole)
{
	GArray *all[] = {ole->fat, ole->directory, ole->mini_fat, ole->mini_stream};
	for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
		if (all[i])
			g_array_unref(all[i]);
}

/* Copies between the sectors of a chain and bytes, as far as both go. */
static void copy_chain(GByteArray *file, const GArray *places, size_t sector_bytes,
        GByteArray *bytes, bool is_writing)
{
	for (guint i = 0; i < places->len && i * sector_bytes < bytes->len; i++) {
		size_t place = g_array_index(places, size_t, i);
		size_t n = MIN(sector_bytes, bytes->len - i * sector_bytes);
		n = MIN(n, file->len - MIN(place, file->len));
		if (is_writing)
			memcpy(file->data + place, bytes->data + i * sector_bytes, n);
		else
			memcpy(bytes->data + i * sector_bytes, file->data + place, n);
	}
}

static bool ole_change_stream(GRand *random, const OleFile *ole, GByteArray *out)
{
	size_t entry = entry_place(ole, g_rand_int_range(random, 0, n_entries(ole)));
	uint32_t type = bytes_part(ole->file, entry + 66, 1).size ? ole->file.data[entry + 66] : 0;
	uint32_t size = le32(ole->file, entry + 120), start = le32(ole->file, entry + 116);
	bool is_mini = type != TYPE_ROOT && size < le32(ole->file, 56);
	if ((type != TYPE_STREAM && type != TYPE_ROOT) || size == 0)
		return false;
	g_autoptr(GArray) places = is_mini ? ole_mini_chain(ole, start) : ole_chain(ole, start);
	size_t sector_bytes = is_mini ? MINI_BYTES : ole->sector_bytes;
	g_autoptr(GByteArray) stream = g_byte_array_new();
	g_byte_array_set_size(stream, MIN(size, places->len * sector_bytes));
	if (stream->len == 0)
		return false;
	memset(stream->data, 0, stream->len);
	copy_chain(out, places, sector_bytes, stream, false);
	LLVMFuzzerMutate(stream->data, stream->len, stream->len);
	copy_chain(out, places, sector_bytes, stream, true);
	return true;
}

/* Leads a chain to another sector, or ends it. */
static size_t any_link(GRand *random, const OleFile *ole)
{
	const GArray *fat = mutate_chance(random, 2) ? ole->fat : ole->mini_fat;
	return fat->len == 0
	               ? 0
	               : fat_place(ole, fat,
	                         g_rand_int_range(random, 0, fat->len * (ole->sector_bytes / 4)));
}

/* A number of a directory entry: neighbours, first sector, size. */
static size_t any_entry_number(GRand *random, const OleFile *ole)
{
	static const uint8_t numbers[] = {64, 68, 72, 76, 116, 120, 124};
	return entry_place(ole, g_rand_int_range(random, 0, n_entries(ole))) +
	       numbers[g_rand_int_range(random, 0, G_N_ELEMENTS(numbers))];
}

static bool ole_change_number(GRand *random, const OleFile *ole, GByteArray *out)
{
	size_t place =
	        mutate_chance(random, 2) ? any_link(random, ole) : any_entry_number(random, ole);
	uint32_t value = mutate_edge(random, ole->file.size / ole->sector_bytes);
	if (place == 0 || place + 4 > out->len)
		return false;
	for (unsigned i = 0; i < 4; i++)
		out->data[place + i] = value >> 8 * i;
	return true;
}

GByteArray *mutate_format(GRand *random, Bytes file)
{
	enum { TRIES = 16 };
	OleFile ole = {.file = file};
	g_autoptr(GByteArray) out = NULL;
	bool changed = false;
	if (ole_open(&ole)) {
		out = g_byte_array_append(g_byte_array_new(), file.data, file.size);
		for (unsigned i = 0; i < TRIES && !changed; i++)
			changed = mutate_chance(random, 4) ? ole_change_number(random, &ole, out)
			                                   : ole_change_stream(random, &ole, out);
	}
	ole_close(&ole);
	return changed ? g_steal_pointer(&out) : NULL;
}
