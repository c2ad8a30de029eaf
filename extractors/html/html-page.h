/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html-page.h - turns HTML tokens into tagged text
 *
 * No tree is built. Counters hold the effect of open elements, and one name marks the outermost
 * noisy element, so deep or crossed nesting costs nothing. */
#pragma once
#include "extractors/shared/extractor.h"
#include "extractors/html/main-content.h"
#include "extractors/html/html-element.h"
#include "extractors/html/html-meta.h"
#include "extractors/html/html-token.h"
#include "extractors/html/html-writer.h"

typedef struct {
	HtmlWriter writer;
	Meta meta;
	Sink *sink;
	bool xml; /* <script/> has no content */
	GString *text; /* text of the current token, entities resolved */
	ElementKind raw; /* the element whose raw text comes next; ELEMENT_INLINE: none */
	unsigned heading; /* level of the open heading; 0: none */
	/* numbers of open elements */
	unsigned emphasis, code, pre, caption, drawing, hidden, article;
	bool alternative; /* the text stands for a picture */
	bool cell; /* directly in a table cell */
	unsigned breaks; /* <br> elements in a row */
	unsigned frames; /* nesting of documents in attributes */
	bool book; /* a chapter: <aside> has notes and boxes, and only <nav> is navigation */
	bool site; /* fetched from a site: links for a crawler are sent too */
	bool link, nofollow;
	bool mark, after_mark; /* the open link, the last link seems to be the mark of a note */
	GString *href, *anchor;
	bool bookmarks; /* exported by a browser: addresses and tags are text */
	char *bookmark; /* those of the open link; NULL: there are none */
	char *base; /* base of relative links; NULL: the page itself */
	bool base_told; /* by a <base> element */
	char noise[TOKEN_MAX_NAME]; /* name of the outermost noisy element */
	unsigned noise_depth; /* open elements of that name, itself included; 0: no noise */
	bool noise_headings; /* headings in it count as noise too */
	Content *content; /* main content of the page, or NULL; borrowed */
	bool inside_seen; /* text of the main content was read: later headings are of other texts */
	bool outside; /* the current text is outside of the main content */
} Page;

/* xml: an element may close itself (<a/>). */
void page_init(Page *page, Sink *sink, bool xml);
/* Reads a document or a piece of one (valid UTF-8). May be called again for the next piece. */
void page_run(Page *page, const char *text, size_t length);
/* Begins a new block and forgets all open elements. */
void page_reset(Page *page);
/* Sends pending text and frees everything. True if there was a text or a title. */
bool page_finish(Page *page);
