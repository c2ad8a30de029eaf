/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/archive/zipdir.h"
#include "extractors/archive/archive-format.h"
#include "extractors/archive/inflate64.h"
#include "extractors/archive/member-names.h"
#include "extractors/shared/crc.h"
#include "extractors/shared/inflate.h"
#include "extractors/shared/volume.h"
#include <string.h>

enum {
	END_BYTES = 22,
	MAX_COMMENT = 65535,
	ENTRY_BYTES = 46,
	LOCAL_BYTES = 30,
	END_HEADER_BYTES = 512, /* cost of a member besides its bytes */
	ENCRYPTED = 1 << 0,
	METHOD_STORED = 0,
	DEFLATED = 8,
	DEFLATED64 = 9,
};

/* Returns the offset of the end record of the directory; 0: there is none. */
static size_t zipdir_find_end(Bytes all)
{
	if (all.size < END_BYTES)
		return 0;
	size_t first = all.size - END_BYTES - MIN(all.size - END_BYTES, (size_t)MAX_COMMENT);
	for (size_t at = all.size - END_BYTES + 1; at-- > first;)
		if (memcmp(all.data + at, "PK\5\6", 4) == 0)
			return at;
	return 0;
}

bool zipdir_open(ZipDir *dir, const Input *in)
{
	Bytes all = {in->data, in->size};
	size_t end = zipdir_find_end(all), length = le32(all, end + 12);
	if (end == 0 || length < ENTRY_BYTES || length > end)
		return false;
	*dir = (ZipDir){.all = all, .at = end - length, .end = end, .part = le16(all, end + 4)};
	if (memcmp(all.data + dir->at, "PK\1\2", 4) != 0)
		return false;
	dir->shift = (int64_t)dir->at - le32(all, end + 16);
	bool is_cut = dir->shift < 0 && volume_is_part(in->name);
	dir->is_last_part = (dir->part > 0 && dir->part < UINT16_MAX) || is_cut;
	return true;
}

bool zipdir_next(ZipDir *dir, ZipEntry *entry)
{
	size_t left = dir->end - dir->at;
	Bytes head = bytes_part(dir->all, dir->at, left);
	if (left < ENTRY_BYTES || memcmp(head.data, "PK\1\2", 4) != 0)
		return false;
	*entry = (ZipEntry){.name = (const char *)head.data + ENTRY_BYTES,
	        .name_length = le16(head, 28),
	        .flags = le16(head, 8),
	        .method = le16(head, 10),
	        .part = le16(head, 34),
	        .time = le32(head, 12),
	        .sum = le32(head, 16),
	        .packed = le32(head, 20),
	        .plain = le32(head, 24),
	        .offset = le32(head, 42)};
	size_t size = ENTRY_BYTES + entry->name_length + le16(head, 30) + le16(head, 32);
	dir->at += MIN(size, left);
	return entry->name_length <= left - ENTRY_BYTES;
}

/* Returns the compressed bytes; none: they are not in this file. */
static Bytes packed_of(const ZipDir *dir, const ZipEntry *entry)
{
	/* in a split zip offsets are counted in each part */
	bool is_here = entry->part == dir->part;
	int64_t at = entry->offset + (dir->part > 0 ? 0 : dir->shift);
	if (!is_here || at < 0)
		return (Bytes){NULL, 0};
	Bytes local = bytes_part(dir->all, at, SIZE_MAX);
	if (local.size < LOCAL_BYTES || memcmp(local.data, "PK\3\4", 4) != 0)
		return (Bytes){NULL, 0};
	return bytes_part(local, LOCAL_BYTES + le16(local, 26) + le16(local, 28), entry->packed);
}

/* Returns the bytes of a member that can be read. NULL: *reason says why there are none. */
static GByteArray *zipdir_unpack_member(
        const ZipDir *dir, const ZipEntry *entry, size_t max, DocReason *reason)
{
	Bytes packed = packed_of(dir, entry);
	g_autoptr(GByteArray) out = g_byte_array_new();
	*reason = entry->flags & ENCRYPTED ? REASON_ENCRYPTED
	          : !packed.data           ? REASON_PART
	          : entry->plain > max     ? REASON_LIMIT_MEMORY
	                                   : REASON_NONE;
	if (*reason != REASON_NONE)
		return NULL;
	if (entry->method == METHOD_STORED)
		g_byte_array_append(out, packed.data, MIN(packed.size, entry->plain));
	else if (entry->method == DEFLATED)
		inflate_append(G_ZLIB_COMPRESSOR_FORMAT_RAW, packed, entry->plain, NULL, out);
	else if (entry->method == DEFLATED64)
		inflate64(packed, entry->plain, out);
	else
		*reason = REASON_COMPRESSION;
	g_byte_array_set_size(out, MIN(out->len, entry->plain));
	if (*reason == REASON_NONE &&
	        (out->len != entry->plain || crc_of(out->data, out->len, CRC_COMMON) != entry->sum))
		*reason = REASON_DAMAGED;
	bool is_lost = *reason == REASON_COMPRESSION || (*reason && out->len == 0);
	return is_lost ? NULL : g_steal_pointer(&out);
}

/* Unpacks a member of a zip that is not split: if its bytes are not found, their offset needs more
 * than 32 bits. */
static GByteArray *unpack_whole(
        const ZipDir *dir, const ZipEntry *entry, size_t max, DocReason *reason)
{
	GByteArray *out = zipdir_unpack_member(dir, entry, max, reason);
	if (*reason == REASON_PART)
		*reason = entry->plain > max ? REASON_LIMIT_MEMORY : REASON_UNSUPPORTED;
	return out;
}

GByteArray *zipdir_unpack(const Input *in, const char *name, size_t max, DocReason *reason)
{
	ZipDir dir;
	ZipEntry entry;
	size_t length = strlen(name);
	if (!zipdir_open(&dir, in) || dir.is_last_part)
		return NULL;
	while (zipdir_next(&dir, &entry)) {
		bool is_it = entry.name_length == length && memcmp(entry.name, name, length) == 0;
		if (is_it && entry.method == DEFLATED64)
			return unpack_whole(&dir, &entry, max, reason);
	}
	return NULL;
}

/* number: number of the member, used as the name if it has none. */
static bool zipdir_send_entry(const ZipDir *dir, const ZipEntry *entry, Sink *sink, size_t max,
        unsigned number, MemberNames *names)
{
	g_autofree char *told = g_strndup(entry->name, entry->name_length);
	g_autofree char *name =
	        *told ? member_names_decode(names, told, true) : g_strdup_printf("%u", number);
	SinkMember member = {
	        .name = name, .size = entry->plain, .mtime_ns = format_dos_time(entry->time)};
	bool is_here = packed_of(dir, entry).data != NULL;
	if (!sink_unpacked(sink, END_HEADER_BYTES + (is_here ? MIN(entry->plain, max) : 0)))
		return false;
	g_autoptr(GByteArray) bytes = zipdir_unpack_member(dir, entry, max, &member.reason);
	if (bytes) {
		member.data = bytes->data ? bytes->data : (const uint8_t *)"";
		member.size = bytes->len;
	}
	return sink_member(sink, &member);
}

static void zipdir_sample_names(ZipDir dir, MemberNames *names)
{
	ZipEntry entry;
	bool more = true;
	while (more && zipdir_next(&dir, &entry)) {
		g_autofree char *name = g_strndup(entry.name, entry.name_length);
		more = member_names_add(names, name);
	}
	names->read_ahead = true;
}

ExtractResult zipdir_extract(ZipDir *dir, Sink *sink, size_t max)
{
	ZipEntry entry;
	MemberNames names = {.sample = NULL};
	unsigned number = 0;
	sink_truncated(sink, REASON_PART, NULL);
	zipdir_sample_names(*dir, &names);
	while (zipdir_next(dir, &entry)) {
		bool is_folder = entry.name_length > 0 && entry.name[entry.name_length - 1] == '/';
		if (!is_folder && !zipdir_send_entry(dir, &entry, sink, max, ++number, &names))
			break;
	}
	member_names_clear(&names);
	return EXTRACT_DONE;
}
