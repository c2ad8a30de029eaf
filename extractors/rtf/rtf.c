/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rtf.c - Rich Text Format (specification 1.9.1)
 *
 * Groups nest and inherit. A group may be a destination: text, a note, a fact, a table, or
 * something ignored. 8-bit text has the charset of its font, so bytes are collected until the
 * charset may change. */
#include <config.h>
#include "extractors/shared/fieldlink.h"
#include "extractors/shared/flow.h"
#include "extractors/shared/olefile.h"
#include "extractors/rtf/rtf-facts.h"
#include "extractors/rtf/rtf-fonts.h"
#include "extractors/rtf/rtf-objects.h"
#include "extractors/rtf/rtf-words.h"
#include <string.h>

enum { MAX_GROUPS = 1000, NAME_BYTES = 32, MAX_STYLES = 10000, MAX_UNICODE_SKIP = 16 };

typedef enum {
	INTO_TEXT,
	INTO_NOTHING,
	INTO_FACT,
	INTO_PROPERTY_NAME, /* of a shape */
	INTO_PROPERTY,
	INTO_INSTRUCTION, /* of a field */
	INTO_FONTS,
	INTO_STYLES,
	INTO_INFO,
	INTO_OBJECT, /* an embedded object, in hexadecimal */
} Into;

typedef struct {
	Into into;
	/* starred: an unknown destination word makes the group ignored */
	bool aside, hidden, starred;
	bool box; /* an aside of several paragraphs */
	bool link; /* the result of a field that is a link */
	bool repeated; /* it repeats earlier content */
	bool fresh; /* the group is still empty */
	unsigned page; /* code page of characters, 0: that of the font */
	int font;
	uint8_t unicode_skip;
	int field; /* DocField of a fact, or -1 */
} Group;

typedef struct {
	Sink *sink;
	Flow flow;
	const uint8_t *at, *end;
	Fonts *fonts;
	GHashTable *headings; /* style -> level + 1 */
	GArray *groups; /* Group */
	Group now;
	GString *bytes; /* 8-bit text, in the charset of bytes_font */
	GString *fact, *decoded; /* fact: or a property of a shape */
	GString *instruction; /* instruction of a field */
	char *href; /* target of the link whose text follows, if it is in the group at this level */
	guint href_level;
	bool described; /* the next property is the shape's description */
	Date date;
	int skip; /* characters to skip as fallback of a Unicode character */
	gunichar high; /* first half of a surrogate pair */
	int style; /* the style being defined */
	int level; /* paragraph level: 0 body, 1..9 heading */
	int table_font;
	Objects *objects;
	int default_font;
} Rtf;

static void rtf_put_utf8(Rtf *rtf, const char *text, size_t length)
{
	switch (rtf->now.into) {
	case INTO_TEXT:
		if (!rtf->now.hidden)
			flow_text(&rtf->flow, text, length);
		return;
	case INTO_FACT:
	case INTO_PROPERTY_NAME:
	case INTO_PROPERTY:
		if (rtf->fact->len + length <= DOC_MAX_FACT_BYTES)
			g_string_append_len(rtf->fact, text, length);
		return;
	case INTO_INSTRUCTION:
		field_link_add(rtf->instruction, text, length);
		return;
	default:
		return;
	}
}

static void rtf_flush(Rtf *rtf)
{
	if (rtf->bytes->len == 0)
		return;
	const Charset *charset = rtf->now.page ? fonts_of_page(rtf->now.page) : NULL;
	if (!charset)
		charset = fonts_charset(rtf->fonts, rtf->now.font);
	g_string_truncate(rtf->decoded, 0);
	charset_decode(charset, (const uint8_t *)rtf->bytes->str, rtf->bytes->len, rtf->decoded);
	g_string_truncate(rtf->bytes, 0);
	rtf_put_utf8(rtf, rtf->decoded->str, rtf->decoded->len);
}

static bool keeps_text(const Rtf *rtf)
{
	return rtf->now.into == INTO_TEXT || rtf->now.into == INTO_FACT ||
	       rtf->now.into == INTO_PROPERTY_NAME || rtf->now.into == INTO_PROPERTY ||
	       rtf->now.into == INTO_INSTRUCTION;
}

static void put_byte(Rtf *rtf, uint8_t byte)
{
	if (rtf->now.into == INTO_OBJECT) {
		objects_digit(rtf->objects, byte);
		return;
	}
	rtf->now.fresh = false;
	if (rtf->now.into == INTO_FONTS)
		fonts_letter(rtf->fonts, rtf->table_font, byte);
	if (rtf->skip > 0)
		rtf->skip--;
	else if (keeps_text(rtf))
		g_string_append_c(rtf->bytes, byte);
}

static void put_char(Rtf *rtf, gunichar c)
{
	char utf8[6];
	rtf_flush(rtf);
	rtf_put_utf8(rtf, utf8, g_unichar_to_utf8(c, utf8));
}

/* \u takes a signed 16-bit number, but some programs write larger ones unsigned. */
static void put_unicode(Rtf *rtf, long number)
{
	gunichar c = number < 0 ? (gunichar)(number + 0x10000) : (gunichar)number;
	rtf->skip = rtf->now.unicode_skip;
	if (c >= 0xd800 && c < 0xdc00) {
		rtf->high = c;
		return;
	}
	if (c >= 0xdc00 && c < 0xe000 && rtf->high)
		c = 0x10000 + ((rtf->high - 0xd800) << 10) + (c - 0xdc00);
	rtf->high = 0;
	/* symbol fonts move their bytes up to 0xf000 */
	if (c >= 0xf020 && c <= 0xf0ff)
		c = ' ';
	if (c >= 0x20 && g_unichar_validate(c))
		put_char(rtf, c);
}

static DocTag paragraph_tag(const Rtf *rtf)
{
	return rtf->level > 0 ? TAG_HEADING1 + MIN(rtf->level, 6) - 1 : TAG_BODY;
}

static void rtf_end_block(Rtf *rtf, DocTag tag)
{
	rtf_flush(rtf);
	if (rtf->now.into == INTO_FACT)
		g_string_append_c(rtf->fact, ' ');
	if (rtf->now.into == INTO_TEXT && rtf->now.aside && !rtf->now.box)
		flow_space(&rtf->flow);
	else if (rtf->now.into == INTO_TEXT)
		flow_block(&rtf->flow, tag);
}

static void open_group(Rtf *rtf)
{
	rtf_flush(rtf);
	rtf->skip = 0;
	rtf->now.fresh = false;
	g_array_append_val(rtf->groups, rtf->now);
	rtf->now.starred = false;
	rtf->now.fresh = true;
	rtf->now.aside = rtf->now.box = rtf->now.link = false;
	if (rtf->now.into != INTO_FACT)
		rtf->now.field = -1;
	if (rtf->groups->len >= MAX_GROUPS)
		rtf->now.into = INTO_NOTHING;
}

/* Handles the description of a picture and WordArt text. */
static void end_property(Rtf *rtf, Into was)
{
	if (was == INTO_PROPERTY_NAME) {
		rtf->described = strcmp(rtf->fact->str, "wzDescription") == 0 ||
		                 strcmp(rtf->fact->str, "gtextUNICODE") == 0;
	} else if (rtf->described) {
		rtf->described = false;
		flow_aside(&rtf->flow, TAG_CAPTION);
		flow_text(&rtf->flow, rtf->fact->str, rtf->fact->len);
		flow_aside_end(&rtf->flow);
	}
}

/* The field's result is the next group but one at the same level. */
static void end_instruction(Rtf *rtf)
{
	g_free(rtf->href);
	rtf->href = field_link(rtf->instruction->str);
	rtf->href_level = rtf->groups->len;
}

static void begin_instruction(Rtf *rtf)
{
	if (rtf->now.into == INTO_TEXT)
		g_string_truncate(rtf->instruction, 0);
	rtf->now.into = rtf->now.into == INTO_TEXT ? INTO_INSTRUCTION : INTO_NOTHING;
}

static void begin_result(Rtf *rtf)
{
	bool shown = rtf->now.into == INTO_TEXT && !rtf->now.hidden;
	if (rtf->href_level + 1 != rtf->groups->len || !shown)
		return;
	rtf_flush(rtf);
	rtf->now.link = rtf->href != NULL;
	flow_link(&rtf->flow, g_steal_pointer(&rtf->href));
}

static void begin_object(Rtf *rtf)
{
	bool shown = rtf->now.into == INTO_TEXT && !rtf->now.hidden;
	rtf->now.into = shown ? INTO_OBJECT : INTO_NOTHING;
	if (shown)
		objects_begin(rtf->objects);
}

static void close_group(Rtf *rtf)
{
	rtf_flush(rtf);
	rtf->skip = 0;
	if (rtf->groups->len == 0)
		return;
	Group was = rtf->now;
	rtf->now = g_array_index(rtf->groups, Group, rtf->groups->len - 1);
	g_array_set_size(rtf->groups, rtf->groups->len - 1);
	if (was.into == INTO_FACT && rtf->now.into != INTO_FACT)
		rtf_fact_put(rtf->sink, was.field, rtf->fact->str, rtf->fact->len);
	else if (was.field >= 0 && was.into == INTO_NOTHING && rtf->now.field < 0)
		rtf_fact_put_date(rtf->sink, was.field, &rtf->date);
	else if (was.into != rtf->now.into &&
	         (was.into == INTO_PROPERTY_NAME || was.into == INTO_PROPERTY))
		end_property(rtf, was.into);
	else if (was.into == INTO_INSTRUCTION && rtf->now.into != INTO_INSTRUCTION)
		end_instruction(rtf);
	if (was.link)
		flow_link_end(&rtf->flow);
	if (was.aside)
		flow_aside_end(&rtf->flow);
}

static void begin_aside(Rtf *rtf, DocTag tag)
{
	if (rtf->now.into != INTO_TEXT || rtf->now.aside)
		return;
	rtf_flush(rtf);
	rtf->now.aside = true;
	flow_aside(&rtf->flow, tag);
}

static void begin_box(Rtf *rtf)
{
	if (rtf->now.into != INTO_TEXT || rtf->now.aside)
		return;
	begin_aside(rtf, TAG_BODY);
	rtf->now.box = true;
}

static void begin_property(Rtf *rtf, Into into)
{
	if (rtf->now.repeated || rtf->now.into > INTO_NOTHING)
		return;
	rtf->now.into = into;
	g_string_truncate(rtf->fact, 0);
}

/* Handles a word that begins the text of a drawing. */
static bool take_shape(Rtf *rtf, RtfWord word)
{
	switch (word) {
	case W_OPEN:
		return true;
	case W_BOX:
		begin_box(rtf);
		return true;
	case W_REPEATED:
		rtf->now.into = INTO_NOTHING;
		rtf->now.repeated = true;
		return true;
	case W_PROPERTY_NAME:
		begin_property(rtf, INTO_PROPERTY_NAME);
		return true;
	case W_PROPERTY:
		begin_property(rtf, INTO_PROPERTY);
		return true;
	default:
		return false;
	}
}

/* Handles a word that makes the group a destination. */
static bool take_destination(Rtf *rtf, const WordEntry *entry)
{
	Group *now = &rtf->now;
	switch (entry->word) {
	case W_SKIP:
		now->into = INTO_NOTHING;
		return true;
	case W_INSTRUCTION:
		begin_instruction(rtf);
		return true;
	case W_OBJECT:
		begin_object(rtf);
		return true;
	case W_RESULT:
		begin_result(rtf);
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
	case W_ASIDE:
		begin_aside(rtf, entry->argument);
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
		flow_retag(&rtf->flow, paragraph_tag(rtf));
}

static void take_style(Rtf *rtf, long style)
{
	rtf->style = style;
	if (rtf->now.into != INTO_TEXT || rtf->now.aside)
		return;
	rtf->level =
	        GPOINTER_TO_INT(g_hash_table_lookup(rtf->headings, GINT_TO_POINTER((int)style)));
	flow_retag(&rtf->flow, paragraph_tag(rtf));
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
		put_char(rtf, entry->argument);
		return;
	case W_PARAGRAPH:
		rtf_end_block(rtf, paragraph_tag(rtf));
		return;
	case W_CELL:
		rtf_flush(rtf);
		if (rtf->now.into == INTO_TEXT && !rtf->now.aside)
			flow_block(&rtf->flow, TAG_TABLE);
		return;
	case W_IN_TABLE:
		if (rtf->now.into == INTO_TEXT && !rtf->now.aside)
			flow_retag(&rtf->flow, TAG_TABLE);
		return;
	case W_PAGE:
		rtf_end_block(rtf, paragraph_tag(rtf));
		return;
	case W_SPACE:
		rtf_flush(rtf);
		rtf_put_utf8(rtf, " ", 1);
		return;
	case W_RESET:
		rtf_flush(rtf);
		rtf->level = 0;
		if (rtf->now.into == INTO_TEXT && !rtf->now.aside)
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

static void take_word(Rtf *rtf, const char *name, size_t length, bool has_number, long number)
{
	const WordEntry *entry = word_find(name, length);
	rtf->now.fresh = false;
	if (!entry) {
		if (rtf->now.starred)
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
		put_unicode(rtf, number);
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
	put_byte(rtf, high << 4 | low);
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
		put_char(rtf, 0xa0);
		return;
	case '_':
		put_byte(rtf, '-');
		return;
	case '-':
		return;
	case '\n':
	case '\r':
		rtf_end_block(rtf, paragraph_tag(rtf));
		return;
	case '\\':
	case '{':
	case '}':
		put_byte(rtf, c);
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
			open_group(rtf);
		else if (c == '}')
			close_group(rtf);
		else if (c == '\\')
			read_control(rtf);
		else if (c >= 0x20)
			put_byte(rtf, c);
		else if (c == '\t')
			put_byte(rtf, ' ');
	}
}

static ExtractResult rtf_extract(const Input *in, Sink *sink)
{
	Rtf rtf = {.sink = sink,
	        .at = in->data,
	        .end = in->data + in->size,
	        .fonts = fonts_new(),
	        .headings = g_hash_table_new(NULL, NULL),
	        .groups = g_array_new(FALSE, FALSE, sizeof(Group)),
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
		close_group(&rtf);
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
        .version = 6,
        .library = "libgsf " GSF_VERSION,
        .lane = LANE_CHEAP,
        .mime_types = mime_types,
        .preload = rtf_preload,
        .extract = rtf_extract,
};
