/* SPDX-License-Identifier: GPL-3.0-or-later */
/* markup-plugin.c - the plugin for text markup: calls the reader of the type */
#include <config.h>
#include "extractors/markup/markup.h"
#include <string.h>

/* clang-format off */
#define READERS(ROW) \
	ROW("text/x-org", org_read) \
	ROW("text/x-rst", rst_read) \
	ROW("text/troff", roff_read) \
	ROW("text/x-tex", latex_read) \
	ROW("text/x-bibtex", bibtex_read) \
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
	ROW("application/x-ipynb+json", notebook_read) \
	ROW("application/x-xmind+json", mind_map_read)
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
        .version = 16,
        .lane = LANE_CHEAP,
        .mime_types = types,
        .extract = markup_extract,
};
