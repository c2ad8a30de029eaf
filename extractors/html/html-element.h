/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html-element.h - what the elements of HTML mean for its text */
#pragma once

typedef enum {
	ELEMENT_INLINE, /* unknown, or without a meaning here */
	ELEMENT_BLOCK,
	ELEMENT_PARAGRAPH, /* a block that ends a heading left open */
	ELEMENT_HEADING, /* level */
	ELEMENT_EMPHASIS,
	ELEMENT_CODE,
	ELEMENT_PRE,
	ELEMENT_LINK,
	ELEMENT_CELL,
	ELEMENT_CAPTION,
	ELEMENT_BREAK,
	ELEMENT_ARTICLE, /* its header and footer are its own, not the page's */
	ELEMENT_HEADER, /* noise outside of an article, except its headings */
	ELEMENT_FOOTER, /* noise outside of an article */
	ELEMENT_NOISE,
	ELEMENT_IMAGE,
	ELEMENT_FRAME,
	ELEMENT_META,
	ELEMENT_BASE,
	ELEMENT_ROOT,
	ELEMENT_TITLE,
	ELEMENT_DRAWING, /* svg: its title is not the page's */
	ELEMENT_TEMPLATE, /* not shown */
	ELEMENT_SKIPPED, /* raw text, not shown */
	ELEMENT_AREA, /* raw text, shown: textarea */
} ElementKind;

typedef struct {
	char name[16];
	ElementKind kind;
	unsigned level; /* of a heading */
} Element;

/* name in lower case. Never NULL. */
const Element *element_find(const char *name);
