/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rtf.c - Rich Text Format (specification 1.9.1)
 *
 * Groups nest and inherit. A group may be a destination: text, a note, a fact, a table, or
 * something ignored (rtf-group.c). 8-bit text has the charset of its font (rtf-text.c). */
#include <config.h>
#include "extractors/shared/olefile.h"
#include "extractors/rtf/rtf-private.h"
#include "extractors/rtf/rtf-words.h"
#include <string.h>

enum { NAME_BYTES = 32, MAX_STYLES = 10000, MAX_UNICODE_SKIP = 16 };

/* Handles a word that begins the text of a drawing or of a form field. */
static bool take_shape(Rtf *rtf, RtfWord word)
{
	switch (word) {
	case W_OPEN:
		return true;
	case W_BOX:
		rtf_begin_box(rtf);
		return true;
	case W_REPEATED:
		rtf->now.into = INTO_NOTHING;
		rtf->now.repeated = true;
		return true;
	case W_TWO_FORMS:
		rtf->now.two_forms = true;
		return true;
	case W_FORM_FIELD:
		rtf_begin_form_field(rtf);
		return true;
	case W_LIST_ENTRY:
		rtf_begin_list_entry(rtf);
		return true;
	case W_PROPERTY_NAME:
		rtf_begin_property(rtf, INTO_PROPERTY_NAME);
		return true;
	case W_PROPERTY:
		rtf_begin_property(rtf, INTO_PROPERTY);
		return true;
	default:
		return false;
	}
}

/* Handles a word that makes the group a destination. */
static bool take_destination(Rtf *rtf, const WordEntry *entry)
{
	RtfGroup *now = &rtf->now;
	switch (entry->word) {
	case W_SKIP:
		now->into = INTO_NOTHING;
		return true;
	case W_INSTRUCTION:
		rtf_begin_instruction(rtf);
		return true;
	case W_OBJECT:
		rtf_begin_object(rtf);
		return true;
	case W_RESULT:
		rtf_begin_result(rtf);
		return true;
	case W_INFO:
		now->into = now->into == INTO_TEXT ? INTO_INFO : now->into;
		return true;
	case W_FIELD:
		if (now->into == INTO_INFO || entry->argument == FIELD_GENERATOR) {
			now->into = INTO_FACT;
			now->field = entry->argument;
			g_string_truncate(rtf->fact, 0);
		}
		return true;
	case W_DATE:
		if (now->into == INTO_INFO) {
			now->into = INTO_NOTHING;
			now->field = entry->argument;
		}
		return true;
	case W_INSET:
		rtf_begin_inset(rtf, entry->argument);
		return true;
	case W_FONT_TABLE:
		now->into = INTO_FONTS;
		return true;
	case W_STYLES:
		now->into = INTO_STYLES;
		return true;
	default:
		return take_shape(rtf, entry->word);
	}
}

static void take_outline(Rtf *rtf, long level)
{
	if (level < 0 || level > 8)
		return;
	if (rtf->now.into == INTO_STYLES && g_hash_table_size(rtf->headings) < MAX_STYLES)
		g_hash_table_insert(rtf->headings, GINT_TO_POINTER(rtf->style),
		        GINT_TO_POINTER((int)level + 1));
	else if (rtf->now.into == INTO_TEXT)
		rtf->level = level + 1;
	if (rtf->now.into == INTO_TEXT)
		flow_retag(&rtf->flow, rtf_paragraph_tag(rtf));
}

static void take_style(Rtf *rtf, long style)
{
	rtf->style = style;
	if (rtf->now.into != INTO_TEXT || rtf->now.inset)
		return;
	rtf->level =
	        GPOINTER_TO_INT(g_hash_table_lookup(rtf->headings, GINT_TO_POINTER((int)style)));
	flow_retag(&rtf->flow, rtf_paragraph_tag(rtf));
}

static void take_font_word(Rtf *rtf, const WordEntry *entry, long number)
{
	switch (entry->word) {
	case W_FONT:
		rtf_flush(rtf);
		rtf->table_font = number;
		rtf->now.font = number;
		return;
	case W_FONT_CHARSET:
		if (rtf->now.into == INTO_FONTS)
			fonts_add(rtf->fonts, rtf->table_font, number);
		return;
	case W_RUN_CHARSET:
		rtf_flush(rtf);
		rtf->now.page = fonts_page_of(number);
		return;
	case W_FONT_PAGE:
		if (rtf->now.into == INTO_FONTS)
			fonts_add_page(rtf->fonts, rtf->table_font, number);
		return;
	case W_DEFAULT_FONT:
		rtf->default_font = rtf->now.font = number;
		return;
	case W_ANSI_PAGE:
		fonts_set_page(rtf->fonts, number);
		return;
	case W_PAGE_OF_SET:
		fonts_set_page(rtf->fonts, entry->argument);
		return;
	default:
		return;
	}
}

static void take_text_word(Rtf *rtf, const WordEntry *entry, bool has_number, long number)
{
	switch (entry->word) {
	case W_CHARACTER:
		rtf_put_char(rtf, entry->argument);
		return;
	case W_PARAGRAPH:
		rtf_end_block(rtf, rtf_paragraph_tag(rtf));
		return;
	case W_CELL:
		rtf_flush(rtf);
		if (rtf->now.into == INTO_TEXT && !rtf->now.inset)
			flow_block(&rtf->flow, TAG_TABLE);
		return;
	case W_IN_TABLE:
		if (rtf->now.into == INTO_TEXT && !rtf->now.inset)
			flow_retag(&rtf->flow, TAG_TABLE);
		return;
	case W_PAGE:
		rtf_end_block(rtf, rtf_paragraph_tag(rtf));
		return;
	case W_SPACE:
		rtf_flush(rtf);
		rtf_put_utf8(rtf, " ", 1);
		return;
	case W_RESET:
		rtf_flush(rtf);
		rtf->level = 0;
		if (rtf->now.into == INTO_TEXT && !rtf->now.inset)
			flow_retag(&rtf->flow, TAG_BODY);
		return;
	case W_PLAIN:
		rtf_flush(rtf);
		rtf->now.hidden = false;
		rtf->now.page = 0;
		rtf->now.font = rtf->default_font;
		return;
	case W_HIDDEN:
		rtf_flush(rtf);
		rtf->now.hidden = !has_number || number != 0;
		return;
	default:
		return;
	}
}

/* "mfPr", "mradPr": how a part of a formula is displayed. */
static bool is_formula_property(const char *name, size_t length)
{
	return length > 3 && name[0] == 'm' && memcmp(name + length - 2, "Pr", 2) == 0;
}

static void take_word(Rtf *rtf, const char *name, size_t length, bool has_number, long number)
{
	const WordEntry *entry = word_find(name, length);
	rtf->now.fresh = false;
	if (!entry) {
		if (rtf->now.starred || is_formula_property(name, length))
			rtf->now.into = INTO_NOTHING;
		rtf->now.starred = false;
		return;
	}
	bool starred = rtf->now.starred;
	rtf->now.starred = false;
	if (rtf->skip > 0 && entry->word != W_UNICODE) {
		rtf->skip--;
		return;
	}
	if (take_destination(rtf, entry))
		return;
	if (starred && rtf->now.into != INTO_STYLES)
		rtf->now.into = INTO_NOTHING;
	switch (entry->word) {
	case W_UNICODE:
		rtf_put_unicode(rtf, number);
		return;
	case W_UNICODE_SKIP:
		rtf->now.unicode_skip = CLAMP(number, 0, MAX_UNICODE_SKIP);
		return;
	case W_BINARY:
		rtf->at += CLAMP(number, 0, rtf->end - rtf->at);
		return;
	case W_OUTLINE:
		take_outline(rtf, number);
		return;
	case W_STYLE:
		take_style(rtf, number);
		return;
	case W_LIST_CHOICE:
		rtf->list_choice = number;
		return;
	case W_LIST_DEFAULT:
		if (rtf->list_choice == NO_CHOICE)
			rtf->list_choice = number;
		return;
	default:
		take_font_word(rtf, entry, number);
		rtf_fact_take_date(&rtf->date, entry->word, number);
		take_text_word(rtf, entry, has_number, number);
	}
}

static void rtf_read_word(Rtf *rtf)
{
	const uint8_t *from = rtf->at;
	while (rtf->at < rtf->end && g_ascii_isalpha(*rtf->at))
		rtf->at++;
	size_t length = rtf->at - from;
	const uint8_t *digits = rtf->at;
	long number = 0;
	bool negative = rtf->at < rtf->end && *rtf->at == '-';
	rtf->at += negative;
	const uint8_t *first = rtf->at;
	while (rtf->at < rtf->end && g_ascii_isdigit(*rtf->at) && rtf->at - first < 10)
		number = number * 10 + (*rtf->at++ - '0');
	bool has_number = rtf->at > first;
	if (!has_number)
		rtf->at = digits;
	if (rtf->at < rtf->end && *rtf->at == ' ')
		rtf->at++;
	if (length < NAME_BYTES)
		take_word(rtf, (const char *)from, length, has_number, negative ? -number : number);
}

static void rtf_read_hex(Rtf *rtf)
{
	if (rtf->end - rtf->at < 2) {
		rtf->at = rtf->end;
		return;
	}
	int high = g_ascii_xdigit_value(rtf->at[0]), low = g_ascii_xdigit_value(rtf->at[1]);
	if (high < 0 || low < 0)
		return;
	rtf->at += 2;
	rtf_put_byte(rtf, high << 4 | low);
}

static void read_symbol(Rtf *rtf, char c)
{
	switch (c) {
	case '\'':
		rtf_read_hex(rtf);
		return;
	case '*':
		rtf->now.starred = rtf->now.fresh; /* some write it before any word */
		return;
	case '~':
		rtf_put_char(rtf, 0xa0);
		return;
	case '_':
		rtf_put_byte(rtf, '-');
		return;
	case '-':
		return;
	case '\n':
	case '\r':
		rtf_end_block(rtf, rtf_paragraph_tag(rtf));
		return;
	case '\\':
	case '{':
	case '}':
		rtf_put_byte(rtf, c);
		return;
	default:
		return;
	}
}

static void read_control(Rtf *rtf)
{
	if (rtf->at >= rtf->end)
		return;
	if (g_ascii_isalpha(*rtf->at))
		rtf_read_word(rtf);
	else
		read_symbol(rtf, *rtf->at++);
}

static void rtf_read_all(Rtf *rtf)
{
	while (rtf->at < rtf->end && !rtf->flow.full) {
		uint8_t c = *rtf->at++;
		if (c == '{')
			rtf_open_group(rtf);
		else if (c == '}')
			rtf_close_group(rtf);
		else if (c == '\\')
			read_control(rtf);
		else if (c >= 0x20)
			rtf_put_byte(rtf, c);
		else if (c == '\t')
			rtf_put_byte(rtf, ' ');
	}
}

static ExtractResult rtf_extract(const Input *in, Sink *sink)
{
	Rtf rtf = {.sink = sink,
	        .at = in->data,
	        .end = in->data + in->size,
	        .fonts = fonts_new(),
	        .headings = g_hash_table_new(NULL, NULL),
	        .groups = g_array_new(FALSE, FALSE, sizeof(RtfGroup)),
	        .now = {.unicode_skip = 1, .field = -1},
	        .bytes = g_string_new(NULL),
	        .fact = g_string_new(NULL),
	        .decoded = g_string_new(NULL),
	        .instruction = g_string_new(NULL),
	        .objects = objects_new()};
	flow_init(&rtf.flow, sink);
	flow_block(&rtf.flow, TAG_BODY);
	rtf_read_all(&rtf);
	bool cut = rtf.groups->len > 0 && !rtf.flow.full;
	while (rtf.groups->len > 0)
		rtf_close_group(&rtf);
	flow_block(&rtf.flow, TAG_BODY);
	objects_send(rtf.objects, sink);
	if (cut)
		sink_truncated(sink, REASON_DAMAGED, NULL);
	flow_finish(&rtf.flow);
	fonts_free(rtf.fonts);
	g_hash_table_unref(rtf.headings);
	g_array_unref(rtf.groups);
	g_string_free(rtf.bytes, TRUE);
	g_string_free(rtf.fact, TRUE);
	g_string_free(rtf.decoded, TRUE);
	g_string_free(rtf.instruction, TRUE);
	objects_free(rtf.objects);
	g_free(rtf.href);
	return EXTRACT_DONE;
}

static const char *rtf_preload(void)
{
	ole_preload();
	return NULL;
}

static const char *const mime_types[] = {"application/rtf", "text/rtf", NULL};

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "rtf",
        .version = 10,
        .library = "libgsf " GSF_VERSION,
        .lane = LANE_CHEAP,
        .mime_types = mime_types,
        .preload = rtf_preload,
        .extract = rtf_extract,
};
