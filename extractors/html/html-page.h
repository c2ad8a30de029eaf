/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html-page.h - tokens of HTML to tagged text
 *
 * No tree is built: what an element means is kept in counters and one mark for the outermost noisy
 * element, so that neither deep nor crossed nesting costs anything. */
#pragma once
#include "extractors/shared/extractor.h"
#include "extractors/html/main-content.h"
#include "extractors/html/html-element.h"
#include "extractors/html/html-meta.h"
#include "extractors/html/html-token.h"
#include "extractors/html/html-writer.h"

typedef struct {
	Writer writer;
	Meta meta;
	Sink *sink;
	bool xml; /* <script/> has no content */
	GString *text; /* of the token in work, entities resolved */
	ElementKind raw; /* whose raw text comes next; ELEMENT_INLINE: none */
	unsigned heading; /* level; 0: none */
	unsigned emphasis, code, pre, caption, drawing, hidden, article; /* open elements */
	bool cell; /* directly in a table's cell */
	unsigned breaks; /* <br> in a row */
	unsigned frames; /* documents in attributes, nested */
	bool link;
	GString *href, *anchor;
	char *base; /* that relative links are seen from; NULL: the page itself */
	char noise[TOKEN_MAX_NAME]; /* the outermost noisy element */
	unsigned noise_depth; /* open elements of that name inside, and itself; 0: no noise */
	bool noise_headings; /* headings are none */
	Content *content; /* of the page, or NULL; borrowed */
	bool aside; /* this text is not in it */
} Page;

/* xml: elements may be closed at once. */
void page_init(Page *page, Sink *sink, bool xml);
/* A document, or a piece of one: valid UTF-8. May be called again for what follows. */
void page_run(Page *page, const char *text, size_t length);
/* What follows is a block apart from what came before; no element is open. */
void page_reset(Page *page);
/* Sends what is left and frees all. True if there was a text or a title. */
bool page_finish(Page *page);
