/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html-element.h - what each HTML element means for the text */
#pragma once

typedef enum {
	ELEMENT_INLINE, /* unknown, or without effect on the text */
	ELEMENT_BLOCK,
	ELEMENT_PARAGRAPH, /* a block that ends an unclosed heading */
	ELEMENT_HEADING, /* level */
	ELEMENT_EMPHASIS,
	ELEMENT_CODE,
	ELEMENT_PRE,
	ELEMENT_LINK,
	ELEMENT_CELL,
	ELEMENT_CAPTION,
	ELEMENT_BREAK,
	ELEMENT_ARTICLE, /* its header and footer belong to it, not to the page */
	ELEMENT_HEADER, /* noise outside of an article, except for its headings */
	ELEMENT_FOOTER, /* noise outside of an article */
	ELEMENT_NOISE,
	ELEMENT_IMAGE,
	ELEMENT_FRAME,
	ELEMENT_META,
	ELEMENT_BASE,
	ELEMENT_ROOT,
	ELEMENT_TITLE,
	ELEMENT_DRAWING, /* svg: its title is not the title of the page */
	ELEMENT_TEMPLATE, /* hidden */
	ELEMENT_SKIPPED, /* raw text, hidden */
	ELEMENT_AREA, /* raw text, visible: textarea */
	ELEMENT_TIDDLERS, /* raw text: the notes of a TiddlyWiki (html-tiddlers.h) */
} ElementKind;

typedef struct {
	char name[16];
	ElementKind kind;
	unsigned level; /* level of a heading */
} Element;

/* Looks up a name in lower case. Never NULL. */
const Element *element_find(const char *name);
