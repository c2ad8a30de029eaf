/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plain-text.c - plain text: prose, source code, data in text form
 *
 * A block is a paragraph: the lines between empty lines. A form feed begins a page. The licence
 * notice at the top of source code is noise. Encoded data and control sequences of terminals are
 * left out, but line ends are kept. Markdown has its own parser (markdown.h). */
#include <config.h>
#include "extractors/shared/encoded-text.h"
#include "common/base/text.h"
#include "extractors/shared/extractor.h"
#include "extractors/shared/terminal-text.h"
#include "extractors/text/markdown.h"
#include "extractors/text/licence-notice.h"
#include "common/base/doctype.h"
#include <string.h>

enum {
	BLOCK_LINES = 200, /* most lines of a block without empty lines, such as a table or a log */
	UTF32_BYTES = 4, /* most bytes of input for one byte of text */
};

typedef struct {
	Sink *sink;
	const char *at, *end;
	const char *put; /* the text before this is sent */
	const char *newline; /* the first at or after at, or the end; NULL: not looked for */
	bool code;
	unsigned page;
} PlainTextReader;

/* A line may hold many form feeds, so its end is looked for once. from never falls. */
static size_t text_line_length(PlainTextReader *r, const char *from)
{
	if (!r->newline || from > r->newline) {
		const char *newline = memchr(from, '\n', r->end - from);
		r->newline = newline ? newline : r->end;
	}
	return r->newline - from;
}

/* Returns the next empty line, form feed or encoded data. */
static const char *block_end(PlainTextReader *r)
{
	const char *at = r->at;
	unsigned encoded;
	for (unsigned lines = 0; at < r->end && lines < BLOCK_LINES; lines++) {
		size_t length = text_line_length(r, at);
		const char *feed = memchr(at, '\f', length);
		if (feed)
			return feed;
		if (lines > 0 && (text_is_blank(at, length) ||
		                         encoded_length(at, r->end - at, &encoded) > 0))
			return at;
		at = MIN(at + length + 1, r->end);
	}
	return at;
}

static void skip_blank_lines(PlainTextReader *r)
{
	while (r->at < r->end) {
		size_t length = text_line_length(r, r->at);
		if (memchr(r->at, '\f', length) || !text_is_blank(r->at, length))
			return;
		r->at = MIN(r->at + length + 1, r->end);
	}
}

/* Empty lines are sent with their paragraph, so that the lines of the text are the lines of the
 * file. */
static bool take_block(PlainTextReader *r)
{
	if (*r->at == '\f') {
		if (r->at > r->put)
			sink_text(r->sink, TAG_BODY, r->put, r->at - r->put);
		r->put = ++r->at;
		return sink_break(r->sink, BREAK_PAGE, ++r->page, NULL);
	}
	const char *from = r->put;
	r->at = block_end(r);
	skip_blank_lines(r);
	r->put = r->at;
	return sink_block(r->sink, TAG_BODY) && sink_text(r->sink, TAG_BODY, from, r->at - from);
}

/* Skips encoded data if it begins here. 1: skipped; 0: none; -1: stop. */
static int take_encoded(PlainTextReader *r)
{
	unsigned lines;
	size_t length = encoded_length(r->at, r->end - r->at, &lines);
	if (length == 0)
		return 0;
	g_autofree char *ends = g_strnfill(lines, '\n');
	bool more = sink_text(r->sink, TAG_BODY, r->put, r->at - r->put) &&
	            sink_text(r->sink, TAG_BODY, ends, lines);
	r->at += length;
	r->put = r->at;
	return more ? 1 : -1;
}

/* The same notice is above all code of its author, so it is noise. */
static bool take_notice(PlainTextReader *r)
{
	size_t length = r->code ? notice_length(r->at, r->end - r->at) : 0;
	if (length == 0)
		return true;
	r->at += length;
	const char *from = r->put;
	r->put = r->at;
	return sink_block(r->sink, TAG_NOISE) && sink_text(r->sink, TAG_NOISE, from, r->at - from);
}

static void text_read_all(PlainTextReader *r)
{
	if (memchr(r->at, '\f', r->end - r->at))
		sink_break(r->sink, BREAK_PAGE, ++r->page, NULL);
	skip_blank_lines(r);
	if (!take_notice(r))
		return;
	for (skip_blank_lines(r); r->at < r->end; skip_blank_lines(r)) {
		int taken = take_encoded(r);
		if (taken < 0 || (taken == 0 && !take_block(r)))
			return;
	}
}

/* Returns the size of the input that can become text; the rest need not be decoded. The input is
 * cut at a line end, for UTF-32 at a multiple of four bytes. */
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
	PlainTextReader reader = {.sink = sink,
	        .at = text,
	        .put = text,
	        .end = text + length,
	        .code = in->mime && strcmp(doctype_of(in->mime), "code") == 0};
	sink_field(sink, FIELD_CHARSET, charset, -1);
	bool is_markdown = in->mime && strcmp(in->mime, "text/markdown") == 0;
	if (!is_markdown || !markdown_read(sink, text, length))
		text_read_all(&reader);
	return EXTRACT_DONE;
}

static const char *const types[] = {
        "text/*", "application/yaml", "application/toml", "image/x-xpixmap", NULL};

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "text",
        .version = 17,
#ifdef HAVE_MD4C
        .library = "md4c " MD4C_VERSION_TEXT,
#endif
        .lane = LANE_CHEAP,
        .mime_types = types,
        .extract = text_extract,
};
