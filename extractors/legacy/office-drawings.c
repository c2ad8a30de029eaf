/* SPDX-License-Identifier: GPL-3.0-or-later */
/* office-drawings.c - texts in Office drawings (MS-ODRAW): WordArt and the author's descriptions of
 * pictures */
#include <config.h>
#include "extractors/legacy/legacy.h"
#include <string.h>

enum { HEADER_BYTES = 8, PROPERTY_BYTES = 6, MAX_DEPTH = 32, CONTAINER = 0xf };
enum { T_PROPERTIES = 0xf00b, T_MORE_PROPERTIES = 0xf121, T_LAST_PROPERTIES = 0xf122 };
enum { P_TEXT = 0x00c0, P_DESCRIPTION = 0x0381, IS_COMPLEX = 0x8000, ID_BITS = 0x3fff };

static void put_drawing_text(Ole *ole, Bytes utf16)
{
	g_autoptr(GString) text = g_string_new(NULL);
	put_utf16(text, utf16);
	g_string_truncate(text, strlen(text->str)); /* cut at the first NUL */
	for (char *c = text->str; *c; c++)
		*c = *c == '\r' || *c == '\v' ? ' ' : *c;
	if (text->len > 0)
		flow_line(&ole->flow, TAG_CAPTION, text->str, text->len);
}

void drawing_properties(Ole *ole, unsigned count, Bytes table)
{
	size_t complex_at = (size_t)count * PROPERTY_BYTES;
	for (unsigned i = 0; i < count && complex_at < table.size; i++) {
		unsigned id = le16(table, i * PROPERTY_BYTES);
		uint32_t value = le32(table, i * PROPERTY_BYTES + 2);
		if (!(id & IS_COMPLEX))
			continue;
		if ((id & ID_BITS) == P_TEXT || (id & ID_BITS) == P_DESCRIPTION)
			put_drawing_text(ole, bytes_part(table, complex_at, value));
		complex_at += value;
	}
}

static size_t drawing_read_record(Ole *ole, Bytes art, size_t at, unsigned depth)
{
	unsigned head = le16(art, at), type = le16(art, at + 2);
	Bytes body = bytes_part(art, at + HEADER_BYTES, le32(art, at + 4));
	if (type == T_PROPERTIES || type == T_MORE_PROPERTIES || type == T_LAST_PROPERTIES)
		drawing_properties(ole, head >> 4, body);
	else if ((head & 0xf) == CONTAINER && depth < MAX_DEPTH)
		for (size_t inner = 0; inner + HEADER_BYTES <= body.size && !ole->flow.full;)
			inner = drawing_read_record(ole, body, inner, depth + 1);
	return at + HEADER_BYTES + body.size;
}

void drawings_read(Ole *ole, Bytes art, size_t between)
{
	for (size_t at = 0; at + HEADER_BYTES <= art.size && !ole->flow.full; at += between)
		at = drawing_read_record(ole, art, at, 0);
}

/* Each picture has its size and the size of its header, which says whether a file name follows. */
void pictures_read(Ole *ole, Bytes pictures)
{
	enum { HEAD_BYTES = 0x44, WITH_NAME = 0x66, IS_SHAPE = 0x64 };
	for (size_t at = 0; at + HEAD_BYTES < pictures.size && !ole->flow.full;) {
		uint32_t size = le32(pictures, at), kind = le16(pictures, at + 6);
		if (le16(pictures, at + 4) != HEAD_BYTES || size < HEAD_BYTES)
			return;
		Bytes art = bytes_part(pictures, at + HEAD_BYTES, size - HEAD_BYTES);
		if (kind == WITH_NAME && art.size > 0)
			art = bytes_part(art, 1 + (size_t)art.data[0], art.size);
		if (kind == WITH_NAME || kind == IS_SHAPE)
			drawings_read(ole, art, 0);
		at += size;
	}
}
