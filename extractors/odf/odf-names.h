/* SPDX-License-Identifier: GPL-3.0-or-later */
/* odf-names.h - the elements that matter for the text, of OpenDocument 1.0-1.3 (OASIS, ISO/IEC
 * 26300) and its predecessor OpenOffice.org XML */
#pragma once
#include "extractors/shared/xmlread.h"

enum {
	NS_OFFICE = 1,
	NS_TEXT,
	NS_TABLE,
	NS_DRAW,
	NS_STYLE,
	NS_META,
	NS_FO,
	NS_DC,
	NS_XLINK,
	NS_SVG,
	NS_PRESENTATION,
	NS_MANIFEST,
	NS_FORM,
	NS_MATH
};

typedef enum {
	OTHER_ELEMENT,
	/* office */
	OFFICE_META,
	OFFICE_ANNOTATION,
	OFFICE_SPREADSHEET,
	OFFICE_PRESENTATION,
	OFFICE_DRAWING,
	OFFICE_BODY,
	OFFICE_MASTER_STYLES,
	OFFICE_HIDDEN, /* scripts, binary data, change lists: not text */
	/* meta */
	META_TITLE,
	META_INITIAL_CREATOR,
	META_CREATOR, /* the person who saved it last */
	META_COMMENT,
	META_KEYWORD,
	META_DATE,
	META_CREATED,
	META_LANGUAGE,
	META_GENERATOR,
	META_STATISTIC,
	MANIFEST_ENCRYPTION,
	/* text */
	TEXT_P,
	TEXT_H,
	TEXT_SPAN,
	TEXT_A,
	TEXT_SPACE, /* s, tab, line-break */
	TEXT_NOTE,
	TEXT_NOTE_CITATION,
	TEXT_TOC,
	TEXT_RUBY_TEXT,
	/* table, draw, presentation, svg */
	TABLE_TABLE,
	TABLE_CELL,
	STYLE_MASTER_PAGE,
	DRAW_PAGE,
	DRAW_SHAPE, /* anything that may be anchored in a paragraph and contain paragraphs */
	DRAW_DESCRIPTION,
	PRESENTATION_NOTES,
	PRESENTATION_DECLARATION,
	/* form, math */
	FORM_LABEL, /* a control with a label */
	FORM_FIELD, /* a control to fill in */
	MATH_SOURCE, /* source text of a formula */
	/* style */
	STYLE_STYLE,
	STYLE_DEFAULT,
	STYLE_TEXT_PROPERTIES,
	STYLE_HEADER_FOOTER,
} OdfElement;

extern const XmlVocabulary odf_vocabulary;
