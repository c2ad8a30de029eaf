/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plain-text.c - plain text: prose, source code, data in text form
 *
 * A block is a paragraph: what stands between empty lines. A form feed begins a page. In Markdown,
 * lines with '#' and underlined lines are headings, the first of them the title. In source code the
 * licence notice on top is noise. Of encoded data only the line ends stay, of what is for a
 * terminal only the text. */
#include <config.h>
#include "extractors/shared/extractor.h"
#include "extractors/text/encoded-text.h"
#include "extractors/text/markdown.h"
#include "extractors/text/licence-notice.h"
#include "extractors/text/terminal-text.h"
#include "common/base/doctype.h"
#include <string.h>

enum {
	BLOCK_LINES = 200, /* a block without empty lines is cut here: tables, logs */
	UTF32_BYTES = 4, /* most bytes of input for one byte of text */
};

typedef struct {
	Sink *sink;
	const char *at, *end;
	const char *put; /* so far it is in the document */
	bool markdown, code, titled;
	unsigned page;
} Reader;

static size_t text_line_length(const Reader *r, const char *from)
{
	const char *newline = memchr(from, '\n', r->end - from);
	return newline ? (size_t)(newline - from) : (size_t)(r->end - from);
}

static bool text_is_blank(const char *line, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!g_ascii_isspace(line[i]))
			return false;
	return true;
}

/* Level of an ATX heading ("## Two"), 0 if it is none; *from gets where its words begin. */
static unsigned hash_level(const char *line, size_t length, size_t *from)
{
	size_t n = 0;
	while (n < length && line[n] == '#')
		n++;
	if (n == 0 || n > 6 || n == length || (line[n] != ' ' && line[n] != '\t'))
		return 0;
	*from = n;
	return n;
}

/* Level by the line below: "====" 1, "----" 2, else 0. */
static unsigned text_underline_level(const char *line, size_t length)
{
	while (length > 0 && g_ascii_isspace(line[length - 1]))
		length--;
	if (length < 2 || (line[0] != '=' && line[0] != '-'))
		return 0;
	for (size_t i = 1; i < length; i++)
		if (line[i] != line[0])
			return 0;
	return line[0] == '=' ? 1 : 2;
}

static bool text_put_heading(Reader *r, unsigned level, const char *text, size_t length)
{
	while (length > 0 && (text[length - 1] == '#' || g_ascii_isspace(text[length - 1])))
		length--;
	while (length > 0 && g_ascii_isspace(*text)) {
		text++;
		length--;
	}
	if (!r->titled)
		sink_field(r->sink, FIELD_TITLE, text, length);
	r->titled = true;
	return sink_block(r->sink, TAG_HEADING1) &&
	       sink_text(r->sink, TAG_HEADING1 + level - 1, text, length);
}

/* Takes a heading of Markdown if one begins here: 1 taken, 0 none, -1 stop. */
static int text_take_heading(Reader *r)
{
	size_t from = 0, length = text_line_length(r, r->at);
	unsigned level = hash_level(r->at, length, &from);
	const char *next = r->at + length + 1;
	if (level == 0 && length > 0 && next < r->end && !text_is_blank(r->at, length)) {
		size_t below = text_line_length(r, next);
		level = text_underline_level(next, below);
		if (level > 0)
			next += below + 1;
	}
	if (level == 0)
		return 0;
	bool more = text_put_heading(r, level, r->at + from, length - from);
	r->at = MIN(next, r->end);
	return more ? 1 : -1;
}

/* From here to the next empty line, form feed, heading or encoded data. */
static const char *block_end(const Reader *r)
{
	const char *at = r->at;
	unsigned encoded;
	for (unsigned lines = 0; at < r->end && lines < BLOCK_LINES; lines++) {
		size_t length = text_line_length(r, at), from;
		const char *feed = memchr(at, '\f', length);
		if (feed)
			return feed;
		if (lines > 0 &&
		        (text_is_blank(at, length) ||
		                (r->markdown && (hash_level(at, length, &from) > 0 ||
		                                        markdown_fence(at, r->end - at) > 0)) ||
		                encoded_length(at, r->end - at, &encoded) > 0))
			return at;
		at = MIN(at + length + 1, r->end);
	}
	return at;
}

static void skip_blank_lines(Reader *r)
{
	while (r->at < r->end) {
		size_t length = text_line_length(r, r->at);
		if (!text_is_blank(r->at, length) || memchr(r->at, '\f', length))
			return;
		r->at = MIN(r->at + length + 1, r->end);
	}
}

/* A paragraph of Markdown; where its links lead to is noise. */
static bool text_put_plain(Reader *r, const char *text, size_t length)
{
	g_autoptr(GString) plain = g_string_sized_new(length), aside = g_string_new(NULL);
	markdown_plain(text, length, plain, aside);
	return sink_block(r->sink, TAG_BODY) &&
	       sink_text(r->sink, TAG_BODY, plain->str, plain->len) &&
	       (aside->len == 0 || (sink_block(r->sink, TAG_NOISE) &&
	                                   sink_text(r->sink, TAG_NOISE, aside->str, aside->len)));
}

/* Takes a block of code of Markdown if one begins here: 1 taken, 0 none, -1 stop. */
static int text_take_fence(Reader *r)
{
	size_t length = markdown_fence(r->at, r->end - r->at);
	if (length == 0)
		return 0;
	const char *from = r->at;
	r->put = r->at += length;
	bool more = sink_block(r->sink, TAG_CODE) && sink_text(r->sink, TAG_CODE, from, length);
	return more ? 1 : -1;
}

static void take_front(Reader *r)
{
	const char *from = r->at;
	r->at += markdown_front(r->sink, r->at, r->end - r->at, &r->titled);
	r->put = r->at;
	if (r->at > from && sink_block(r->sink, TAG_NOISE))
		sink_text(r->sink, TAG_NOISE, from, r->at - from);
}

/* Empty lines go with their paragraph: whoever counts the line ends of the text gets the lines of
 * the file. Not in Markdown, where headings lose theirs. */
static bool take_block(Reader *r)
{
	if (*r->at == '\f') {
		if (!r->markdown && r->at > r->put)
			sink_text(r->sink, TAG_BODY, r->put, r->at - r->put);
		r->put = ++r->at;
		return sink_break(r->sink, BREAK_PAGE, ++r->page, NULL);
	}
	const char *from = r->markdown ? r->at : r->put;
	r->at = block_end(r);
	if (!r->markdown)
		skip_blank_lines(r);
	r->put = r->at;
	if (r->markdown)
		return text_put_plain(r, from, r->at - from);
	return sink_block(r->sink, TAG_BODY) && sink_text(r->sink, TAG_BODY, from, r->at - from);
}

/* Takes encoded data if it begins here: 1 taken, 0 none, -1 stop. */
static int take_encoded(Reader *r)
{
	unsigned lines;
	size_t length = encoded_length(r->at, r->end - r->at, &lines);
	if (length == 0)
		return 0;
	g_autofree char *ends = g_strnfill(lines, '\n');
	bool more = r->markdown || (sink_text(r->sink, TAG_BODY, r->put, r->at - r->put) &&
	                                   sink_text(r->sink, TAG_BODY, ends, lines));
	r->at += length;
	r->put = r->at;
	return more ? 1 : -1;
}

/* What stands above all code of its author is noise. */
static bool take_notice(Reader *r)
{
	size_t length = r->code ? notice_length(r->at, r->end - r->at) : 0;
	if (length == 0)
		return true;
	r->at += length;
	const char *from = r->put;
	r->put = r->at;
	return sink_block(r->sink, TAG_NOISE) && sink_text(r->sink, TAG_NOISE, from, r->at - from);
}

static void text_read_all(Reader *r)
{
	if (memchr(r->at, '\f', r->end - r->at))
		sink_break(r->sink, BREAK_PAGE, ++r->page, NULL);
	skip_blank_lines(r);
	if (r->markdown)
		take_front(r);
	if (!take_notice(r))
		return;
	for (skip_blank_lines(r); r->at < r->end; skip_blank_lines(r)) {
		bool markdown = r->markdown && *r->at != '\f';
		int taken = markdown ? text_take_fence(r) : 0;
		if (taken == 0 && markdown)
			taken = text_take_heading(r);
		if (taken == 0)
			taken = take_encoded(r);
		if (taken < 0 || (taken == 0 && !take_block(r)))
			return;
	}
}

/* More input than can become text is not decoded. Cut at a line's end, four bytes at a time for
 * UTF-32. */
static size_t useful_size(const Input *in)
{
	uint64_t most = in->limits->text_bytes * UTF32_BYTES + UTF32_BYTES;
	if (in->size <= most)
		return in->size;
	size_t size = most / UTF32_BYTES * UTF32_BYTES;
	const uint8_t *newline = memrchr(in->data + size - 4096, '\n', 4096);
	bool wide = memchr(in->data, 0, MIN(size, 64)) != NULL;
	return newline && !wide ? (size_t)(newline - in->data) : size;
}

static ExtractResult text_extract(const Input *in, Sink *sink)
{
	size_t length;
	const char *charset;
	g_autofree char *text =
	        decode_text(in->data, useful_size(in), in->charset, &length, &charset);
	length = terminal_strip(text, length);
	Reader reader = {.sink = sink,
	        .at = text,
	        .put = text,
	        .end = text + length,
	        .markdown = in->mime && strcmp(in->mime, "text/markdown") == 0,
	        .code = in->mime && strcmp(doctype_of(in->mime), "code") == 0};
	sink_field(sink, FIELD_CHARSET, charset, -1);
	text_read_all(&reader);
	return EXTRACT_DONE;
}

static const char *const types[] = {
        "text/*", "application/yaml", "application/toml", "image/x-xpixmap", NULL};

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "text",
        .version = 10,
        .library = NULL,
        .lane = LANE_CHEAP,
        .mime_types = types,
        .extract = text_extract,
};
