/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doc.c - Word 1 to 2003 (MS-DOC)
 *
 * The text lies in pieces, whose order the piece table says. Without a piece table (Word 6 and 95
 * after a full save) there is one piece. Main text, notes, headers, comments and text boxes follow
 * one another. */
#include <config.h>
#include "extractors/shared/fieldlink.h"
#include "extractors/shared/symbolfont.h"
#include "extractors/legacy/doc-form.h"
#include "extractors/legacy/doc-spans.h"
#include "extractors/legacy/doc-symbol.h"
#include "extractors/legacy/legacy.h"

enum {
	FIB_WORD97 = 105, /* first version number of Word 97 */
	FIB_WORD6 = 101,
	FIB_SYSTEM = 0x12, /* 1: Macintosh */
	PAGE_MAC = 10000,
	FIB_COMPLEX = 1 << 2,
	FIB_ENCRYPTED = 1 << 8,
	FIB_TABLE1 = 1 << 9,
	FC_COMPRESSED = 1 << 30,
	MAX_PIECES = 1 << 20,
};

/* A link in the current run. */
typedef struct {
	size_t from, to;
	char *href;
} HyperlinkSpan;

typedef struct {
	Ole *ole;
	Bytes text, table, data, fonts;
	bool is_97;
	const Charset *charset; /* charset of 8-bit text */
	DocSpans *headings, *deletions, *objects, *symbols, *runs; /* by file position, or NULL */
	bool deleted; /* the current text */
	uint32_t parts[8]; /* characters in each part of the text */
	unsigned part;
	uint64_t left; /* characters left in the current part */
	Fields fields;
	GString *decoded;
	GString *run;
	GString *readings; /* of characters in the run */
	GArray *links; /* HyperlinkSpan, in order; the last one is open while its field is */
} DocFile;

static DocTag part_tag(const DocFile *word)
{
	switch (word->part) {
	case 1: /* footnotes */
	case 4: /* comments */
	case 5: /* endnotes */
		return TAG_COMMENT;
	case 2: /* headers and footers */
	case 7:
		return TAG_NOISE;
	default:
		return TAG_BODY;
	}
}

static void doc_begin_link(DocFile *word, char *href)
{
	HyperlinkSpan link = {word->run->len, word->run->len, href};
	if (href)
		g_array_append_val(word->links, link);
}

static void doc_end_link(DocFile *word)
{
	g_array_index(word->links, HyperlinkSpan, word->links->len - 1).to = word->run->len;
}

static void doc_link_clear(gpointer item)
{
	g_free(((HyperlinkSpan *)item)->href);
}

static void send_run(DocFile *word)
{
	Flow *flow = &word->ole->flow;
	size_t at = 0;
	for (guint i = 0; i < word->links->len; i++) {
		HyperlinkSpan *link = &g_array_index(word->links, HyperlinkSpan, i);
		flow_text(flow, word->run->str + at, link->from - at);
		flow_link(flow, g_steal_pointer(&link->href));
		flow_text(flow, word->run->str + link->from, link->to - link->from);
		flow_link_end(flow);
		at = link->to;
	}
	flow_text(flow, word->run->str + at, word->run->len - at);
}

/* The end of a paragraph has its style. A link ends with the paragraph. */
static void end_paragraph(DocFile *word, bool is_cell, size_t position)
{
	DocTag tag = is_cell ? TAG_TABLE : part_tag(word);
	unsigned level = doc_spans_at(word->headings, position, NULL);
	if (level > 0 && word->part == 0 && !is_cell)
		tag = TAG_HEADING1 + MIN(level, 6u) - 1;
	if (word->fields.link > 0)
		doc_end_link(word);
	word->fields.link = 0;
	if (word->run->len > 0 || word->links->len > 0) {
		flow_block(&word->ole->flow, tag);
		send_run(word);
	}
	if (word->readings->len > 0)
		flow_line(&word->ole->flow, tag, word->readings->str, word->readings->len);
	g_string_truncate(word->run, 0);
	g_string_truncate(word->readings, 0);
	g_array_set_size(word->links, 0);
}

static void doc_put_field_text(DocFile *word)
{
	FieldText shown = fields_text(&word->fields);
	if (shown.text)
		g_string_append(word->run, shown.text);
	if (shown.reading)
		g_string_append_printf(word->readings, "%s ", shown.reading);
	field_text_clear(&shown);
}

static void doc_field_mark(DocFile *word, unsigned c)
{
	if (c == 0x13) {
		fields_begin(&word->fields);
		return;
	}
	doc_put_field_text(word);
	doc_begin_link(word, fields_separate(&word->fields));
	if (c == 0x15 && fields_end(&word->fields))
		doc_end_link(word);
}

/* Adds visible text, or text of a field's instruction. */
static void put_visible_text(DocFile *word, const char *text, size_t length)
{
	if (word->deleted)
		return;
	if (word->fields.hidden == 0)
		g_string_append_len(word->run, text, length);
	else
		fields_add(&word->fields, text, length);
}

/* The field of a list has no result but a character with the data of the list. */
static void doc_put_choice(DocFile *word, size_t position)
{
	unsigned place = doc_spans_at(word->objects, position, NULL);
	g_autofree char *choice = place > 0 ? doc_form_choice(word->data, place - 1) : NULL;
	if (choice)
		g_string_append(word->run, choice);
}

static void doc_take_sign(DocFile *word, gunichar c, size_t position)
{
	char utf8[6];
	if (symbol_font_is_moved(c)) {
		unsigned font = doc_spans_at(word->runs, position, NULL);
		c = symbol_font_shown(c, doc_is_symbol_font(word->fonts, font));
	}
	switch (c) {
	case 0x01:
		if (word->fields.hidden == 1)
			doc_put_choice(word, position);
		return;
	case 0x13:
	case 0x14:
	case 0x15:
		doc_field_mark(word, c);
		return;
	case 0x1e:
		g_string_append_c(word->run, '-');
		return;
	case 0x1f:
		return;
	case '\t':
	case 0x0b:
		g_string_append_c(word->run, ' ');
		return;
	default:
		if (c >= 0x20 && g_unichar_validate(c))
			put_visible_text(word, utf8, g_unichar_to_utf8(c, utf8));
	}
}

/* The end of a deleted paragraph ends it: it may hold more than the deleted text. */
static void doc_take_char(DocFile *word, gunichar c, size_t position)
{
	if (c == 0x07 || c == 0x0c || c == 0x0d)
		end_paragraph(word, c == 0x07, position);
	else if (!word->deleted)
		doc_take_sign(word, c, position);
}

static void count_char(DocFile *word)
{
	if (word->left > 0)
		word->left--;
	while (word->left == 0 && word->part + 1 < G_N_ELEMENTS(word->parts))
		word->left = word->parts[++word->part];
}

static bool sink_wants_more(const DocFile *word)
{
	return !word->ole->flow.full;
}

static void take_wide(DocFile *word, Bytes text, size_t from)
{
	for (size_t i = 0; i + 1 < text.size && sink_wants_more(word); i += 2) {
		gunichar c = le16(text, i), low = le16(text, i + 2);
		if (c >= 0xd800 && c < 0xdc00 && low >= 0xdc00 && low < 0xe000) {
			doc_take_char(
			        word, 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00), from + i);
			count_char(word);
			i += 2;
		} else {
			doc_take_char(word, c, from + i);
		}
		count_char(word);
	}
}

/* Decodes the text between two control characters at once, because a character may have two
 * bytes. */
static void take_narrow(DocFile *word, Bytes text, size_t from)
{
	for (size_t i = 0; i < text.size && sink_wants_more(word);) {
		size_t n = 0;
		while (i + n < text.size && text.data[i + n] >= 0x20)
			n++;
		g_string_truncate(word->decoded, 0);
		put_encoded(word->decoded, bytes_part(text, i, n), word->charset);
		put_visible_text(word, word->decoded->str, word->decoded->len);
		for (size_t k = 0; k < n; k++)
			count_char(word);
		i += n;
		if (i < text.size) {
			doc_take_char(word, text.data[i], from + i);
			count_char(word);
			i++;
		}
	}
}

static void take_symbols(DocFile *word, size_t count, uint32_t symbol)
{
	char utf8[6];
	int bytes = g_unichar_to_utf8(doc_symbol_char(word->fonts, symbol), utf8);
	for (size_t i = 0; i < count && sink_wants_more(word); i++) {
		put_visible_text(word, utf8, bytes);
		count_char(word);
	}
}

/* Takes text that is deleted as a whole or not at all, and is one symbol or none. */
static void take_stretch(DocFile *word, Bytes text, size_t from, bool narrow, uint32_t symbol)
{
	if (symbol > 0)
		take_symbols(word, narrow ? text.size : text.size / 2, symbol);
	else if (narrow)
		take_narrow(word, text, from);
	else
		take_wide(word, text, from);
}

static void take_piece(DocFile *word, uint32_t fc, uint64_t characters)
{
	bool narrow = !word->is_97 || (fc & FC_COMPRESSED);
	size_t from = !word->is_97 ? fc : narrow ? (fc & ~FC_COMPRESSED) / 2 : fc;
	Bytes text = bytes_part(word->text, from, narrow ? characters : characters * 2);
	while (text.size > 0 && sink_wants_more(word)) {
		size_t until, symbol_until;
		word->deleted = doc_spans_at(word->deletions, from, &until) > 0;
		uint32_t symbol = doc_spans_at(word->symbols, from, &symbol_until);
		size_t size = MIN(MIN(until, symbol_until) - from, text.size);
		size += narrow ? 0 : size & 1;
		take_stretch(word, bytes_part(text, 0, size), from, narrow, symbol);
		text = bytes_part(text, size, SIZE_MAX);
		from += size;
	}
	word->deleted = false;
}

/* Returns the piece table, which follows the property modifiers (MS-DOC 2.9.38, "Clx"). */
static Bytes piece_table(Bytes clx)
{
	size_t at = 0;
	while (at < clx.size && clx.data[at] == 1)
		at += 3 + le16(clx, at + 1);
	if (at >= clx.size || clx.data[at] != 2)
		return (Bytes){NULL, 0};
	return bytes_part(clx, at + 5, le32(clx, at + 1));
}

static bool take_pieces(DocFile *word, Bytes table)
{
	size_t count = table.size >= 16 ? (table.size - 4) / 12 : 0;
	for (size_t i = 0; i < MIN(count, (size_t)MAX_PIECES) && sink_wants_more(word); i++) {
		uint32_t from = le32(table, 4 * i), to = le32(table, 4 * (i + 1));
		if (to > from)
			take_piece(word, le32(table, 4 * (count + 1) + 8 * i + 2), to - from);
	}
	return count > 0;
}

static void doc_read_parts(DocFile *word)
{
	size_t first = word->is_97 ? 0x4c : 0x34;
	for (size_t i = 0; i < G_N_ELEMENTS(word->parts); i++)
		word->parts[i] = le32(word->text, first + 4 * i);
	word->left = word->parts[0];
}

static void doc_read_text(DocFile *word)
{
	size_t clx = word->is_97 ? 0x1a2 : 0x160;
	uint32_t first = le32(word->text, 0x18), last = le32(word->text, 0x1c);
	bool has_table = le16(word->text, 2) >= FIB_WORD6; /* older files have no such table */
	bool pieces = word->is_97 || (has_table && (le16(word->text, 0x0a) & FIB_COMPLEX));
	Bytes table = piece_table(
	        bytes_part(word->table, le32(word->text, clx), le32(word->text, clx + 4)));
	doc_read_parts(word);
	if (!(pieces && take_pieces(word, table)) && last > first) {
		Bytes text = bytes_part(word->text, first, last - first);
		take_narrow(word, text, first);
	}
	end_paragraph(word, false, 0);
}

/* Charset number of the first font (MS-DOC 2.9.83 "FFN", in its form of Word 6); 0: western. */
static unsigned first_font_page(Bytes text)
{
	static const struct {
		uint8_t charset;
		uint16_t page;
	} pages[] = {{128, 932}, {129, 949}, {134, 936}, {136, 950}, {161, 1253}, {162, 1254},
	        {177, 1255}, {178, 1256}, {186, 1257}, {204, 1251}, {222, 874}, {238, 1250}};
	Bytes fonts = bytes_part(text, le32(text, 0xd0), le32(text, 0xd4));
	for (size_t i = 0; le16(text, 2) >= FIB_WORD6 && i < G_N_ELEMENTS(pages); i++)
		if (fonts.size > 8 && fonts.data[6] == pages[i].charset)
			return pages[i].page;
	return 0;
}

/* Charset of text before Word 97. Each font has its own charset, and the language is often only
 * that of the program. If the charset is western, the text is therefore examined. */
static const Charset *narrow_charset(Bytes text)
{
	unsigned page = le16(text, FIB_SYSTEM) & 1 ? PAGE_MAC : language_code_page(le16(text, 6));
	const char *found = NULL;
	uint32_t first = le32(text, 0x18), last = le32(text, 0x1c);
	Bytes body = bytes_part(text, first, last > first ? last - first : 0);
	if (page != 1252 || body.size == 0)
		return code_page(page);
	if (first_font_page(text) > 0)
		return code_page(first_font_page(text));
	g_free(decode_text(body.data, body.size, NULL, NULL, &found));
	const Charset *charset = charset_find(found);
	bool other = charset && charset_is_single(charset) &&
	             !g_str_has_prefix(found, "iso-8859-1") && !g_str_has_prefix(found, "mac") &&
	             !g_str_has_prefix(found, "cp");
	return other ? charset : code_page(page);
}

/* Sends the authors of comments: names, each with its length. */
static void put_comment_authors(Ole *ole, Bytes names)
{
	for (size_t at = 0; at + 2 <= names.size && !ole->flow.full;) {
		size_t size = 2 * (size_t)le16(names, at);
		g_autoptr(GString) name = g_string_new(NULL);
		put_utf16(name, bytes_part(names, at + 2, size));
		flow_line(&ole->flow, TAG_COMMENT, name->str, name->len);
		at += 2 + size;
	}
}

static void doc_read_spans(DocFile *word)
{
	Bytes text = word->text, table = word->table;
	word->headings =
	        doc_headings_read(text, bytes_part(table, le32(text, 0x102), le32(text, 0x106)));
	Bytes runs = bytes_part(table, le32(text, 0xfa), le32(text, 0xfe));
	word->deletions = doc_deletions_read(text, runs);
	word->symbols = doc_symbols_read(text, runs);
	word->runs = doc_fonts_read(text, runs);
	word->fonts = bytes_part(table, le32(text, 0x112), le32(text, 0x116));
	word->objects = word->data.size > 0 ? doc_objects_read(text, runs) : NULL;
}

/* data: what pictures and forms refer to. */
static void doc_read_document(Ole *ole, Bytes text, Bytes table, Bytes data)
{
	bool is_97 = le16(text, 2) >= FIB_WORD97;
	DocFile word = {.ole = ole,
	        .text = text,
	        .table = is_97 ? table : text,
	        .data = data,
	        .is_97 = is_97,
	        .charset = is_97 ? code_page(1252) : narrow_charset(text),
	        .decoded = g_string_new(NULL),
	        .run = g_string_new(NULL),
	        .readings = g_string_new(NULL),
	        .links = g_array_new(FALSE, FALSE, sizeof(HyperlinkSpan))};
	g_array_set_clear_func(word.links, doc_link_clear);
	fields_init(&word.fields);
	if (is_97)
		doc_read_spans(&word);
	doc_read_text(&word);
	if (is_97)
		put_comment_authors(ole, bytes_part(table, le32(text, 0x1ba), le32(text, 0x1be)));
	if (is_97)
		drawings_read(ole, bytes_part(table, le32(text, 0x22a), le32(text, 0x22e)), 1);
	doc_spans_free(word.headings);
	doc_spans_free(word.deletions);
	doc_spans_free(word.objects);
	doc_spans_free(word.symbols);
	doc_spans_free(word.runs);
	fields_clear(&word.fields);
	g_string_free(word.decoded, TRUE);
	g_string_free(word.run, TRUE);
	g_string_free(word.readings, TRUE);
	g_array_unref(word.links);
}

/* Word 1 and 2, and Word 6 embedded in another file. */
ExtractResult word_extract_bare(Ole *ole)
{
	Bytes text = {ole->in->data, ole->in->size};
	if (le16(text, 0x0a) & FIB_ENCRYPTED)
		return sink_fail(ole->sink, REASON_ENCRYPTED, NULL);
	if (text.size < 0x80)
		return sink_fail(ole->sink, REASON_DAMAGED, NULL);
	doc_read_document(ole, text, (Bytes){NULL, 0}, (Bytes){NULL, 0});
	return EXTRACT_DONE;
}

ExtractResult word_extract(Ole *ole)
{
	Bytes text = ole_stream(ole->root, "WordDocument");
	unsigned flags = le16(text, 0x0a);
	if (flags & FIB_ENCRYPTED) {
		g_free((void *)text.data);
		return sink_fail(ole->sink, REASON_ENCRYPTED, NULL);
	}
	Bytes table = ole_stream(ole->root, flags & FIB_TABLE1 ? "1Table" : "0Table");
	Bytes data = ole_stream(ole->root, "Data");
	if (text.size < 0x200)
		sink_truncated(ole->sink, REASON_DAMAGED, "WordDocument");
	else
		doc_read_document(ole, text, table, data);
	g_free((void *)text.data);
	g_free((void *)table.data);
	pictures_read(ole, data);
	g_free((void *)data.data);
	objects_read(ole, "ObjectPool", "_");
	return EXTRACT_DONE;
}
