/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xml-names.h - the meaning of elements in common XML vocabularies: DocBook, TEI, DITA,
 * FictionBook, SVG, and names that many private vocabularies share. Only local names count. */
#pragma once
#include "extractors/shared/xmlread.h"

typedef enum {
	XML_OTHER, /* a block, unless it is in the middle of text */
	XML_BLOCK,
	XML_INLINE,
	XML_LINE, /* SVG: inline, but a place of its own begins a line */
	XML_BREAK, /* an empty element between words, such as a line break */
	XML_EMPHASIS,
	XML_LINK,
	XML_TITLE, /* the first one is the document's title, the others are headings */
	XML_FIRST_TITLE, /* the document's title if there is none yet, else text */
	XML_OUTLINE,
	XML_HEADING,
	XML_CELL,
	XML_CODE, /* a block of code */
	XML_INLINE_CODE,
	XML_CAPTION,
	XML_NOTE, /* a footnote: inside a paragraph but not part of it */
	XML_AUTHOR,
	XML_AFFILIATION, /* in an author: place of residence or work */
	XML_KEYWORD,
	XML_DATE,
	XML_LANGUAGE,
	XML_SUMMARY, /* abstract */
	XML_SECTION, /* headings below it are one level deeper */
	XML_HIDDEN, /* not text */
} XmlKind;

extern const XmlVocabulary xml_vocabulary;
