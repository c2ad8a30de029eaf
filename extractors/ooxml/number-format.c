/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number-format.c - the number formats of a spreadsheet
 *
 * A cell refers to a cell format, which refers to a number format. */
#include <config.h>
#include "extractors/ooxml/ooxml.h"
#include "extractors/shared/number-code.h"
#include <math.h>
#include <string.h>

enum { MAX_FORMATS = 100000 };

typedef struct {
	NumberFormats *formats;
	GHashTable *custom; /* number format id -> GRefString: its code */
	bool cells; /* inside the list of cell formats */
} FormatsReader;

static void number_code_release(gpointer code)
{
	g_ref_string_release(code);
}

GHashTable *number_formats_custom_new(void)
{
	return g_hash_table_new_full(NULL, NULL, NULL, number_code_release);
}

void number_formats_init(NumberFormats *formats)
{
	formats->codes = g_ptr_array_new_with_free_func(number_code_release);
}

void number_formats_clear(NumberFormats *formats)
{
	g_ptr_array_unref(formats->codes);
}

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
		g_hash_table_insert(custom, GUINT_TO_POINTER(id), g_ref_string_new(code));
}

void number_formats_add(NumberFormats *formats, GHashTable *custom, unsigned id)
{
	char *own = g_hash_table_lookup(custom, GUINT_TO_POINTER(id));
	const char *code = number_code_of_id(id);
	if (formats->codes->len < MAX_FORMATS)
		g_ptr_array_add(formats->codes, own ? g_ref_string_acquire(own)
		                                    : g_ref_string_new_intern(code ? code : ""));
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
	return reader->formats->codes->len < MAX_FORMATS;
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
	FormatsReader reader = {.formats = formats, .custom = number_formats_custom_new()};

	ooxml_read(ooxml, part, &events, &reader);
	g_hash_table_unref(reader.custom);
}

char *number_display_text(const NumberFormats *formats, const char *value, unsigned format)
{
	enum { EXACT_LENGTH = 15 /* shorter numbers need no rounding */ };
	char *end;
	const char *code = format < formats->codes->len ? formats->codes->pdata[format] : "";

	if (*code == '\0' && strspn(value, "-.0123456789") == strlen(value) &&
	        strlen(value) <= EXACT_LENGTH)
		return g_strdup(value);
	double number = g_ascii_strtod(value, &end);
	if (end == value || *end || !isfinite(number))
		return g_strdup(value);
	return number_text(number, code, formats->from_1904);
}
