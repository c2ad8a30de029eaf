/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/archive/arj.h"
#include "extractors/archive/archive-format.h"
#include "extractors/shared/bytes.h"
#include <archive.h>
#include <archive_entry.h>
#include <lzo/lzoconf.h>
#include <string.h>

enum {
	MARK = 0xea60,
	BASIC_MIN = 30,
	BASIC_MAX = 2600,
	HEADER_BYTES = 512, /* what a member costs besides its bytes */
	GARBLED = 1 << 0,
	CONTINUED = 1 << 2, /* in the next volume */
	CONTINUING = 1 << 3, /* from the one before */
	SLASHES = 1 << 4, /* between the parts of its name */
	KIND_MAIN = 2,
	KIND_TEXT = 1, /* and 0: a file */
	STORED = 0,
	LAST_LZH = 3,
	FASTEST = 4,
	FASTEST_WINDOW = 26624,
	FASTEST_MATCH = 3, /* the shortest */
};

typedef struct {
	Bytes basic;
	const char *name;
	unsigned flags, method, kind;
	uint32_t packed, plain, sum;
	size_t next; /* of what follows the header */
} Header;

static uint32_t arj_sum_of(const uint8_t *bytes, size_t size)
{
	return lzo_crc32(0, bytes, size);
}

/* Behind headers that extend another: each has its size, up to one of none. */
static size_t skip_extensions(Bytes all, size_t at)
{
	while (at < all.size) {
		size_t size = le16(all, at);
		at += 2;
		if (size == 0)
			return at;
		at += size + 4;
	}
	return all.size;
}

/* False: the end, or damage, as its reason says. */
static bool arj_read_header(Bytes all, size_t at, Header *header, DocReason *reason)
{
	size_t size = le16(all, at + 2);
	if (le16(all, at) == MARK && at + 4 <= all.size && size == 0)
		return false;
	*reason = REASON_DAMAGED;
	Bytes basic = bytes_part(all, at + 4, size);
	if (le16(all, at) != MARK || size < BASIC_MIN || size > BASIC_MAX || basic.size < size ||
	        arj_sum_of(basic.data, size) != le32(all, at + 4 + size))
		return false;
	size_t first = basic.data[0];
	if (first < BASIC_MIN || first >= size || !memchr(basic.data + first, 0, size - first))
		return false;
	*reason = REASON_NONE;
	*header = (Header){.basic = basic,
	        .name = (const char *)basic.data + first,
	        .flags = basic.data[4],
	        .method = basic.data[5],
	        .kind = basic.data[6],
	        .packed = le32(basic, 12),
	        .plain = le32(basic, 16),
	        .sum = le32(basic, 20),
	        .next = skip_extensions(all, at + 8 + size)};
	return true;
}

bool arj_is(const Input *in)
{
	return in->size > BASIC_MIN && le16((Bytes){in->data, in->size}, 0) == MARK;
}

/* A file of LHA with one member, whose own sum is not known. */
static GByteArray *as_lha(Bytes packed, uint32_t plain)
{
	uint8_t head[25] = {23, 0, '-', 'l', 'h', '7', '-'};
	for (unsigned i = 0; i < 4; i++) {
		head[7 + i] = packed.size >> 8 * i;
		head[11 + i] = plain >> 8 * i;
	}
	head[19] = 0x20; /* a plain file */
	head[21] = 1; /* length of its name */
	head[22] = 'x';
	for (unsigned i = 2; i < sizeof head; i++)
		head[1] += head[i];
	GByteArray *file = g_byte_array_sized_new(packed.size + sizeof head + 1);
	g_byte_array_append(file, head, sizeof head);
	g_byte_array_append(file, packed.data, packed.size);
	return g_byte_array_append(file, (const uint8_t *)"", 1);
}

static void unpack_lzh(Bytes packed, uint32_t plain, GByteArray *out)
{
	g_autoptr(GByteArray) file = as_lha(packed, plain);
	struct archive *archive = archive_read_new();
	struct archive_entry *entry;
	archive_read_support_format_lha(archive);
	bool open = archive_read_open_memory(archive, file->data, file->len) == ARCHIVE_OK &&
	            archive_read_next_header(archive, &entry) >= ARCHIVE_WARN;
	g_byte_array_set_size(out, plain);
	size_t got = 0;
	la_ssize_t more = open ? 1 : 0;
	while (more > 0 && got < plain) {
		more = archive_read_data(archive, out->data + got, plain - got);
		got += more > 0 ? more : 0;
	}
	g_byte_array_set_size(out, got);
	archive_read_free(archive);
}

typedef struct {
	Bytes bytes;
	size_t at; /* in bits */
} Bits;

/* Beyond the end come zeros. */
static unsigned arj_take_bits(Bits *bits, unsigned n)
{
	unsigned value = 0;
	for (; n > 0; n--, bits->at++) {
		size_t byte = bits->at / 8;
		unsigned bit = byte < bits->bytes.size
		                       ? bits->bytes.data[byte] >> (7 - bits->at % 8) & 1
		                       : 0;
		value = value << 1 | bit;
	}
	return value;
}

/* A number of so many bits, one more for each 1 before it, up to last. */
static unsigned arj_take_number(Bits *bits, unsigned first, unsigned last)
{
	unsigned plus = 0, width = first;
	while (width < last && arj_take_bits(bits, 1)) {
		plus += 1u << width;
		width++;
	}
	return plus + arj_take_bits(bits, width);
}

static void unpack_fastest(Bytes packed, uint32_t plain, GByteArray *out)
{
	Bits bits = {packed, 0};
	while (out->len < plain && bits.at < packed.size * 8) {
		unsigned length = arj_take_number(&bits, 0, 7);
		if (length == 0) {
			uint8_t byte = arj_take_bits(&bits, 8);
			g_byte_array_append(out, &byte, 1);
			continue;
		}
		length += FASTEST_MATCH - 1;
		size_t back = arj_take_number(&bits, 9, 13) + 1;
		if (back > FASTEST_WINDOW || back > out->len)
			return;
		for (; length > 0 && out->len < plain; length--) {
			uint8_t byte = out->data[out->len - back];
			g_byte_array_append(out, &byte, 1);
		}
	}
}

static bool arj_unpack(const Header *header, Bytes packed, GByteArray *out)
{
	if (header->method == STORED)
		g_byte_array_append(out, packed.data, MIN(packed.size, header->plain));
	else if (header->method <= LAST_LZH)
		unpack_lzh(packed, header->plain, out);
	else if (header->method == FASTEST)
		unpack_fastest(packed, header->plain, out);
	else
		return false;
	return true;
}

/* number: of the member, its name where it has none. */
static bool arj_send_member(
        const Header *header, Bytes packed, Sink *sink, size_t max, unsigned number)
{
	g_autofree char *name =
	        *header->name ? g_strdup(header->name) : g_strdup_printf("%u", number);
	if (!(header->flags & SLASHES))
		g_strdelimit(name, "\\", '/');
	SinkMember member = {.name = name,
	        .size = header->plain,
	        .mtime_ns = format_dos_time(le32(header->basic, 8))};
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	if (header->flags & GARBLED)
		member.reason = REASON_ENCRYPTED;
	else if (header->plain > max || !sink_unpacked(sink, header->plain))
		member.reason = REASON_LIMIT_UNPACKED;
	else if (!arj_unpack(header, packed, bytes))
		member.reason = REASON_UNSUPPORTED;
	if (member.reason != REASON_NONE)
		return sink_member(sink, &member) && sink_unpacked(sink, HEADER_BYTES);
	bool whole =
	        bytes->len == header->plain && arj_sum_of(bytes->data, bytes->len) == header->sum;
	if (!whole)
		sink_truncated(sink, REASON_DAMAGED, NULL);
	if (header->flags & (CONTINUED | CONTINUING))
		sink_truncated(sink, REASON_PART, NULL);
	member.data = bytes->data ? bytes->data : (const uint8_t *)"";
	member.size = bytes->len;
	return sink_member(sink, &member) && sink_unpacked(sink, HEADER_BYTES);
}

ExtractResult arj_extract(const Input *in, Sink *sink, size_t max)
{
	Bytes all = {in->data, in->size};
	Header header;
	DocReason reason = REASON_NONE;
	if (!arj_read_header(all, 0, &header, &reason) || header.kind != KIND_MAIN)
		return sink_fail(sink, REASON_UNSUPPORTED, NULL);
	unsigned members = 0;
	for (size_t at = header.next; arj_read_header(all, at, &header, &reason);
	        at = header.next + header.packed) {
		Bytes packed = bytes_part(all, header.next, header.packed);
		if (header.kind > KIND_TEXT)
			continue;
		if (!arj_send_member(&header, packed, sink, max, ++members))
			break;
	}
	if (reason != REASON_NONE)
		sink_truncated(sink, reason, NULL);
	return members > 0 ? EXTRACT_DONE : EXTRACT_NOTHING;
}
