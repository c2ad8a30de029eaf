/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/html/html-writer.h"
#include <string.h>

enum { FLUSH_BYTES = 32 << 10 };

void writer_init(HtmlWriter *writer, Sink *sink)
{
	*writer = (HtmlWriter){.sink = sink, .run = g_string_new(NULL), .block_due = true};
}

void writer_clear(HtmlWriter *writer)
{
	g_string_free(writer->run, TRUE);
}

void writer_flush(HtmlWriter *writer)
{
	if (writer->run->len > 0 && !writer->full &&
	        !sink_text(writer->sink, writer->run_tag, writer->run->str, writer->run->len))
		writer->full = true;
	g_string_truncate(writer->run, 0);
}

void writer_block(HtmlWriter *writer)
{
	writer->block_due = true;
}

static void html_begin(HtmlWriter *writer, DocTag block, DocTag tag)
{
	if (writer->block_due) {
		writer_flush(writer);
		if (!writer->full && !sink_block(writer->sink, block))
			writer->full = true;
		writer->block_due = writer->space_due = false;
	} else if (tag != writer->run_tag || writer->run->len > FLUSH_BYTES) {
		writer_flush(writer);
	}
	writer->run_tag = tag;
	writer->any = true;
}

/* Length of the white space at text, at least 1 byte: ASCII white space and the no-break space. */
static size_t space_at(const char *text, const char *end)
{
	if (*text == '\xc2')
		return end - text > 1 && text[1] == '\xa0' ? 2 : 0;
	return *text == ' ' || (*text >= '\t' && *text <= '\r') || *text == '\0';
}

void writer_text(HtmlWriter *writer, DocTag block, DocTag tag, const char *text, size_t length)
{
	const char *at = text, *end = text + length;

	while (at < end && !writer->full) {
		size_t space = space_at(at, end);
		if (space > 0) {
			writer->space_due = true;
			at += space;
			continue;
		}
		const char *word = at;
		while (at < end && space_at(at, end) == 0)
			at++;
		html_begin(writer, block, tag);
		if (writer->space_due)
			g_string_append_c(writer->run, ' ');
		writer->space_due = false;
		g_string_append_len(writer->run, word, at - word);
	}
}

void writer_verbatim(HtmlWriter *writer, DocTag block, DocTag tag, const char *text, size_t length)
{
	if (writer->full || length == 0)
		return;
	if (writer->block_due) {
		while (length > 0 && (*text == '\n' || *text == '\r')) {
			text++;
			length--;
		}
		if (length == 0)
			return;
	}
	html_begin(writer, block, tag);
	if (writer->space_due)
		g_string_append_c(writer->run, ' ');
	writer->space_due = false;
	g_string_append_len(writer->run, text, length);
}
