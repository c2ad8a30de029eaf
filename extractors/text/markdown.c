/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/text/markdown.h"
#include "extractors/html/html-entity.h"
#include "extractors/shared/encoded-text.h"
#include "extractors/shared/isodate.h"
#include <string.h>
#ifdef HAVE_MD4C
#include <md4c.h>

enum { FRONT_BYTES = 16 << 10, ANCHOR_BYTES = 1000, TAG_BYTES = 4 << 10 };

static size_t markdown_line_length(const char *at, const char *end)
{
	const char *newline = at < end ? memchr(at, '\n', end - at) : NULL;
	return newline ? (size_t)(newline - at) : (size_t)(end - at);
}

/* YAML is between "---" and "---" or "...", TOML between "+++" and "+++". */
static bool is_rule(const char *line, size_t length)
{
	static const char *const rules[] = {"---", "...", "+++"};
	while (length > 0 && g_ascii_isspace(line[length - 1]))
		length--;
	for (size_t i = 0; i < G_N_ELEMENTS(rules); i++)
		if (length == 3 && memcmp(line, rules[i], 3) == 0)
			return true;
	return false;
}

static void send_front_date(Sink *sink, const char *text)
{
	enum { DAY = 10 };
	g_autofree char *date = iso_date(text, -1);
	if (!date && strlen(text) > DAY)
		date = iso_date(text, DAY);
	if (date)
		sink_field(sink, FIELD_DATE, date, -1);
}

/* Sends a value without white space, quotes and brackets around it. */
static void send_fact(Sink *sink, DocField field, const char *value, size_t length, bool *titled_r)
{
	while (length > 0 && (g_ascii_isspace(*value) || strchr("\"'[", *value))) {
		value++;
		length--;
	}
	while (length > 0 &&
	        (g_ascii_isspace(value[length - 1]) || strchr("\"']", value[length - 1])))
		length--;
	if (length == 0)
		return;
	g_autofree char *text = g_strndup(value, length);
	*titled_r = *titled_r || field == FIELD_TITLE;
	if (field == FIELD_DATE)
		send_front_date(sink, text);
	else
		sink_field(sink, field, text, -1);
}

/* Some keys have lists: "[a, b]", or lines with "- a" below them. */
static bool has_list(DocField field)
{
	return field == FIELD_KEYWORD || field == FIELD_AUTHOR;
}

static void send_list(Sink *sink, DocField field, const char *value, size_t length, bool *titled_r)
{
	for (size_t from = 0, at = 0; at <= length; at++) {
		if (at < length && value[at] != ',' && value[at] != ';')
			continue;
		send_fact(sink, field, value + from, at - from, titled_r);
		from = at + 1;
	}
}

/* The length of the key that the line begins with, and of the sign after it; 0: another key. */
static size_t front_key(const char *line, size_t length, const char *name)
{
	size_t n = strlen(name);
	if (length <= n || g_ascii_strncasecmp(line, name, n) != 0)
		return 0;
	while (n < length && line[n] == ' ')
		n++;
	return n < length && (line[n] == ':' || line[n] == '=') ? n + 1 : 0;
}

/* list: the field whose list the line may continue, or -1; set for the next line. */
static void take_pair(Sink *sink, const char *line, size_t length, int *list, bool *titled_r)
{
	static const struct {
		const char *name;
		DocField field;
	} names[] = {{"title", FIELD_TITLE}, {"author", FIELD_AUTHOR}, {"authors", FIELD_AUTHOR},
	        {"lang", FIELD_LANGUAGE}, {"description", FIELD_COMMENT},
	        {"summary", FIELD_COMMENT}, {"keywords", FIELD_KEYWORD}, {"tags", FIELD_KEYWORD},
	        {"categories", FIELD_KEYWORD}, {"date", FIELD_DATE}};
	size_t blanks = 0;
	while (blanks < length && line[blanks] == ' ')
		blanks++;
	if (blanks + 1 < length && line[blanks] == '-' && line[blanks + 1] == ' ') {
		size_t item =
		        blanks + 2 + front_key(line + blanks + 2, length - blanks - 2, "name");
		if (*list >= 0)
			send_fact(sink, *list, line + item, length - item, titled_r);
		return;
	}
	*list = -1;
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		size_t n = front_key(line, length, names[i].name);
		if (n == 0)
			continue;
		bool is_list = has_list(names[i].field) && memchr(line + n, '[', length - n);
		if (is_list || names[i].field == FIELD_KEYWORD)
			send_list(sink, names[i].field, line + n, length - n, titled_r);
		else
			send_fact(sink, names[i].field, line + n, length - n, titled_r);
		*list = has_list(names[i].field) ? (int)names[i].field : -1;
	}
}

/* The first line must be a key with a value, and a rule must follow the last one. */
static size_t front_length(const char *text, const char *end)
{
	size_t length = markdown_line_length(text, end);
	if (!is_rule(text, length) || *text == '.')
		return 0;
	const char *at = MIN(text + length + 1, end);
	char sign = *text == '+' ? '=' : ':';
	if (!memchr(at, sign, markdown_line_length(at, end)))
		return 0;
	while (at < end && at - text < FRONT_BYTES) {
		length = markdown_line_length(at, end);
		if (is_rule(at, length) && (*at == '+') == (*text == '+'))
			return MIN(at + length + 1, end) - text;
		at = MIN(at + length + 1, end);
	}
	return 0;
}

static size_t percent_lines(Sink *sink, const char *text, const char *end, bool *titled_r)
{
	static const DocField fields[] = {FIELD_TITLE, FIELD_AUTHOR};
	const char *at = text;
	for (unsigned i = 0; i < 3 && end - at > 1 && at[0] == '%' && at[1] == ' '; i++) {
		size_t length = markdown_line_length(at, end);
		if (i < G_N_ELEMENTS(fields))
			send_fact(sink, fields[i], at + 1, length - 1, titled_r);
		at = MIN(at + length + 1, end);
	}
	return at - text;
}

static size_t markdown_front(Sink *sink, const char *text, size_t length, bool *titled_r)
{
	const char *end = text + length;
	size_t front = front_length(text, end);
	int list = -1;
	if (front == 0)
		return percent_lines(sink, text, end, titled_r);
	for (const char *at = text; at < text + front;) {
		size_t n = markdown_line_length(at, end);
		take_pair(sink, at, n, &list, titled_r);
		at += n + 1;
	}
	return front;
}

/* Sends the front matter: facts, and its words as noise. Returns its length. */
static size_t markdown_send_front(Sink *sink, const char *text, size_t length, bool *titled_r)
{
	size_t front = markdown_front(sink, text, length, titled_r);
	if (front > 0 && sink_block(sink, TAG_NOISE))
		sink_text(sink, TAG_NOISE, text, front);
	return front;
}

typedef struct {
	Sink *sink;
	bool titled;
	bool pending; /* the next text begins a block */
	bool in_table, in_code, in_html_tag;
	unsigned level; /* of the open heading; 0: none */
	GString *heading; /* text of the open heading */
	GString *alternative; /* what stands for pictures in the open heading of HTML */
	GString *tag; /* the open HTML tag, which may come in several pieces */
	unsigned n_emphasis, n_code; /* numbers of open spans */
	char *href; /* of the open link; NULL: none */
	bool href_of_html;
	GString *anchor; /* text of the open link */
} Markdown;

/* The result makes md4c stop if the sink is full. */
static int markdown_status(bool more)
{
	return more ? 0 : 1;
}

static DocTag markdown_block_tag(const Markdown *md)
{
	return md->in_code ? TAG_CODE : md->in_table ? TAG_TABLE : TAG_BODY;
}

static DocTag markdown_text_tag(const Markdown *md)
{
	return md->in_code || md->n_code > 0 ? TAG_CODE
	       : md->href                    ? TAG_LINK
	       : md->n_emphasis > 0          ? TAG_EMPHASIS
	                                     : markdown_block_tag(md);
}

static int markdown_enter_block(MD_BLOCKTYPE type, void *detail, void *data)
{
	Markdown *md = data;
	md->pending = true;
	if (type == MD_BLOCK_H)
		md->level = ((const MD_BLOCK_H_DETAIL *)detail)->level;
	md->in_table = md->in_table || type == MD_BLOCK_TABLE;
	md->in_code = type == MD_BLOCK_CODE;
	return 0;
}

static bool markdown_put_block(Markdown *md, DocTag tag, const GString *text)
{
	return text->len == 0 ||
	       (sink_block(md->sink, tag) && sink_text(md->sink, tag, text->str, text->len));
}

/* Takes out spaces around the text, and all but one within it. */
static void markdown_trim(GString *text)
{
	gsize to = 0;
	for (gsize i = 0; i < text->len; i++) {
		bool space = g_ascii_isspace(text->str[i]);
		if (!space || (to > 0 && text->str[to - 1] != ' '))
			text->str[to++] = space ? ' ' : text->str[i];
	}
	g_string_truncate(text, to > 0 && text->str[to - 1] == ' ' ? to - 1 : to);
}

/* A heading of HTML may be a picture alone. */
static bool markdown_put_heading(Markdown *md)
{
	DocTag tag = TAG_HEADING1 + md->level - 1;
	md->level = 0;
	markdown_trim(md->heading);
	bool picture = md->heading->len == 0;
	const GString *heading = picture ? md->alternative : md->heading;
	if (!md->titled && heading->len > 0)
		sink_field(md->sink, FIELD_TITLE, heading->str, heading->len);
	md->titled = md->titled || heading->len > 0;
	bool more = markdown_put_block(md, tag, heading) &&
	            (picture || markdown_put_block(md, TAG_CAPTION, md->alternative));
	g_string_truncate(md->heading, 0);
	g_string_truncate(md->alternative, 0);
	return more;
}

static bool markdown_end_link(Markdown *md)
{
	markdown_trim(md->anchor);
	bool more = sink_link(md->sink, md->href, md->anchor->str);
	g_clear_pointer(&md->href, g_free);
	g_string_truncate(md->anchor, 0);
	md->href_of_html = false;
	return more;
}

static int markdown_leave_block(MD_BLOCKTYPE type, void *detail, void *data)
{
	Markdown *md = data;
	md->pending = true;
	md->in_html_tag = md->in_code = false;
	g_string_truncate(md->tag, 0);
	if (type == MD_BLOCK_TABLE)
		md->in_table = false;
	bool more = !md->href_of_html || markdown_end_link(md);
	return markdown_status(more && (md->level == 0 || markdown_put_heading(md)));
}

static int markdown_enter_span(MD_SPANTYPE type, void *detail, void *data)
{
	Markdown *md = data;
	md->n_emphasis += type == MD_SPAN_EM || type == MD_SPAN_STRONG;
	md->n_code += type == MD_SPAN_CODE;
	if (type == MD_SPAN_A && !md->href) {
		const MD_ATTRIBUTE *href = &((const MD_SPAN_A_DETAIL *)detail)->href;
		md->href = g_strndup(href->text, href->size);
	}
	return 0;
}

static int markdown_leave_span(MD_SPANTYPE type, void *detail, void *data)
{
	Markdown *md = data;
	md->n_emphasis -= type == MD_SPAN_EM || type == MD_SPAN_STRONG;
	md->n_code -= type == MD_SPAN_CODE;
	bool ends = type == MD_SPAN_A && md->href && !md->href_of_html;
	return ends ? markdown_status(markdown_end_link(md)) : 0;
}

static bool markdown_put(Markdown *md, const char *text, size_t length)
{
	if (md->href && md->anchor->len + length <= ANCHOR_BYTES)
		g_string_append_len(md->anchor, text, length);
	if (md->level > 0) {
		g_string_append_len(md->heading, text, length);
		return true;
	}
	bool begins = md->pending;
	md->pending = false;
	if (begins && !sink_block(md->sink, markdown_block_tag(md)))
		return false;
	return sink_text(md->sink, markdown_text_tag(md), text, length);
}

static bool markdown_put_resolved(Markdown *md, const char *text, size_t length)
{
	if (!memchr(text, '&', length))
		return markdown_put(md, text, length);
	g_autoptr(GString) plain = g_string_sized_new(length);
	entity_append(plain, (HtmlSpan){text, length}, false);
	return markdown_put(md, plain->str, plain->len);
}

/* White space at the beginning of a block would be its only text. */
static bool markdown_put_space(Markdown *md, const char *text, size_t length)
{
	bool first = md->level > 0 ? md->heading->len == 0 : md->pending;
	return first || markdown_put(md, text, length);
}

static bool markdown_put_gap(Markdown *md)
{
	return markdown_put_space(md, " ", 1);
}

static bool markdown_is_space(const char *text, size_t length)
{
	while (length > 0 && g_ascii_isspace(text[length - 1]))
		length--;
	return length == 0;
}

/* Is it the tag of an element that does not separate words? Comments do not either. */
static bool markdown_is_inner(const char *tag)
{
	static const char *const names[] = {"", "a", "abbr", "acronym", "b", "bdi", "bdo", "big",
	        "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd", "mark", "q", "s",
	        "samp", "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "var", "wbr",
	        NULL};
	size_t length = 0;
	tag += *tag == '/';
	while (g_ascii_isalnum(tag[length]))
		length++;
	g_autofree char *name = g_ascii_strdown(tag, length);
	return g_strv_contains(names, name);
}

/* Returns the value of an attribute of this element, or NULL. The caller frees it. */
static char *markdown_attribute(const char *tag, const char *element, const char *name)
{
	size_t length = strlen(element), n = strlen(name);
	bool same = g_ascii_strncasecmp(tag, element, length) == 0 && g_ascii_isspace(tag[length]);
	const char *at = same ? tag : NULL;
	while (at && (at = strcasestr(at + 1, name)))
		if (g_ascii_isspace(at[-1]) && at[n] && strchr("\"'", at[n])) {
			const char *close = strchr(at + n + 1, at[n]);
			if (!close)
				return NULL;
			GString *value = g_string_new(NULL);
			entity_append(value, (HtmlSpan){at + n + 1, close - at - n - 1}, true);
			return g_string_free(value, FALSE);
		}
	return NULL;
}

static bool markdown_put_picture(Markdown *md, const char *text)
{
	if (!text || !*text)
		return true;
	if (md->level == 0)
		return markdown_put(md, text, strlen(text)) && markdown_put_gap(md);
	if (md->alternative->len > 0)
		g_string_append_c(md->alternative, ' ');
	g_string_append(md->alternative, text);
	return true;
}

/* "h1", "/h1" */
static unsigned markdown_tag_level(const char *tag)
{
	bool heading = g_ascii_tolower(tag[0]) == 'h' && tag[1] >= '1' && tag[1] <= '6' &&
	               !g_ascii_isalnum(tag[2]);
	return heading ? tag[1] - '0' : 0;
}

static bool markdown_take_heading_tag(Markdown *md, const char *tag)
{
	if (md->level > 0 && *tag == '/' && markdown_tag_level(tag + 1) == md->level) {
		md->pending = true;
		return markdown_put_heading(md);
	}
	if (md->level == 0 && !md->in_table)
		md->level = markdown_tag_level(tag);
	return true;
}

static bool markdown_take_link_tag(Markdown *md, const char *tag)
{
	if (md->href_of_html && strcmp(tag, "/a") == 0)
		return markdown_end_link(md);
	if (!md->href) {
		md->href = markdown_attribute(tag, "a", "href=");
		md->href_of_html = md->href != NULL;
	}
	return true;
}

static bool markdown_put_tag(Markdown *md)
{
	const char *tag = md->tag->str;
	g_autofree char *text = markdown_attribute(tag, "img", "alt=");
	bool more = (markdown_is_inner(tag) || markdown_put_gap(md)) &&
	            markdown_take_link_tag(md, tag) && markdown_take_heading_tag(md, tag) &&
	            markdown_put_picture(md, text);
	g_string_truncate(md->tag, 0);
	return more;
}

/* Sends the text between HTML tags, which may come in several pieces. */
static bool markdown_put_html(Markdown *md, const char *text, size_t length)
{
	const char *end = text + length;
	bool more = true;
	for (const char *at = text; at < end && more;) {
		const char *sign = memchr(at, md->in_html_tag ? '>' : '<', end - at);
		const char *to = sign ? sign : end;
		if (!md->in_html_tag && markdown_is_space(at, to - at))
			more = markdown_put_space(md, at, to - at);
		else if (!md->in_html_tag)
			more = markdown_put_resolved(md, at, to - at);
		else if (md->tag->len + (to - at) <= TAG_BYTES)
			g_string_append_len(md->tag, at, to - at);
		if (md->in_html_tag && sign)
			more = markdown_put_tag(md);
		md->in_html_tag = md->in_html_tag != (sign != NULL);
		at = sign ? sign + 1 : end;
	}
	return more;
}

static int markdown_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *data)
{
	Markdown *md = data;
	if (type == MD_TEXT_NULLCHAR)
		return 0;
	if (type == MD_TEXT_HTML)
		return markdown_status(markdown_put_html(md, text, size));
	if (type == MD_TEXT_ENTITY)
		return markdown_status(markdown_put_resolved(md, text, size));
	if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR)
		return markdown_status(markdown_put(md, "\n", 1));
	return markdown_status(markdown_put(md, text, size));
}

/* "[^1]: word": md4c knows no footnotes, and would take the word for the target of a link. */
static bool markdown_is_note(const char *line, size_t length)
{
	const char *close =
	        length > 4 && memcmp(line, "[^", 2) == 0 ? memchr(line, ']', length) : NULL;
	return close && close + 1 < line + length && close[1] == ':';
}

/* Without encoded data, and with footnotes as text. The caller owns the result. */
static GString *markdown_prepared(const char *text, size_t length)
{
	const char *end = text + length;
	unsigned lines;
	GString *out = g_string_sized_new(length);
	for (const char *at = text; at < end;) {
		size_t encoded = encoded_length(at, end - at, &lines);
		size_t line = MIN(markdown_line_length(at, end) + 1, (size_t)(end - at));
		if (markdown_is_note(at, line))
			g_string_append_c(out, '\\');
		if (encoded == 0)
			g_string_append_len(out, at, line);
		at += MAX(encoded, encoded > 0 ? 0 : line);
	}
	return out;
}

bool markdown_read(Sink *sink, const char *text, size_t length)
{
	static const MD_PARSER parser = {
	        .flags = MD_DIALECT_GITHUB,
	        .enter_block = markdown_enter_block,
	        .leave_block = markdown_leave_block,
	        .enter_span = markdown_enter_span,
	        .leave_span = markdown_leave_span,
	        .text = markdown_text,
	};
	Markdown md = {.sink = sink,
	        .heading = g_string_new(NULL),
	        .alternative = g_string_new(NULL),
	        .tag = g_string_new(NULL),
	        .anchor = g_string_new(NULL)};
	size_t front = markdown_send_front(sink, text, length, &md.titled);
	g_autoptr(GString) plain = markdown_prepared(text + front, length - front);
	md_parse(plain->str, MIN(plain->len, (size_t)G_MAXINT32), &parser, &md);
	g_string_free(md.heading, TRUE);
	g_string_free(md.alternative, TRUE);
	g_string_free(md.tag, TRUE);
	g_string_free(md.anchor, TRUE);
	g_free(md.href);
	return true;
}
#else
bool markdown_read(Sink *sink, const char *text, size_t length)
{
	return false;
}
#endif
