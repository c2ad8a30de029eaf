/* SPDX-License-Identifier: GPL-3.0-or-later */
/* markup.c - the plugin for markup; chooses the reader by type */
#include <config.h>
#include "extractors/markup/markup.h"
#include <string.h>

bool markup_is_blank(const char *line, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!g_ascii_isspace(line[i]))
			return false;
	return true;
}

size_t markup_peek(const Markup *m, const char **line)
{
	const char *newline = m->at < m->end ? memchr(m->at, '\n', m->end - m->at) : NULL;
	*line = m->at;
	return (newline ? newline : m->end) - m->at;
}

bool markup_line(Markup *m, const char **line, size_t *length)
{
	if (m->full || m->at >= m->end)
		return false;
	*length = markup_peek(m, line);
	m->at = MIN(*line + *length + 1, m->end);
	if (*length > 0 && (*line)[*length - 1] == '\r')
		--*length;
	return true;
}

void markup_add(Markup *m, const char *text, size_t length)
{
	g_string_append_len(m->block, text, length);
}

void markup_flush(Markup *m, DocTag next)
{
	if (!markup_is_blank(m->block->str, m->block->len))
		m->full = !sink_block(m->sink, m->tag) ||
		          !sink_text(m->sink, m->tag, m->block->str, m->block->len);
	g_string_set_size(m->block, 0);
	m->tag = next;
}

void markup_heading(Markup *m, unsigned level, const char *text, size_t length)
{
	DocTag tag = m->tag;
	markup_flush(m, TAG_HEADING1 + MIN(MAX(level, 1), 6) - 1);
	if (!m->titled)
		markup_fact(m, FIELD_TITLE, text, length);
	markup_add(m, text, length);
	markup_flush(m, tag);
}

void markup_fact(Markup *m, DocField field, const char *text, size_t length)
{
	m->titled = m->titled || (field == FIELD_TITLE && !markup_is_blank(text, length));
	sink_field(m->sink, field, text, length);
}

/* ---- readers by type */

/* clang-format off */
#define READERS(ROW) \
	ROW("text/x-org", org_read) \
	ROW("text/x-rst", rst_read) \
	ROW("text/troff", roff_read) \
	ROW("text/x-tex", latex_read) \
	ROW("application/x-subrip", subtitles_read) \
	ROW("text/vtt", subtitles_read) \
	ROW("text/x-info", info_read) \
	ROW("text/x-ssa", dialogue_read) \
	ROW("text/x-gettext-translation", po_read) \
	ROW("text/x-texinfo", texinfo_read) \
	ROW("text/asciidoc", asciidoc_read) \
	ROW("text/x-wiki", wiki_read) \
	ROW("text/x-textile", wiki_read) \
	ROW("application/json", json_read) \
	ROW("application/x-ipynb+json", json_read)
/* clang-format on */
#define TYPE_OF_ROW(type, reader) type,
#define READER_OF_ROW(type, reader) reader,

static const char *const types[] = {READERS(TYPE_OF_ROW) NULL};
static void (*const readers[])(Markup *m) = {READERS(READER_OF_ROW)};

static ExtractResult markup_extract(const Input *in, Sink *sink)
{
	size_t length, i = 0;
	const char *charset;
	g_autofree char *text = decode_text(in->data, in->size, in->charset, &length, &charset);
	Markup markup = {.sink = sink, .at = text, .end = text + length};
	while (i + 1 < G_N_ELEMENTS(readers) && strcmp(types[i], in->mime) != 0)
		i++;
	sink_field(sink, FIELD_CHARSET, charset, -1);
	markup.block = g_string_new(NULL);
	readers[i](&markup);
	markup_flush(&markup, TAG_BODY);
	g_string_free(markup.block, TRUE);
	return EXTRACT_DONE;
}

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "markup",
        .version = 9,
        .lane = LANE_CHEAP,
        .mime_types = types,
        .extract = markup_extract,
};
