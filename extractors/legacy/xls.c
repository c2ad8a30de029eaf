/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xls.c - Excel 2 to 2003 (MS-XLS; before Excel 5: OpenOffice.org's documentation of the format)
 *
 * The stream is a list of records: first the workbook with the names of its sheets and their shared
 * strings, then each sheet. Before Excel 5 a file is this stream without a container, mostly with
 * one sheet. Numbers are written as their cell formats display them. */
#include <config.h>
#include "extractors/legacy/hyperlink.h"
#include "extractors/legacy/legacy.h"
#include "extractors/legacy/xls-records.h"
#include "extractors/legacy/xls-unlock.h"
#include "extractors/shared/number-code.h"
#include "extractors/shared/rk.h"
#include "extractors/shared/sheetheader.h"
#include <math.h>

typedef struct {
	Ole *ole;
	Records records;
	bool started, is_8; /* Excel 97 and later */
	unsigned old; /* version 2 to 4, before Excel 5; else 0 */
	const Charset *charset;
	GPtrArray *sheets; /* sheet names */
	GPtrArray *strings; /* shared strings */
	GHashTable *codes; /* number format -> its code */
	GArray *cells; /* uint16_t: number format of each cell format */
	/* number of number formats; before Excel 5 they are numbered by position */
	unsigned formats;
	unsigned sheet; /* current sheet, from 1; 0: the workbook */
	uint8_t *unlocked; /* the decrypted stream, or NULL */
	bool encrypted, text_result;
	bool is_note; /* the open object is a comment */
	bool in_sheet;
	unsigned charts; /* open charts on this sheet */
	bool from_1904;
} XlsWorkbook;

enum {
	R_INTEGER2 = 0x02,
	R_NUMBER2 = 0x03,
	R_LABEL2 = 0x04,
	R_TRUTH2 = 0x05, /* called BOOLERR */
	R_STRING2 = 0x07,
	R_BOF2 = 0x09,
	R_FORMULA = 0x06,
	R_EOF = 0x0a,
	R_HEADER = 0x14,
	R_FOOTER = 0x15,
	R_NOTE = 0x1c,
	R_1904 = 0x22,
	R_FILEPASS = 0x2f,
	R_CODEPAGE = 0x42,
	R_XF2 = 0x43,
	R_SHEET = 0x85,
	R_SHEET4 = 0x8f,
	R_MULRK = 0xbd,
	R_RSTRING = 0xd6,
	R_XF = 0xe0,
	R_SST = 0xfc,
	R_LABELSST = 0xfd,
	R_DRAWING = 0xec,
	R_CHART_TEXT = 0x100d,
	R_OBJECT = 0x5d,
	R_TXO = 0x1b6,
	R_VALIDATION = 0x1be,
	R_HLINK = 0x1b8,
	R_NUMBER = 0x203,
	R_LABEL = 0x204,
	R_FORMULA3 = 0x206,
	R_TRUTH = 0x205,
	R_STRING = 0x207,
	R_BOF3 = 0x209,
	R_XF3 = 0x243,
	R_RK = 0x27e,
	R_FORMULA4 = 0x406,
	R_BOF4 = 0x409,
	R_FORMAT = 0x41e,
	R_XF4 = 0x443,
	R_FORMAT5 = 0x1e,
	R_BOF = 0x809,
};

enum { MAX_STRINGS = 1 << 22 };

static void put_cell(XlsWorkbook *book, DocTag tag, const char *text)
{
	if (text && *text)
		flow_line(&book->ole->flow, tag, text, -1);
}

static void xls_put_number(XlsWorkbook *book, double value, unsigned cell_format)
{
	uint16_t format = cell_format < book->cells->len
	                          ? g_array_index(book->cells, uint16_t, cell_format)
	                          : 0;
	const char *own = g_hash_table_lookup(book->codes, GUINT_TO_POINTER(format));
	const char *code = own ? own : number_code_of_id(format);
	g_autofree char *text = isfinite(value) ? number_text(value, code, book->from_1904) : NULL;
	put_cell(book, TAG_TABLE, text);
}

static void xls_put_truth(XlsWorkbook *book, Bytes record, size_t at)
{
	put_cell(book, TAG_TABLE, le16(record, at) & 0xff ? "TRUE" : "FALSE");
}

/* A cell with a truth value or an error code, which a second byte tells. */
static void xls_read_truth(XlsWorkbook *book, Bytes record, size_t at)
{
	if (record.size >= at + 2 && le16(record, at) < 0x100)
		xls_put_truth(book, record, at);
}

static double double_at(Bytes record, size_t at)
{
	uint64_t bits = le64(record, at);
	double value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

/* A string within one record; its length has one or two bytes. */
static char *short_string(const XlsWorkbook *book, Bytes record, size_t at, unsigned length_bytes)
{
	GString *text = g_string_new(NULL);
	size_t length = length_bytes == 1 ? le16(record, at) & 0xff : le16(record, at);
	at += length_bytes;
	if (length_bytes == 1 && at > record.size)
		length = 0;
	if (!book->is_8)
		put_encoded(text, bytes_part(record, at, length), book->charset);
	else if (at < record.size && record.data[at] & 1)
		put_utf16(text, bytes_part(record, at + 1, length * 2));
	else
		put_encoded(text, bytes_part(record, at + 1, length), code_page(1252));
	return g_string_free(text, FALSE);
}

static void xls_read_strings(XlsWorkbook *book)
{
	Records *r = &book->records;
	records_take(r, 4);
	uint32_t count = records_u32(r);
	for (uint32_t i = 0; i < MIN(count, (uint32_t)MAX_STRINGS) && !r->failed; i++)
		g_ptr_array_add(book->strings, records_string(r));
}

static void read_format(XlsWorkbook *book, Bytes record)
{
	unsigned number = book->old ? book->formats++ : le16(record, 0);
	unsigned at = book->old && book->old < 4 ? 0 : 2;
	g_hash_table_insert(book->codes, GUINT_TO_POINTER(number),
	        short_string(book, record, at, book->is_8 ? 2 : 1));
}

static void xls_read_shared(XlsWorkbook *book, Bytes record)
{
	uint32_t i = le32(record, 6);
	if (i < book->strings->len)
		put_cell(book, TAG_TABLE, book->strings->pdata[i]);
}

static void read_formula(XlsWorkbook *book, Bytes record)
{
	enum { TEXT, TRUTH };
	bool special = le16(record, 12) == 0xffff;
	unsigned kind = le16(record, 6) & 0xff;
	book->text_result = special && kind == TEXT;
	if (special && kind == TRUTH)
		xls_put_truth(book, record, 8);
	if (!special)
		xls_put_number(book, double_at(record, 6), le16(record, 4));
}

static void read_run_of_numbers(XlsWorkbook *book, Bytes record)
{
	for (size_t at = 4; at + 8 <= record.size; at += 6)
		xls_put_number(book, rk_value(le32(record, at + 2)), le16(record, at));
}

/* Excel 2 to 4: a file is one sheet. Excel 4: or a workbook whose sheets have names. */
static void begin_old_sheet(XlsWorkbook *book, unsigned version, Bytes record)
{
	book->old = version;
	if (le16(record, 2) != 0x100 && book->sheet == 0)
		flow_sheet(&book->ole->flow, ++book->sheet, NULL);
}

static void begin_named(XlsWorkbook *book, Bytes record)
{
	g_autofree char *name = short_string(book, record, 4, 1);
	flow_sheet(&book->ole->flow, ++book->sheet, name);
}

/* Sheets of Excel 5 workbooks that later programs saved claim a newer version than they have. */
static void xls_begin_part(XlsWorkbook *book, Bytes record)
{
	if (!book->started)
		book->is_8 = le16(record, 0) >= 0x600;
	book->started = true;
	unsigned kind = le16(record, 2);
	bool on_sheet = kind == 0x20 && book->in_sheet; /* a chart on the sheet */
	book->charts += on_sheet;
	if (kind == 0x05 || kind == 0x06 || on_sheet)
		return;
	const char *name =
	        book->sheet < book->sheets->len ? book->sheets->pdata[book->sheet] : NULL;
	if (kind != 0x10 && kind != 0x20)
		return;
	book->in_sheet = true;
	book->charts = 0;
	flow_sheet(&book->ole->flow, ++book->sheet, name);
}

static void end_part(XlsWorkbook *book)
{
	if (book->charts > 0)
		book->charts--;
	else
		book->in_sheet = false;
}

/* The text of an object follows in a record of its own. */
static void xls_read_object(XlsWorkbook *book, Bytes record)
{
	enum { COMMON = 0x15, NOTE = 0x19 };
	book->is_note = le16(record, 0) == COMMON && le16(record, 4) == NOTE;
}

/* A text box: its characters are in the continuation records. */
static void read_text_box(XlsWorkbook *book, Bytes record)
{
	unsigned length = le16(record, 10);
	if (length == 0 || !book->is_8)
		return;
	records_take(&book->records, book->records.record.size);
	g_autofree char *text = records_characters(&book->records, length);
	put_cell(book, book->is_note ? TAG_COMMENT : TAG_BODY, text);
}

static void xls_read_string(
        XlsWorkbook *book, Bytes record, unsigned at, unsigned length_bytes, DocTag tag)
{
	if (record.size < at + length_bytes)
		return;
	g_autofree char *text = short_string(book, record, at, length_bytes);
	put_cell(book, tag, text);
}

/* Excel shows the prompt beside a cell, and the error if a value is refused (MS-XLS 2.4.90
 * "Dv"). */
static void xls_read_validation(XlsWorkbook *book, Bytes record)
{
	enum { TEXTS = 4 };
	size_t at = 4;
	for (unsigned i = 0; book->is_8 && i < TEXTS && at + 3 < record.size; i++) {
		size_t count = le16(record, at), width = 1 + (record.data[at + 2] & 1);
		xls_read_string(book, record, at, 2, TAG_COMMENT);
		at += 3 + count * width;
	}
}

static void xls_read_header(XlsWorkbook *book, Bytes record)
{
	unsigned length_bytes = book->is_8 ? 2 : 1;
	g_autofree char *header =
	        record.size > length_bytes ? short_string(book, record, 0, length_bytes) : NULL;
	if (header)
		sheet_header_put(&book->ole->flow, header);
}

/* The range of cells comes first, then a mark of the link's kind. */
static void xls_read_link(XlsWorkbook *book, Bytes record)
{
	enum { CELLS_BYTES = 8, KIND_BYTES = 16 };
	Hyperlink link = hyperlink_read(bytes_part(record, CELLS_BYTES + KIND_BYTES, SIZE_MAX));
	if (link.target)
		book->ole->flow.full |= !sink_link(book->ole->sink, link.target, link.shown);
	g_free(link.target);
	g_free(link.shown);
}

/* From FilePass on the stream is encrypted. */
static void xls_unlock(XlsWorkbook *book, Bytes pass)
{
	Records *r = &book->records;
	if (book->unlocked)
		return;
	book->unlocked = book_decrypt(r->stream, r->at, pass, book->is_8);
	book->encrypted = !book->unlocked;
	if (book->unlocked)
		r->stream.data = book->unlocked;
}

static void read_settings(XlsWorkbook *book, unsigned kind, Bytes record)
{
	uint16_t format = le16(record, 2), old_format = le16(record, 0) >> 8;
	switch (kind) {
	case R_FILEPASS:
		xls_unlock(book, record);
		return;
	case R_CODEPAGE:
		book->charset = code_page(le16(record, 0));
		return;
	case R_1904:
		book->from_1904 = le16(record, 0) == 1;
		return;
	case R_SHEET:
		g_ptr_array_add(book->sheets, short_string(book, record, 6, 1));
		return;
	case R_XF:
		g_array_append_val(book->cells, format);
		return;
	case R_XF2:
		old_format = format & 0x3f;
		/* fall through */
	case R_XF3:
	case R_XF4:
		g_array_append_val(book->cells, old_format);
		return;
	case R_FORMAT:
	case R_FORMAT5:
		read_format(book, record);
		return;
	case R_SST:
		xls_read_strings(book);
		return;
	default:
		return;
	}
}

/* Cells of Excel 2 have three bytes of attributes where later versions have two. */
static void read_cell2(XlsWorkbook *book, unsigned kind, Bytes record)
{
	unsigned cell_format = le16(record, 4) & 0x3f;
	if (kind == R_INTEGER2)
		xls_put_number(book, le16(record, 7), cell_format);
	else if (kind == R_LABEL2)
		xls_read_string(book, record, 7, 1, TAG_TABLE);
	else if (kind == R_TRUTH2)
		xls_read_truth(book, record, 7);
	else
		xls_put_number(book, double_at(record, 7), cell_format);
}

/* Handles records that exist only in Excel 2 to 4. */
static bool xls_read_old(XlsWorkbook *book, unsigned kind, Bytes record)
{
	switch (kind) {
	case R_BOF2:
	case R_BOF3:
	case R_BOF4:
		begin_old_sheet(book, kind == R_BOF2 ? 2 : kind == R_BOF3 ? 3 : 4, record);
		return true;
	case R_SHEET4:
		begin_named(book, record);
		return true;
	case R_FORMULA3:
	case R_FORMULA4:
		read_formula(book, record);
		return true;
	case R_STRING2:
		xls_read_string(book, record, 0, 1, TAG_TABLE);
		return true;
	case R_FORMULA:
		if (book->old != 2)
			return false;
		if (le16(record, 13) != 0xffff)
			read_cell2(book, kind, record);
		return true;
	case R_INTEGER2:
	case R_NUMBER2:
	case R_LABEL2:
	case R_TRUTH2:
		read_cell2(book, kind, record);
		return true;
	default:
		return false;
	}
}

static void xls_read_record(XlsWorkbook *book, unsigned kind, Bytes record)
{
	if (!book->is_8 && xls_read_old(book, kind, record))
		return;
	switch (kind) {
	case R_BOF:
		xls_begin_part(book, record);
		return;
	case R_EOF:
		end_part(book);
		return;
	case R_LABELSST:
		xls_read_shared(book, record);
		return;
	case R_LABEL:
	case R_RSTRING:
		xls_read_string(book, record, 6, 2, TAG_TABLE);
		return;
	case R_STRING:
		if (book->text_result)
			xls_read_string(book, record, 0, 2, TAG_TABLE);
		book->text_result = false;
		return;
	case R_NUMBER:
		xls_put_number(book, double_at(record, 6), le16(record, 4));
		return;
	case R_RK:
		xls_put_number(book, rk_value(le32(record, 6)), le16(record, 4));
		return;
	case R_MULRK:
		read_run_of_numbers(book, record);
		return;
	case R_TRUTH:
		xls_read_truth(book, record, 6);
		return;
	case R_FORMULA:
		read_formula(book, record);
		return;
	case R_HEADER:
	case R_FOOTER:
		xls_read_header(book, record);
		return;
	case R_HLINK:
		xls_read_link(book, record);
		return;
	case R_OBJECT:
		xls_read_object(book, record);
		return;
	case R_VALIDATION:
		xls_read_validation(book, record);
		return;
	case R_TXO:
		read_text_box(book, record);
		return;
	case R_DRAWING:
		drawings_read(book->ole, record, 0);
		return;
	case R_CHART_TEXT:
		xls_read_string(book, record, 2, 1, TAG_CAPTION);
		return;
	case R_NOTE:
		/* the text before Excel 97, then the author */
		xls_read_string(book, record, book->is_8 ? 8 : 4, 2, TAG_COMMENT);
		return;
	default:
		read_settings(book, kind, record);
	}
}

static ExtractResult xls_read_book(Ole *ole, Bytes stream)
{
	XlsWorkbook book = {.ole = ole,
	        .records = {.stream = stream},
	        .charset = code_page(1252),
	        .sheets = g_ptr_array_new_with_free_func(g_free),
	        .strings = g_ptr_array_new_with_free_func(g_free),
	        .codes = g_hash_table_new_full(NULL, NULL, NULL, g_free),
	        .cells = g_array_new(FALSE, FALSE, sizeof(uint16_t))};
	while (!ole->flow.full && !book.encrypted && records_next(&book.records))
		xls_read_record(&book, book.records.kind, book.records.record);
	g_ptr_array_unref(book.sheets);
	g_ptr_array_unref(book.strings);
	g_hash_table_unref(book.codes);
	g_array_unref(book.cells);
	g_free(book.unlocked);
	if (book.encrypted)
		return sink_fail(ole->sink, REASON_ENCRYPTED, NULL);
	if (book.records.at < stream.size && !ole->flow.full && book.records.failed)
		sink_truncated(ole->sink, REASON_DAMAGED, NULL);
	return EXTRACT_DONE;
}

ExtractResult book_extract_bare(Ole *ole)
{
	return xls_read_book(ole, (Bytes){ole->in->data, ole->in->size});
}

ExtractResult book_extract(Ole *ole)
{
	Bytes stream = ole_stream(ole->root, "Workbook");
	if (!stream.data)
		stream = ole_stream(ole->root, "Book");
	ExtractResult result = xls_read_book(ole, stream);
	g_free((void *)stream.data);
	objects_read(ole, NULL, "MBD");
	return result;
}
