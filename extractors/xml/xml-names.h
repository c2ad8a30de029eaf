/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xml-names.h - what the elements of common XML vocabularies mean for a reader: DocBook, TEI, DITA,
 * FictionBook, SVG, and names that many private ones share. Local names decide. */
#pragma once
#include "extractors/shared/xmlread.h"

typedef enum {
	XML_OTHER, /* a block, unless it stands in the middle of text */
	XML_BLOCK,
	XML_INLINE,
	XML_EMPHASIS,
	XML_LINK,
	XML_TITLE, /* the first is the document's; the others are headings */
	XML_FIRST_TITLE, /* title of the document if none was before, else text */
	XML_OUTLINE,
	XML_HEADING,
	XML_CELL,
	XML_CODE, /* a block of code */
	XML_INLINE_CODE,
	XML_CAPTION,
	XML_NOTE, /* a footnote: stands in a paragraph, but is not part of it */
	XML_AUTHOR,
	XML_APART, /* of an author: where he lives and works */
	XML_KEYWORD,
	XML_DATE,
	XML_LANGUAGE,
	XML_SUMMARY, /* abstract */
	XML_SECTION, /* headings below it are one level deeper */
	XML_HIDDEN, /* no text for a reader */
} XmlKind;

extern const XmlVocabulary xml_vocabulary;
