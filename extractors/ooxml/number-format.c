/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number-format.c - how the numbers of a spreadsheet are displayed
 *
 * A cell refers to a cell format, which refers to a number format. Search needs to know only
 * whether it is a date: dates are stored as days since 1900 or 1904 (ISO/IEC 29500-1, 18.17.4.1).
 * Other numbers are written plainly, without grouping, currency or rounding. */
#include <config.h>
#include "extractors/ooxml/ooxml.h"
#include <math.h>
#include <string.h>

enum { MAX_FORMATS = 100000, DAY_S = 86400 };

typedef enum { NUMBER_PLAIN, NUMBER_DATE, NUMBER_TIME } NumberKind;

typedef struct {
	NumberFormats *formats;
	GHashTable *custom; /* number format id -> NumberKind + 1 */
	bool cells; /* inside the list of cell formats */
} FormatsReader;

static NumberKind builtin_kind(unsigned id)
{
	if ((id >= 14 && id <= 17) || id == 22 || (id >= 27 && id <= 31) || id == 36 ||
	        (id >= 50 && id <= 58))
		return NUMBER_DATE;
	if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || (id >= 45 && id <= 47))
		return NUMBER_TIME;
	return NUMBER_PLAIN;
}

/* Looks for date and time letters outside of literals ("...", \x, _x, *x) and conditions
 * ([...]). */
static NumberKind kind_of_code(const char *code)
{
	NumberKind kind = NUMBER_PLAIN;
	if (g_ascii_strcasecmp(code, "general") == 0)
		return NUMBER_PLAIN;
	for (const char *c = code; *c && *c != ';'; c++) {
		if (strchr("\\_*", *c) && c[1])
			c++;
		else if (*c == '"' && strchr(c + 1, '"'))
			c = strchr(c + 1, '"');
		else if (*c == '[' && !strchr("hHmMsS", c[1]) && strchr(c, ']'))
			c = strchr(c, ']');
		else if (strchr("dDyY", *c))
			return NUMBER_DATE;
		else if (strchr("hHsSmM", *c))
			kind = NUMBER_TIME;
	}
	return kind;
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
		g_hash_table_insert(
		        custom, GUINT_TO_POINTER(id), GUINT_TO_POINTER(kind_of_code(code) + 1));
}

void number_formats_add(NumberFormats *formats, GHashTable *custom, unsigned id)
{
	guint known = GPOINTER_TO_UINT(g_hash_table_lookup(custom, GUINT_TO_POINTER(id)));
	uint8_t kind = known > 0 ? known - 1 : builtin_kind(id);
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

/* Day 60 of 1900 does not exist; earlier days count from one day later. */
static char *date_display_text(double value, bool from_1904, NumberKind kind)
{
	double days = floor(value);
	int seconds = (int)round((value - days) * DAY_S);
	int base_day = from_1904 || value < 60 ? 31 : 30;
	g_autoptr(GDateTime) base = from_1904 ? g_date_time_new_utc(1904, 1, 1, 0, 0, 0)
	                                      : g_date_time_new_utc(1899, 12, base_day, 0, 0, 0);
	g_autoptr(GDateTime) day = g_date_time_add_days(base, (int)days);
	g_autoptr(GDateTime) time = g_date_time_add_seconds(day, seconds);
	if (days == 0 && kind == NUMBER_TIME)
		return g_date_time_format(time, "%H:%M:%S");
	return g_date_time_format(time, seconds == 0 ? "%Y-%m-%d" : "%Y-%m-%d %H:%M:%S");
}

char *number_display_text(const NumberFormats *formats, const char *value, unsigned format)
{
	enum {
		LAST_DAY = 2958465 /* 9999-12-31 */,
		EXACT_LENGTH = 15 /* shorter numbers need no rounding */
	};
	char plain[G_ASCII_DTOSTR_BUF_SIZE];
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
	if (kind != NUMBER_PLAIN && number >= 0 && number < LAST_DAY)
		return date_display_text(number, formats->from_1904, kind);
	return g_strdup(g_ascii_formatd(plain, sizeof plain, "%.15g", number));
}
