/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hwp.c - Hangul Word Processor 5 (Hancom's published specification "HWP 5.0")
 *
 * The storage BodyText has one stream for each section, mostly deflated. A stream is a list of
 * records; records of one kind hold the characters of a paragraph. Controls among the characters
 * are one unit below 32, or eight units of which the first and the last are that number. */
#include <config.h>
#include "extractors/legacy/legacy.h"
#include <stdio.h>

enum {
	FLAGS_AT = 36, /* position in FileHeader */
	FLAG_DEFLATED = 1,
	FLAG_ENCRYPTED = 2,
	FLAG_RESTRICTED = 4, /* the text is encrypted, in another storage */
	TAG_TEXT = 67,
	LONG_SIZE = 0xfff, /* the true size follows */
	CONTROL_UNITS = 8,
	MAX_SECTIONS = 1000,
};

static size_t control_units(unsigned c)
{
	bool single = c == 0 || c == 10 || c == 13 || c >= 24;
	return single ? 1 : CONTROL_UNITS;
}

static void hwp_put_paragraph(Ole *ole, Bytes units)
{
	g_autoptr(GString) text = g_string_new(NULL);
	for (size_t at = 0; at + 2 <= units.size;) {
		size_t end = at;
		while (end + 2 <= units.size && le16(units, end) >= 32)
			end += 2;
		put_utf16(text, bytes_part(units, at, end - at));
		at = end;
		if (at + 2 <= units.size) {
			g_string_append_c(text, ' ');
			at += 2 * control_units(le16(units, at));
		}
	}
	flow_line(&ole->flow, TAG_BODY, text->str, text->len);
}

static void hwp_read_records(Ole *ole, Bytes section)
{
	for (size_t at = 0; at + 4 <= section.size && !ole->flow.full;) {
		uint32_t head = le32(section, at), size = head >> 20;
		at += 4;
		if (size == LONG_SIZE) {
			size = le32(section, at);
			at += 4;
		}
		Bytes record = bytes_part(section, at, size);
		if ((head & 0x3ff) == TAG_TEXT)
			hwp_put_paragraph(ole, record);
		at += size;
	}
}

static void read_section(Ole *ole, Bytes stream, bool deflated)
{
	g_autoptr(GByteArray) out = g_byte_array_new();
	if (!deflated) {
		hwp_read_records(ole, stream);
		return;
	}
	if (!unpack_zlib(ole, stream, true, out))
		sink_truncated(ole->sink, REASON_DAMAGED, NULL);
	hwp_read_records(ole, (Bytes){out->data, out->len});
}

ExtractResult hangul_extract(Ole *ole)
{
	Bytes header = ole_stream(ole->root, "FileHeader");
	unsigned flags = le32(header, FLAGS_AT);
	g_free((void *)header.data);
	if (flags & (FLAG_ENCRYPTED | FLAG_RESTRICTED))
		return sink_fail(ole->sink, REASON_ENCRYPTED, NULL);
	GsfInfile *body = ole_storage(ole->root, "BodyText");
	if (!body)
		return sink_fail(ole->sink, REASON_DAMAGED, NULL);
	for (unsigned i = 0; i < MAX_SECTIONS && !ole->flow.full; i++) {
		char name[32];
		snprintf(name, sizeof name, "Section%u", i);
		Bytes stream = ole_stream(body, name);
		if (!stream.data)
			break;
		read_section(ole, stream, flags & FLAG_DEFLATED);
		g_free((void *)stream.data);
	}
	g_object_unref(body);
	return EXTRACT_DONE;
}
