/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xlsb.c - binary workbooks (MS-XLSB): the package of a spreadsheet whose parts are records */
#include <config.h>
#include "extractors/ooxml/xlsb-records.h"
#include "extractors/shared/sheetheader.h"
#include "extractors/ooxml/shared-strings.h"
#include "extractors/shared/rk.h"
#include <math.h>

enum { MAX_SHEETS = 20000, CELL_HEADER = 8, SHORT_HEADER = 4 };

/* Kinds of records (MS-XLSB 2.3). */
enum {
	B_RK = 2,
	B_BOOL = 4,
	B_REAL = 5,
	B_TEXT = 6,
	B_SHARED = 7,
	B_FORMULA_TEXT = 8,
	B_FORMULA_REAL = 9,
	B_FORMULA_BOOL = 10,
	B_SHORT_RK = 13,
	B_SHORT_BOOL = 15,
	B_SHORT_REAL = 16,
	B_SHORT_TEXT = 17,
	B_SHORT_SHARED = 18,
	B_SHARED_ITEM = 19,
	B_FORMAT = 44,
	B_XF = 47,
	B_RICH_TEXT = 62,
	B_WORKBOOK = 153,
	B_SHEET = 156,
	B_HEADER_FOOTER = 479,
	B_LINK = 494,
	B_CELL_FORMATS = 617,
	B_CELL_FORMATS_END = 618,
	B_COMMENT_TEXT = 637,
};

typedef struct {
	char *name, *part;
} XlsbSheet;

typedef struct {
	Ooxml *ooxml;
	Relations *relations; /* relations of the workbook */
	GArray *sheets; /* XlsbSheet */
	SharedStrings strings;
	NumberFormats formats;
} BinaryBook;

static void xlsb_sheet_clear(gpointer item)
{
	g_free(((XlsbSheet *)item)->name);
	g_free(((XlsbSheet *)item)->part);
}

static void close_part(BinaryBook *book, BinaryPart *part)
{
	book->ooxml->damaged = book->ooxml->damaged || (part && part->cut);
	g_clear_pointer(&part, binary_part_free);
}

/* NULL if there is no such part. */
static BinaryPart *open_part(BinaryBook *book, const char *name)
{
	return zip_part_begin(book->ooxml->zip, name) ? binary_part_new(book->ooxml->zip) : NULL;
}

static void add_sheet(BinaryBook *book, const BinaryPart *part)
{
	size_t at = 8;
	g_autofree char *id = binary_string(part, &at);
	const Relation *relation = relations_with_id(book->relations, id);
	XlsbSheet sheet = {.name = binary_string(part, &at),
	        .part = g_strdup(relation && !relation->external ? relation->target : NULL)};
	g_array_append_val(book->sheets, sheet);
}

static void xlsb_read_workbook(BinaryBook *book, const char *name)
{
	BinaryPart *part = open_part(book, name);
	while (part && book->sheets->len < MAX_SHEETS && binary_next(part)) {
		if (part->kind == B_WORKBOOK)
			book->formats.from_1904 = binary_u32(part, 0) & 1;
		else if (part->kind == B_SHEET)
			add_sheet(book, part);
	}
	close_part(book, part);
}

static void xlsb_read_strings(BinaryBook *book, const char *name)
{
	BinaryPart *part = open_part(book, name);
	while (part && !book->strings.cut && binary_next(part)) {
		size_t at = 1;
		if (part->kind != B_SHARED_ITEM)
			continue;
		g_autofree char *text = binary_string(part, &at);
		shared_strings_add(&book->strings, text);
	}
	close_part(book, part);
}

static void read_formats(BinaryBook *book, const char *name)
{
	BinaryPart *part = open_part(book, name);
	g_autoptr(GHashTable) custom = number_formats_custom_new();
	bool cells = false;
	while (part && binary_next(part)) {
		size_t at = 2;
		if (part->kind == B_FORMAT) {
			g_autofree char *code = binary_string(part, &at);
			number_formats_define(custom, binary_u16(part, 0), code);
		} else if (part->kind == B_CELL_FORMATS || part->kind == B_CELL_FORMATS_END) {
			cells = part->kind == B_CELL_FORMATS;
		} else if (part->kind == B_XF && cells) {
			number_formats_add(&book->formats, custom, binary_u16(part, 2));
		}
	}
	close_part(book, part);
}

static void xlsb_put_text(BinaryBook *book, const BinaryPart *part, size_t at, DocTag tag)
{
	g_autofree char *text = binary_string(part, &at);
	flow_line(&book->ooxml->flow, tag, text, -1);
}

static void put_shared(BinaryBook *book, uint32_t index)
{
	size_t length;
	const char *text = shared_string(&book->strings, index, &length);
	if (text)
		flow_line(&book->ooxml->flow, TAG_TABLE, text, length);
}

static void xlsb_put_number(BinaryBook *book, double value, unsigned format)
{
	char decimal[G_ASCII_DTOSTR_BUF_SIZE];
	if (!isfinite(value))
		return;
	g_ascii_formatd(decimal, sizeof decimal, "%.15g", value);
	g_autofree char *shown = number_display_text(&book->formats, decimal, format);
	flow_line(&book->ooxml->flow, TAG_TABLE, shown, -1);
}

static void read_cell(BinaryBook *book, const BinaryPart *part, unsigned kind, size_t at)
{
	unsigned format = binary_u32(part, at - SHORT_HEADER) & 0xffffff;
	switch (kind) {
	case B_RK:
		xlsb_put_number(book, rk_value(binary_u32(part, at)), format);
		return;
	case B_REAL:
	case B_FORMULA_REAL:
		xlsb_put_number(book, binary_double(part, at), format);
		return;
	case B_BOOL:
	case B_FORMULA_BOOL:
		flow_line(&book->ooxml->flow, TAG_TABLE, binary_byte(part, at) ? "TRUE" : "FALSE",
		        -1);
		return;
	case B_TEXT:
	case B_FORMULA_TEXT:
		xlsb_put_text(book, part, at, TAG_TABLE);
		return;
	case B_RICH_TEXT:
		xlsb_put_text(book, part, at + 1, TAG_TABLE);
		return;
	case B_SHARED:
		put_shared(book, binary_u32(part, at));
		return;
	default:
		return;
	}
}

static void read_header_footer(BinaryBook *book, const BinaryPart *part)
{
	size_t at = 2;
	while (at + 4 <= part->record->len && !book->ooxml->flow.full) {
		g_autofree char *text = binary_string(part, &at);
		sheet_header_put(&book->ooxml->flow, text);
	}
}

static void xlsb_read_link(BinaryBook *book, const BinaryPart *part, const Relations *relations)
{
	size_t at = 16;
	g_autofree char *id = binary_string(part, &at);
	g_autofree char *location = binary_string(part, &at);
	g_autofree char *tip = binary_string(part, &at);
	g_autofree char *shown = binary_string(part, &at);
	const Relation *relation = relations_with_id(relations, id);
	if (relation && relation->external)
		sink_link(book->ooxml->sink, relation->target, shown);
}

static void xlsb_read_sheet_part(BinaryBook *book, const char *name, const Relations *relations)
{
	BinaryPart *part = open_part(book, name);
	while (part && !book->ooxml->flow.full && binary_next(part)) {
		if (part->kind >= B_SHORT_RK && part->kind <= B_SHORT_SHARED)
			read_cell(book, part, part->kind - B_SHORT_RK + B_RK, SHORT_HEADER);
		else if (part->kind <= B_FORMULA_BOOL || part->kind == B_RICH_TEXT)
			read_cell(book, part, part->kind, CELL_HEADER);
		else if (part->kind == B_COMMENT_TEXT)
			xlsb_put_text(book, part, 1, TAG_COMMENT);
		else if (part->kind == B_HEADER_FOOTER)
			read_header_footer(book, part);
		else if (part->kind == B_LINK)
			xlsb_read_link(book, part, relations);
	}
	close_part(book, part);
}

static void xlsb_read_sheet(BinaryBook *book, const XlsbSheet *sheet, unsigned number)
{
	Ooxml *ooxml = book->ooxml;
	if (!flow_sheet(&ooxml->flow, number, sheet->name))
		return;
	if (!sheet->part || !ooxml_claim(ooxml, sheet->part))
		return;
	g_autoptr(Relations) relations = package_relations(ooxml->zip, sheet->part);
	xlsb_read_sheet_part(book, sheet->part, relations);
	const Relation *comments = ooxml_related(relations, "comments");
	if (comments && ooxml_claim(ooxml, comments->target))
		xlsb_read_sheet_part(book, comments->target, relations);
	drawings_of_type(ooxml, relations, "drawing", TAG_BODY);
	ooxml_embedded(ooxml, relations);
}

void binary_book_read(Ooxml *ooxml, const char *part)
{
	g_autoptr(Relations) relations = package_relations(ooxml->zip, part);
	g_autoptr(GArray) sheets = g_array_new(FALSE, FALSE, sizeof(XlsbSheet));
	BinaryBook book = {.ooxml = ooxml, .relations = relations, .sheets = sheets};
	g_array_set_clear_func(sheets, xlsb_sheet_clear);
	shared_strings_init(&book.strings);
	number_formats_init(&book.formats);
	xlsb_read_workbook(&book, part);
	const Relation *styles = ooxml_related(relations, "styles");
	const Relation *strings = ooxml_related(relations, "sharedStrings");
	if (styles)
		read_formats(&book, styles->target);
	if (strings)
		xlsb_read_strings(&book, strings->target);
	if (book.strings.cut)
		sink_truncated(ooxml->sink, REASON_LIMIT_TEXT, NULL);
	for (guint i = 0; i < sheets->len && !ooxml->flow.full; i++)
		xlsb_read_sheet(&book, &g_array_index(sheets, XlsbSheet, i), i + 1);
	ooxml_count(ooxml, sheets->len);
	number_formats_clear(&book.formats);
	shared_strings_clear(&book.strings);
}
