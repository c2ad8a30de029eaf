/* SPDX-License-Identifier: GPL-3.0-or-later */
/* odf-names.h - the elements of OpenDocument 1.0-1.3 (OASIS, ISO/IEC 26300) and of its forerunner
 * OpenOffice.org XML that matter for the text */
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
	OFFICE_HIDDEN, /* scripts, binary data, change lists: no text for a reader */
	/* meta */
	META_TITLE,
	META_INITIAL_CREATOR,
	META_CREATOR, /* who saved it last */
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
	DRAW_PAGE,
	DRAW_SHAPE, /* anything that may hang in a paragraph and hold paragraphs */
	DRAW_DESCRIPTION,
	PRESENTATION_NOTES,
	PRESENTATION_DECLARATION,
	/* form, math */
	FORM_LABEL, /* a control that says what it is for */
	FORM_FIELD, /* one that is filled in */
	MATH_SOURCE, /* a formula as it was typed */
	/* style */
	STYLE_STYLE,
	STYLE_DEFAULT,
	STYLE_TEXT_PROPERTIES,
	STYLE_HEADER_FOOTER,
} OdfElement;

extern const XmlVocabulary odf_vocabulary;
