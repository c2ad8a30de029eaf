/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ole-summary.c - facts from a document's property sets (MS-OLEPS): the standard ones, and texts
 * among the author's own */
#include <config.h>
#include "extractors/shared/keywords.h"
#include "extractors/legacy/legacy.h"
#include <stdio.h>

enum { VT_I2 = 2, VT_I4 = 3, VT_LPSTR = 30, VT_LPWSTR = 31, VT_FILETIME = 64 };
enum { ID_CODE_PAGE = 1, MAX_PROPERTIES = 256 };
enum { FIRST_RESERVED = 0x80000000 };

typedef struct {
	uint8_t id;
	DocField field;
} Fact;

static const Fact facts[] = {{2, FIELD_TITLE}, {3, FIELD_COMMENT}, {4, FIELD_AUTHOR},
        {5, FIELD_KEYWORD}, {6, FIELD_COMMENT}, {8, FIELD_AUTHOR}, {12, FIELD_CREATED},
        {13, FIELD_DATE}, {14, FIELD_PAGES}, {18, FIELD_GENERATOR}, {0, N_FIELDS}};

/* Category, manager and company, from the second set. */
static const Fact more_facts[] = {
        {2, FIELD_KEYWORD}, {14, FIELD_COMMENT}, {15, FIELD_COMMENT}, {0, N_FIELDS}};

static char *value_text(Bytes value, const Charset *charset)
{
	GString *text = g_string_new(NULL);
	uint32_t type = le16(value, 0), length = le32(value, 4);
	char *date = type == VT_FILETIME ? filetime_text(le64(value, 4)) : NULL;
	if (type == VT_LPSTR)
		put_encoded(text, bytes_part(value, 8, length), charset);
	else if (type == VT_LPWSTR)
		put_utf16(text, bytes_part(value, 8, MIN(length, 1u << 20) * 2));
	else if (type == VT_I4 && length > 0)
		g_string_append_printf(text, "%u", length);
	else if (date)
		g_string_append(text, date);
	g_free(date);
	return g_string_free(text, FALSE);
}

static void ole_put_fact(Ole *ole, const Fact *fact, const char *value)
{
	if (fact->field == FIELD_KEYWORD)
		send_keywords(ole->sink, value);
	else
		sink_field(ole->sink, fact->field, value, -1);
}

/* Charset of 8-bit strings in this section. */
static const Charset *section_charset(Bytes section, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t at = le32(section, 12 + 8 * i);
		if (le32(section, 8 + 8 * i) == ID_CODE_PAGE && le16(section, at) == VT_I2)
			return code_page(le16(section, at + 4));
	}
	return code_page(1252);
}

static void read_summary(Ole *ole, Bytes section, const Fact *known)
{
	uint32_t count = MIN(le32(section, 4), (uint32_t)MAX_PROPERTIES);
	const Charset *charset = section_charset(section, count);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t id = le32(section, 8 + 8 * i), at = le32(section, 12 + 8 * i);
		Bytes value = bytes_part(section, at, SIZE_MAX);
		for (const Fact *fact = known; fact->id > 0; fact++) {
			g_autofree char *text = fact->id == id ? value_text(value, charset) : NULL;
			if (text)
				ole_put_fact(ole, fact, text);
		}
	}
}

/* Reads properties that the section itself names; property 0 is the list of names. */
static void read_custom_properties(Ole *ole, Bytes section)
{
	uint32_t count = MIN(le32(section, 4), (uint32_t)MAX_PROPERTIES);
	const Charset *charset = section_charset(section, count);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t id = le32(section, 8 + 8 * i);
		Bytes value = bytes_part(section, le32(section, 12 + 8 * i), SIZE_MAX);
		unsigned type = le16(value, 0);
		if (id <= ID_CODE_PAGE || id >= FIRST_RESERVED ||
		        (type != VT_LPSTR && type != VT_LPWSTR))
			continue;
		g_autofree char *text = value_text(value, charset);
		sink_field(ole->sink, FIELD_COMMENT, text, -1);
	}
}

static Bytes section_at(Bytes stream, size_t at)
{
	return bytes_part(stream, le32(stream, at), SIZE_MAX);
}

void summary_read(Ole *ole)
{
	enum { FIRST = 44, SECOND = 64, HEADER_BYTES = 68 };
	Bytes stream = ole_stream(ole->root, "\005SummaryInformation");
	if (stream.size >= FIRST + 4 && le16(stream, 0) == 0xfffe)
		read_summary(ole, section_at(stream, FIRST), facts);
	g_free((void *)stream.data);
	stream = ole_stream(ole->root, "\005DocumentSummaryInformation");
	if (stream.size >= FIRST + 4 && le16(stream, 0) == 0xfffe)
		read_summary(ole, section_at(stream, FIRST), more_facts);
	if (stream.size >= HEADER_BYTES && le16(stream, 0) == 0xfffe && le32(stream, 24) == 2)
		read_custom_properties(ole, section_at(stream, SECOND));
	g_free((void *)stream.data);
}
