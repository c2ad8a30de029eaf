/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flow.h - paragraphs of an office document on their way into the sink
 *
 * White space is collapsed as in running text, empty paragraphs vanish, and what hangs inside a
 * paragraph without being part of it (a note, an annotation, a text box) is set aside and follows
 * after the paragraph, so that its words stay together. */
#pragma once
#include "extractors/shared/extractor.h"

typedef struct {
	Sink *sink;
	DocTag tag; /* of the paragraph */
	int inline_tag; /* DocTag of the text that comes, or -1 */
	bool pending; /* the next text opens a new block */
	bool space; /* white space is due before the next text */
	bool full; /* the sink wants no more */
	bool any; /* there was text */
	GString *run; /* text not yet sent, all of one tag */
	DocTag run_tag;
	GString *aside; /* text set aside */
	GArray *aside_marks; /* AsideMark: where in it which block begins */
	GArray *aside_stack; /* AsideOuter: what an aside interrupted */
	char *href; /* of the link that is open, or NULL */
	GString *anchor; /* its text */
} Flow;

void flow_init(Flow *flow, Sink *sink);
/* Sends what is left and frees all. */
void flow_finish(Flow *flow);

/* The next text begins a block with this tag. */
void flow_block(Flow *flow, DocTag tag);
/* Changes the tag of a block that has no text yet. */
void flow_retag(Flow *flow, DocTag tag);
/* False once the sink is full. */
bool flow_text(Flow *flow, const char *text, size_t length);
void flow_space(Flow *flow);
/* Text from now on is inline text of this tag where the block is body or table; -1: of the block's
 * own. A new block resets it. */
void flow_inline(Flow *flow, int tag);
/* A whole block. length -1: NUL-terminated. */
bool flow_line(Flow *flow, DocTag tag, const char *text, ssize_t length);

/* Blocks until flow_aside_end() follow after the block that is open now. They nest. */
void flow_aside(Flow *flow, DocTag tag);
void flow_aside_end(Flow *flow);

/* Text until flow_link_end() is the anchor of a link. Takes href, which may be NULL. */
void flow_link(Flow *flow, char *href);
void flow_link_end(Flow *flow);

bool flow_break(Flow *flow, DocBreakKind kind, unsigned number, const char *label);
