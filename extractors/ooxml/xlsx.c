/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xlsx.c - spreadsheets (SpreadsheetML): sheets in workbook order, cell by cell */
#include <config.h>
#include "extractors/shared/formulalink.h"
#include "extractors/shared/sheetheader.h"
#include "extractors/ooxml/ooxml.h"
#include "extractors/ooxml/shared-strings.h"
#include <string.h>

enum { XLSX_SHEETS = 20000, VALUE_BYTES = 1 << 20 };

typedef struct {
	char *name, *part;
} XlsxSheet;

typedef struct {
	Ooxml *ooxml;
	Relations *relations; /* relations of the workbook */
	GArray *sheets; /* XlsxSheet */
	SharedStrings strings;
	NumberFormats formats;
} XlsxWorkbook;

/* Type of a cell's value (attribute t). */
typedef enum { CELL_NUMBER, CELL_SHARED, CELL_TEXT, CELL_BOOL, CELL_ERROR } CellKind;

typedef struct {
	XlsxWorkbook *book;
	const Relations *relations; /* relations of the sheet */
	CellKind kind;
	unsigned format;
	bool phonetic;
	GString *value; /* text of the open cell, comment, header or footer */
	GString *formula; /* of the open cell */
	GByteArray *stand_ins; /* for each author of comments: 1 if it stands for a thread */
	bool stand_in; /* the open comment repeats a thread */
	GHashTable *hints; /* set of texts of data validations that were sent */
	GString *into; /* value or formula: takes the text that follows; NULL: none does */
} SheetReader;

static void xlsx_sheet_clear(gpointer item)
{
	g_free(((XlsxSheet *)item)->name);
	g_free(((XlsxSheet *)item)->part);
}

/* ---- the workbook */

static bool on_book_start(void *user, unsigned element, const XmlAttributes *attributes)
{
	XlsxWorkbook *book = user;

	if (element == X_WORKBOOK_PR)
		book->formats.from_1904 = xml_attribute_is(attributes, 0, "date1904", "1") ||
		                          xml_attribute_is(attributes, 0, "date1904", "true");
	if (element != X_SHEET)
		return true;
	g_autofree char *id = xml_attribute_dup(attributes, NS_R, "id");
	const Relation *relation = id ? relations_with_id(book->relations, id) : NULL;
	XlsxSheet sheet = {
	        .name = xml_attribute_dup(attributes, 0, "name"),
	        .part = g_strdup(relation && !relation->external ? relation->target : NULL),
	};
	g_array_append_val(book->sheets, sheet);
	return book->sheets->len < XLSX_SHEETS;
}

static void xlsx_read_workbook(XlsxWorkbook *book, const char *part)
{
	static const XmlEvents events = {.start = on_book_start};
	guint position = 0;
	const Relation *relation;

	ooxml_read(book->ooxml, part, &events, book);
	if (book->sheets->len > 0)
		return;
	while (book->sheets->len < XLSX_SHEETS &&
	        (relation = relations_of_type(book->relations, "worksheet", &position)) != NULL) {
		XlsxSheet sheet = {.part = g_strdup(relation->target)};
		g_array_append_val(book->sheets, sheet);
	}
}

/* ---- a sheet */

static const struct {
	const char *type;
	CellKind kind;
} cell_kinds[] = {
        {"s", CELL_SHARED},
        {"str", CELL_TEXT},
        {"inlineStr", CELL_TEXT},
        {"d", CELL_TEXT},
        {"b", CELL_BOOL},
        {"e", CELL_ERROR},
};

static void cell_start(SheetReader *reader, const XmlAttributes *attributes)
{
	g_string_truncate(reader->value, 0);
	g_string_truncate(reader->formula, 0);
	reader->kind = CELL_NUMBER;
	reader->format = xml_attribute_number(attributes, 0, "s", G_MAXINT32, 0);
	size_t length;
	const char *type = xml_attribute(attributes, 0, "t", &length);
	for (size_t i = 0; type && i < G_N_ELEMENTS(cell_kinds); i++) {
		if (strlen(cell_kinds[i].type) == length &&
		        memcmp(cell_kinds[i].type, type, length) == 0)
			reader->kind = cell_kinds[i].kind;
	}
}

static void cell_shared(SheetReader *reader)
{
	guint64 index;
	size_t length;
	if (!g_ascii_string_to_unsigned(reader->value->str, 10, 0, G_MAXUINT32, &index, NULL))
		return;
	const char *text = shared_string(&reader->book->strings, index, &length);
	if (text)
		flow_line(&reader->book->ooxml->flow, TAG_TABLE, text, length);
}

static void cell_end(SheetReader *reader)
{
	Flow *flow = &reader->book->ooxml->flow;
	const GString *value = reader->value;

	if (value->len == 0)
		return;
	switch (reader->kind) {
	case CELL_SHARED:
		cell_shared(reader);
		break;
	case CELL_TEXT:
		flow_line(flow, TAG_TABLE, value->str, value->len);
		break;
	case CELL_BOOL:
		flow_line(flow, TAG_TABLE, strcmp(value->str, "0") == 0 ? "FALSE" : "TRUE", -1);
		break;
	case CELL_NUMBER: {
		g_autofree char *shown =
		        number_display_text(&reader->book->formats, value->str, reader->format);
		flow_line(flow, TAG_TABLE, shown, -1);
		break;
	}
	case CELL_ERROR:
		break;
	}
}

static void cell_link(SheetReader *reader)
{
	g_autofree char *href = formula_link(reader->formula->str);
	if (href)
		sink_link(reader->book->ooxml->sink, href, reader->value->str);
}

/* A thread is stored a second time for older programs, as a comment of the author "tc={ID}". */
static void comment_author_end(SheetReader *reader)
{
	const GString *name = reader->value;
	guint8 stand_in = g_str_has_prefix(name->str, "tc={");
	g_byte_array_append(reader->stand_ins, &stand_in, 1);
	if (!stand_in)
		flow_line(&reader->book->ooxml->flow, TAG_COMMENT, name->str, name->len);
}

static bool is_stand_in(const SheetReader *reader, const XmlAttributes *attributes)
{
	unsigned author = xml_attribute_number(attributes, 0, "authorId", G_MAXINT32, 0);
	return author < reader->stand_ins->len && reader->stand_ins->data[author];
}

/* Excel shows the prompt beside a cell, and the error if a value is refused. Several ranges of
 * cells have the same. */
static void validation_start(SheetReader *reader, const XmlAttributes *attributes)
{
	static const char *const names[] = {"promptTitle", "prompt", "errorTitle", "error"};
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *text = xml_attribute_dup(attributes, 0, names[i]);
		if (!text || !g_hash_table_add(reader->hints, g_strdup(text)))
			continue;
		g_string_assign(reader->value, text);
		xstring_decode(reader->value, 0);
		flow_line(&reader->book->ooxml->flow, TAG_COMMENT, reader->value->str,
		        reader->value->len);
	}
}

static void xlsx_link_start(SheetReader *reader, const XmlAttributes *attributes)
{
	g_autofree char *id = xml_attribute_dup(attributes, NS_R, "id");
	g_autofree char *text = xml_attribute_dup(attributes, 0, "display");
	const Relation *relation = id ? relations_with_id(reader->relations, id) : NULL;
	if (relation && relation->external)
		sink_link(reader->book->ooxml->sink, relation->target, text);
}

static bool on_sheet_start(void *user, unsigned element, const XmlAttributes *attributes)
{
	SheetReader *reader = user;

	switch (element) {
	case X_CELL:
		cell_start(reader, attributes);
		break;
	case X_COMMENT:
		reader->stand_in = is_stand_in(reader, attributes);
		g_string_truncate(reader->value, 0);
		break;
	case X_AUTHOR:
	case X_THREADED_TEXT:
	case X_HEADER_FOOTER:
		g_string_truncate(reader->value, 0);
		break;
	case X_HYPERLINK:
		xlsx_link_start(reader, attributes);
		break;
	case X_VALIDATION:
		validation_start(reader, attributes);
		break;
	case X_PHONETIC:
		reader->phonetic = true;
		break;
	default:
		break;
	}
	bool shown = element == X_VALUE || element == X_T || element == X_HEADER_FOOTER ||
	             element == X_THREADED_TEXT || element == X_AUTHOR;
	reader->into = reader->phonetic       ? NULL
	               : element == X_FORMULA ? reader->formula
	               : shown                ? reader->value
	                                      : NULL;
	return true;
}

static bool on_sheet_end(void *user, unsigned element)
{
	SheetReader *reader = user;
	Flow *flow = &reader->book->ooxml->flow;

	reader->into = NULL;
	switch (element) {
	case X_CELL:
		xstring_decode(reader->value, 0);
		cell_link(reader);
		cell_end(reader);
		break;
	case X_AUTHOR:
		xstring_decode(reader->value, 0);
		comment_author_end(reader);
		break;
	case X_COMMENT:
	case X_THREADED_TEXT:
		xstring_decode(reader->value, 0);
		if (element == X_THREADED_TEXT || !reader->stand_in)
			flow_line(flow, TAG_COMMENT, reader->value->str, reader->value->len);
		break;
	case X_HEADER_FOOTER:
		sheet_header_put(flow, reader->value->str);
		break;
	case X_PHONETIC:
		reader->phonetic = false;
		break;
	default:
		break;
	}
	return !flow->full;
}

static bool on_sheet_text(void *user, const char *text, size_t length)
{
	SheetReader *reader = user;
	if (reader->into && reader->into->len + length <= VALUE_BYTES)
		g_string_append_len(reader->into, text, length);
	return true;
}

static const XmlEvents sheet_events = {on_sheet_start, on_sheet_end, on_sheet_text};

static void xlsx_read_sheet_part(XlsxWorkbook *book, const char *part, const Relations *relations)
{
	g_autoptr(GString) value = g_string_new(NULL);
	g_autoptr(GString) formula = g_string_new(NULL);
	g_autoptr(GByteArray) stand_ins = g_byte_array_new();
	g_autoptr(GHashTable) hints = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	SheetReader reader = {.book = book,
	        .relations = relations,
	        .value = value,
	        .formula = formula,
	        .stand_ins = stand_ins,
	        .hints = hints};
	ooxml_read(book->ooxml, part, &sheet_events, &reader);
}

static void read_comments(XlsxWorkbook *book, const Relations *relations)
{
	static const char *const types[] = {"threadedComment", "comments"};
	for (size_t i = 0; i < G_N_ELEMENTS(types); i++) {
		const Relation *comments = ooxml_related(relations, types[i]);
		if (comments && ooxml_claim(book->ooxml, comments->target))
			xlsx_read_sheet_part(book, comments->target, relations);
	}
}

static void xlsx_read_sheet(XlsxWorkbook *book, const XlsxSheet *sheet, unsigned number)
{
	Ooxml *ooxml = book->ooxml;

	if (!flow_sheet(&ooxml->flow, number, sheet->name))
		return;
	if (!sheet->part || !ooxml_claim(ooxml, sheet->part))
		return;
	g_autoptr(Relations) relations = package_relations(ooxml->zip, sheet->part);
	xlsx_read_sheet_part(book, sheet->part, relations);
	read_comments(book, relations);
	drawings_of_type(ooxml, relations, "drawing", TAG_BODY);
	ooxml_embedded(ooxml, relations);
}

static bool on_person(void *user, unsigned element, const XmlAttributes *attributes)
{
	Ooxml *ooxml = user;
	size_t length;
	const char *name =
	        element == X_PERSON ? xml_attribute(attributes, 0, "displayName", &length) : NULL;
	return !name || flow_line(&ooxml->flow, TAG_COMMENT, name, length);
}

/* Sends the authors of threads once for all sheets. */
static void xlsx_read_persons(XlsxWorkbook *book)
{
	static const XmlEvents events = {.start = on_person};
	const Relation *persons = ooxml_related(book->relations, "person");
	if (persons && ooxml_claim(book->ooxml, persons->target))
		ooxml_read(book->ooxml, persons->target, &events, book->ooxml);
}

static void xlsx_read_shared(XlsxWorkbook *book)
{
	const Relation *styles = ooxml_related(book->relations, "styles");
	const Relation *strings = ooxml_related(book->relations, "sharedStrings");
	if (styles)
		number_formats_read(book->ooxml, &book->formats, styles->target);
	if (strings)
		shared_strings_read(book->ooxml, &book->strings, strings->target);
	if (book->strings.cut)
		sink_truncated(book->ooxml->sink, REASON_LIMIT_TEXT, NULL);
}

void book_read(Ooxml *ooxml, const char *part)
{
	g_autoptr(Relations) relations = package_relations(ooxml->zip, part);
	g_autoptr(GArray) sheets = g_array_new(FALSE, FALSE, sizeof(XlsxSheet));
	XlsxWorkbook book = {.ooxml = ooxml, .relations = relations, .sheets = sheets};

	g_array_set_clear_func(sheets, xlsx_sheet_clear);
	shared_strings_init(&book.strings);
	number_formats_init(&book.formats);
	xlsx_read_workbook(&book, part);
	xlsx_read_shared(&book);
	for (guint i = 0; i < sheets->len && !ooxml->flow.full; i++)
		xlsx_read_sheet(&book, &g_array_index(sheets, XlsxSheet, i), i + 1);
	if (!ooxml->flow.full)
		xlsx_read_persons(&book);
	ooxml_count(ooxml, sheets->len);
	number_formats_clear(&book.formats);
	shared_strings_clear(&book.strings);
}
