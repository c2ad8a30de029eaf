/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html-writer.h - text of a page to blocks and runs: folds white space, drops empty blocks, joins
 * equal runs */
#pragma once
#include "extractors/shared/extractor.h"

typedef struct {
	Sink *sink;
	GString *run; /* text of one tag, not sent yet */
	DocTag run_tag;
	bool block_due; /* a block begins with the next word */
	bool space_due; /* white space was read */
	bool any; /* some text was sent */
	bool full; /* the sink has enough */
} Writer;

void writer_init(Writer *writer, Sink *sink);
void writer_clear(Writer *writer);
/* The next word is apart from the ones before. */
void writer_block(Writer *writer);
/* Adds valid UTF-8; block: the tag of the block it is in; tag: its own. */
void writer_text(Writer *writer, DocTag block, DocTag tag, const char *text, size_t length);
/* The same with its lines and spaces as they are. */
void writer_verbatim(Writer *writer, DocTag block, DocTag tag, const char *text, size_t length);
void writer_flush(Writer *writer);
