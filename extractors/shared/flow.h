/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flow.h - sends the paragraphs of an office document to the sink
 *
 * White space is collapsed and empty paragraphs are dropped. An inset (a note, an annotation, a
 * text box) is anchored inside a paragraph but is not part of it: its text is held back and follows
 * as separate blocks, so that the words of the paragraph stay together. */
#pragma once
#include "extractors/shared/extractor.h"

typedef struct {
	Sink *sink;
	DocTag tag; /* of the current paragraph */
	int inline_tag; /* DocTag of the next text, or -1 */
	bool pending; /* the next text opens a new block */
	bool space; /* a space is due before the next text */
	bool full; /* the sink accepts no more */
	bool any; /* text was sent */
	GString *run; /* text not sent yet, all with run_tag */
	DocTag run_tag;
	GString *inset; /* text of insets, held back */
	GArray *inset_marks; /* InsetMark: where each block begins in inset */
	GArray *inset_stack; /* InsetOuter: state of the text that an inset interrupted */
	char *href; /* target of the open link, or NULL */
	GString *anchor; /* text of the open link */
} Flow;

void flow_init(Flow *flow, Sink *sink);
/* Sends pending text and frees everything. */
void flow_finish(Flow *flow);

/* The next text begins a block with this tag. */
void flow_block(Flow *flow, DocTag tag);
/* Changes the tag of a block that has no text yet. */
void flow_retag(Flow *flow, DocTag tag);
/* False once the sink is full. */
bool flow_text(Flow *flow, const char *text, size_t length);
void flow_space(Flow *flow);
/* Tags the following text as inline text; this works in body and table blocks only. -1: back to the
 * tag of the block. A new block resets it. */
void flow_inline(Flow *flow, int tag);
/* Sends a whole block. length -1: NUL-terminated. */
bool flow_line(Flow *flow, DocTag tag, const char *text, ssize_t length);

/* Begins an inset: blocks until flow_inset_end() follow after the current block. Insets nest. */
void flow_inset(Flow *flow, DocTag tag);
void flow_inset_end(Flow *flow);
/* Sends a whole inset. text NULL: nothing. */
void flow_inset_text(Flow *flow, DocTag tag, const char *text);

/* Text until flow_link_end() is the anchor of a link. Takes ownership of href, which may be
 * NULL. */
void flow_link(Flow *flow, char *href);
void flow_link_end(Flow *flow);

bool flow_break(Flow *flow, DocBreakKind kind, unsigned number, const char *label);
/* Begins a sheet of a spreadsheet. Its name, which may be NULL, is also text: a label alone is not
 * searched. */
bool flow_sheet(Flow *flow, unsigned number, const char *name);
