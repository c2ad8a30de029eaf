/* SPDX-License-Identifier: GPL-3.0-or-later */
/* metafile.c - text of Windows metafiles, from the records that draw text
 *
 * A record draws anything from a letter to a line. Pieces on one line that touch are one word,
 * because an enhanced metafile says the width of each character. */
#include <config.h>
#include "extractors/image/metafile.h"
#include "extractors/shared/bytes.h"
#include "extractors/charset/charset.h"
#include <string.h>

enum {
	EMF_HEADER = 1,
	EMF_COMMENT = 70,
	EMF_TEXT_NARROW = 83,
	EMF_TEXT_WIDE = 84,
	EMF_TEXT_SMALL = 108,
	EMF_SMALL_NARROW = 0x200,
	EMF_SMALL_NO_FRAME = 0x100,
	PLUS_DRAW_STRING = 0x401c,
	WMF_PLACEABLE_BYTES = 22,
	WMF_SELECT = 0x012d,
	WMF_DELETE = 0x01f0,
	WMF_FONT = 0x02fb,
	WMF_TEXT = 0x0521,
	WMF_TEXT_EXTENDED = 0x0a32,
	WMF_FRAMED = 2 | 4,
	MAX_OBJECTS = 4096,
	MAX_CHARACTERS = 1 << 16, /* in a piece */
	FONT = 0x100, /* added to its charset in objects */
	OTHER = 1,
};

typedef struct {
	Sink *sink;
	GString *line;
	int64_t y, end; /* y: position of the line; end: where its last piece ends */
	bool any, full;
	bool wide_text; /* GDI has drawn wide text; GDI+ repeats it */
	uint16_t objects[MAX_OBJECTS]; /* objects of an old metafile; 0: free */
	size_t count;
	unsigned charset; /* charset of the current font */
} MetafileReader;

static void end_line(MetafileReader *r)
{
	if (r->line->len > 0 && !r->full) {
		r->any = true;
		r->full = !sink_block(r->sink, TAG_BODY) ||
		          !sink_text(r->sink, TAG_BODY, r->line->str, r->line->len);
	}
	g_string_truncate(r->line, 0);
}

/* Adds a piece of text at this position; width 0: unknown. */
static void metafile_put_piece(
        MetafileReader *r, const char *text, int64_t x, int64_t y, int64_t width)
{
	size_t letters = g_utf8_strlen(text, -1);
	if (letters == 0)
		return;
	if (y != r->y)
		end_line(r);
	bool touches = r->end != G_MININT64 && width > 0 &&
	               ABS(x - r->end) * 5 <= width / (int64_t)letters;
	if (r->line->len > 0 && !touches)
		g_string_append_c(r->line, ' ');
	g_string_append(r->line, text);
	r->y = y;
	r->end = width > 0 ? x + width : G_MININT64;
}

static char *metafile_decoded(Bytes text, const char *charset)
{
	GString *out = g_string_new(NULL);
	if (text.size > 0)
		charset_decode(charset_find(charset), text.data, text.size, out);
	return g_string_free(out, FALSE);
}

/* ---- enhanced */

static void metafile_read_text(MetafileReader *r, Bytes record, bool wide)
{
	size_t count = MIN(le32(record, 44), (uint32_t)MAX_CHARACTERS);
	size_t offset = le32(record, 48), widths = le32(record, 72);
	int64_t width = 0;
	for (size_t i = 0; widths >= 76 && i < count; i++)
		width += (int32_t)le32(record, widths + 4 * i);
	g_autofree char *text =
	        metafile_decoded(bytes_part(record, offset, wide ? count * 2 : count),
	                wide ? "utf-16le" : "windows-1252");
	metafile_put_piece(r, text, (int32_t)le32(record, 36), (int32_t)le32(record, 40), width);
	r->wide_text = true;
}

static void read_small_text(MetafileReader *r, Bytes record)
{
	size_t count = MIN(le32(record, 16), (uint32_t)MAX_CHARACTERS);
	unsigned options = le32(record, 20);
	size_t at = options & EMF_SMALL_NO_FRAME ? 36 : 52;
	bool narrow = options & EMF_SMALL_NARROW;
	g_autofree char *text = metafile_decoded(bytes_part(record, at, narrow ? count : count * 2),
	        narrow ? "iso-8859-1" : "utf-16le");
	metafile_put_piece(r, text, (int32_t)le32(record, 8), (int32_t)le32(record, 12), 0);
	r->wide_text = true;
}

/* Reads GDI+ records in a comment (MS-EMFPLUS). */
static void read_plus(MetafileReader *r, Bytes records)
{
	for (size_t at = 0; at + 12 <= records.size && !r->full;) {
		uint32_t size = le32(records, at + 4);
		if (le16(records, at) == PLUS_DRAW_STRING && !r->wide_text) {
			size_t count = MIN(le32(records, at + 20), (uint32_t)MAX_CHARACTERS);
			g_autofree char *text = metafile_decoded(
			        bytes_part(records, at + 40, count * 2), "utf-16le");
			end_line(r);
			metafile_put_piece(r, text, 0, 0, 0);
		}
		if (size < 12)
			return;
		at += size;
	}
}

/* "The program\0The title\0\0" */
static void read_description(MetafileReader *r, Bytes record)
{
	size_t count = MIN(le32(record, 60), (uint32_t)MAX_CHARACTERS);
	Bytes text = bytes_part(record, le32(record, 64), count * 2);
	size_t end = 0;
	while (end + 2 <= text.size && le16(text, end) != 0)
		end += 2;
	Bytes rest = bytes_part(text, end + 2, text.size);
	size_t length = 0;
	while (length + 2 <= rest.size && le16(rest, length) != 0)
		length += 2;
	g_autofree char *program = metafile_decoded(bytes_part(text, 0, end), "utf-16le");
	g_autofree char *title = metafile_decoded(bytes_part(rest, 0, length), "utf-16le");
	sink_field(r->sink, FIELD_GENERATOR, program, -1);
	sink_field(r->sink, FIELD_TITLE, title, -1);
}

static void read_enhanced(MetafileReader *r, Bytes file)
{
	for (size_t at = 0; at + 8 <= file.size && !r->full;) {
		uint32_t kind = le32(file, at), size = le32(file, at + 4);
		Bytes record = bytes_part(file, at, size);
		if (size < 8)
			return;
		if (kind == EMF_HEADER && le32(record, 60) > 0)
			read_description(r, record);
		else if (kind == EMF_TEXT_WIDE || kind == EMF_TEXT_NARROW)
			metafile_read_text(r, record, kind == EMF_TEXT_WIDE);
		else if (kind == EMF_TEXT_SMALL)
			read_small_text(r, record);
		else if (kind == EMF_COMMENT && record.size > 16 &&
		         memcmp(record.data + 12, "EMF+", 4) == 0)
			read_plus(r, bytes_part(record, 16, record.size));
		at += size;
	}
}

/* ---- old metafiles */

/* Maps the charset number of a Windows font. */
static const char *font_charset(unsigned charset)
{
	static const struct {
		uint8_t charset;
		const char *name;
	} names[] = {{77, "macintosh"}, {128, "cp932"}, {129, "cp949"}, {134, "cp936"},
	        {136, "cp950"}, {161, "cp1253"}, {162, "cp1254"}, {163, "cp1258"}, {177, "cp1255"},
	        {178, "cp1256"}, {186, "cp1257"}, {204, "cp1251"}, {222, "cp874"}, {238, "cp1250"}};
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		if (names[i].charset == charset && charset_find(names[i].name))
			return names[i].name;
	return "windows-1252";
}

static bool makes_object(unsigned kind)
{
	static const uint16_t kinds[] = {0x00f7, 0x0142, 0x01f9, 0x02fa, WMF_FONT, 0x02fc, 0x06ff};
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (kinds[i] == kind)
			return true;
	return false;
}

/* A new object takes the first free number. */
static void add_object(MetafileReader *r, uint16_t object)
{
	size_t i = 0;
	while (i < r->count && r->objects[i] != 0)
		i++;
	if (i == MAX_OBJECTS)
		return;
	r->objects[i] = object;
	r->count = MAX(r->count, i + 1);
}

static void put_old_text(
        MetafileReader *r, Bytes record, size_t at, size_t count, size_t x, size_t y)
{
	g_autofree char *text =
	        metafile_decoded(bytes_part(record, at, count), font_charset(r->charset));
	metafile_put_piece(r, text, (int16_t)le16(record, x), (int16_t)le16(record, y), 0);
}

static void read_old_record(MetafileReader *r, unsigned kind, Bytes record)
{
	enum { PARAMETERS = 6 };
	unsigned first = le16(record, PARAMETERS), count;
	if (makes_object(kind)) {
		bool font = kind == WMF_FONT && record.size > PARAMETERS + 13;
		add_object(r, font ? FONT | record.data[PARAMETERS + 13] : OTHER);
		return;
	}
	switch (kind) {
	case WMF_SELECT:
		if (first < r->count && r->objects[first] & FONT)
			r->charset = r->objects[first] & 0xff;
		return;
	case WMF_DELETE:
		if (first < r->count)
			r->objects[first] = 0;
		return;
	case WMF_TEXT:
		count = (first + 1) & ~1u;
		put_old_text(r, record, PARAMETERS + 2, first, PARAMETERS + 4 + count,
		        PARAMETERS + 2 + count);
		return;
	case WMF_TEXT_EXTENDED:
		count = le16(record, PARAMETERS + 4);
		put_old_text(r, record,
		        PARAMETERS + 8 + (le16(record, PARAMETERS + 6) & WMF_FRAMED ? 8 : 0), count,
		        PARAMETERS + 2, PARAMETERS);
		return;
	default:
		return;
	}
}

static void metafile_read_old(MetafileReader *r, Bytes file)
{
	for (size_t at = le16(file, 2) * 2; at + 6 <= file.size && !r->full;) {
		size_t size = (size_t)le32(file, at) * 2;
		if (size < 6)
			return;
		read_old_record(r, le16(file, at + 4), bytes_part(file, at, size));
		at += size;
	}
}

ExtractResult metafile_read(const Input *in, Sink *sink)
{
	g_autofree MetafileReader *r = g_new0(MetafileReader, 1);
	Bytes file = {in->data, in->size};
	r->sink = sink;
	r->line = g_string_new(NULL);
	r->end = G_MININT64;
	if (le32(file, 0) == EMF_HEADER && le32(file, 40) == 0x464d4520)
		read_enhanced(r, file);
	else
		metafile_read_old(r, le32(file, 0) == 0x9ac6cdd7
		                             ? bytes_part(file, WMF_PLACEABLE_BYTES, file.size)
		                             : file);
	end_line(r);
	g_string_free(r->line, TRUE);
	return r->any ? EXTRACT_DONE : EXTRACT_NOTHING;
}
