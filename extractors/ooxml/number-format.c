/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number-format.c - the number formats of a spreadsheet
 *
 * A cell refers to a cell format, which refers to a number format. */
#include <config.h>
#include "extractors/ooxml/ooxml.h"
#include "extractors/shared/number-kind.h"
#include <math.h>
#include <string.h>

enum { MAX_FORMATS = 100000 };

typedef struct {
	NumberFormats *formats;
	GHashTable *custom; /* number format id -> NumberKind + 1 */
	bool cells; /* inside the list of cell formats */
} FormatsReader;

static void custom_start(FormatsReader *reader, const XmlAttributes *attributes)
{
	unsigned id = xml_attribute_number(attributes, 0, "numFmtId", G_MAXINT32, 0);
	g_autofree char *code = xml_attribute_dup(attributes, 0, "formatCode");
	if (code)
		number_formats_define(reader->custom, id, code);
}

void number_formats_define(GHashTable *custom, unsigned id, const char *code)
{
	if (g_hash_table_size(custom) < MAX_FORMATS)
		g_hash_table_insert(custom, GUINT_TO_POINTER(id),
		        GUINT_TO_POINTER(number_kind_of_code(code) + 1));
}

void number_formats_add(NumberFormats *formats, GHashTable *custom, unsigned id)
{
	guint known = GPOINTER_TO_UINT(g_hash_table_lookup(custom, GUINT_TO_POINTER(id)));
	uint8_t kind = known > 0 ? known - 1 : number_kind_of_id(id);
	if (formats->kinds->len < MAX_FORMATS)
		g_array_append_val(formats->kinds, kind);
}

static bool number_format_on_start(void *user, unsigned element, const XmlAttributes *attributes)
{
	FormatsReader *reader = user;

	if (element == X_NUMBER_FORMAT)
		custom_start(reader, attributes);
	else if (element == X_CELL_FORMATS)
		reader->cells = true;
	if (element != X_FORMAT || !reader->cells)
		return true;
	unsigned id = xml_attribute_number(attributes, 0, "numFmtId", G_MAXINT32, 0);
	number_formats_add(reader->formats, reader->custom, id);
	return reader->formats->kinds->len < MAX_FORMATS;
}

static bool number_format_on_end(void *user, unsigned element)
{
	FormatsReader *reader = user;
	if (element == X_CELL_FORMATS)
		reader->cells = false;
	return true;
}

void number_formats_read(Ooxml *ooxml, NumberFormats *formats, const char *part)
{
	static const XmlEvents events = {
	        .start = number_format_on_start, .end = number_format_on_end};
	FormatsReader reader = {.formats = formats, .custom = g_hash_table_new(NULL, NULL)};

	ooxml_read(ooxml, part, &events, &reader);
	g_hash_table_unref(reader.custom);
}

char *number_display_text(const NumberFormats *formats, const char *value, unsigned format)
{
	enum { EXACT_LENGTH = 15 /* shorter numbers need no rounding */ };
	char *end;
	NumberKind kind = format < formats->kinds->len
	                          ? (NumberKind)g_array_index(formats->kinds, uint8_t, format)
	                          : NUMBER_PLAIN;

	if (kind == NUMBER_PLAIN && strspn(value, "-.0123456789") == strlen(value) &&
	        strlen(value) <= EXACT_LENGTH)
		return g_strdup(value);
	double number = g_ascii_strtod(value, &end);
	if (end == value || *end || !isfinite(number))
		return g_strdup(value);
	return number_text(number, kind, formats->from_1904);
}
