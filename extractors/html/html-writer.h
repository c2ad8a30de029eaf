/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html-writer.h - sends the text of a page as blocks and runs: collapses white space, drops empty
 * blocks, joins runs of the same tag */
#pragma once
#include "extractors/shared/extractor.h"

typedef struct {
	Sink *sink;
	GString *run; /* text of one tag that was not sent yet */
	DocTag run_tag;
	bool block_due; /* the next word begins a block */
	bool space_due; /* white space is due before the next word */
	bool any; /* text was sent */
	bool full; /* the sink accepts no more */
} HtmlWriter;

void writer_init(HtmlWriter *writer, Sink *sink);
void writer_clear(HtmlWriter *writer);
/* The next word begins a new block. */
void writer_block(HtmlWriter *writer);
/* Adds valid UTF-8. block: tag of the enclosing block; tag: tag of the text itself. */
void writer_text(HtmlWriter *writer, DocTag block, DocTag tag, const char *text, size_t length);
/* The same, but lines and spaces are kept. */
void writer_verbatim(HtmlWriter *writer, DocTag block, DocTag tag, const char *text, size_t length);
void writer_flush(HtmlWriter *writer);
