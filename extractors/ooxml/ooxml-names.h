/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ooxml-names.h - the elements of Office Open XML that matter for the text (ECMA-376, ISO/IEC
 * 29500; transitional and strict) */
#pragma once
#include "extractors/shared/xmlread.h"

enum {
	NS_W = 1, /* text documents */
	NS_X, /* spreadsheets */
	NS_P, /* presentations */
	NS_A, /* drawings */
	NS_C, /* charts */
	NS_R, /* references to relationships */
	NS_MC, /* markup compatibility */
	NS_WP, /* drawings in text documents */
	NS_M, /* mathematics */
	NS_XDR, /* drawings in spreadsheets */
	NS_TC, /* threaded comments of spreadsheets */
	NS_RELATIONS, /* of package relationships */
	NS_TYPES,
	NS_CORE,
	NS_DC,
	NS_TERMS,
	NS_APP,
	NS_CUSTOM, /* types of properties */
	NS_AML, /* annotations of Word 2003 */
	NS_SS, /* workbooks of Excel 2003 */
	NS_OFFICE, /* facts, in both formats of 2003 */
	NS_V, /* drawings of Word before 2010 */
};

typedef enum {
	OTHER_ELEMENT,
	/* package */
	RELATIONSHIP,
	OVERRIDE_TYPE,
	/* docProps */
	CORE_TITLE,
	CORE_CREATOR,
	CORE_LAST_AUTHOR,
	CORE_COMMENT,
	CORE_KEYWORDS,
	CORE_CREATED,
	CORE_MODIFIED,
	CORE_LANGUAGE,
	APP_PAGES,
	APP_PROGRAM,
	APP_COMPANY,
	CUSTOM_TEXT,
	/* everywhere */
	MC_ALTERNATE,
	MC_CHOICE,
	MC_FALLBACK,
	/* w: */
	W_P,
	W_PARAGRAPH_STYLE,
	W_OUTLINE_LEVEL,
	W_R,
	W_FONTS,
	W_EMPHASIS,
	W_T,
	W_SPACE,
	W_HYPHEN,
	W_SYMBOL,
	W_HIDDEN, /* deleted text and former properties */
	W_CELL,
	W_HYPERLINK,
	W_FIELD, /* a field in one element */
	W_FIELD_MARK,
	W_INSTRUCTION,
	W_TEXT_BOX,
	W_RUBY,
	W_NOTE,
	W_COMMENT,
	W_HEADER,
	W_CHUNK, /* embedded content in another format */
	AML_ANNOTATION,
	W_STYLE,
	W_STYLE_NAME,
	W_BASED_ON,
	WP_DESCRIPTION,
	V_TEXT, /* WordArt text */
	V_SHAPE,
	W_LIST_FIELD, /* a drop-down list of a form */
	W_LIST_CHOICE,
	W_LIST_ENTRY,
	M_T,
	M_FRACTION, /* the upper or lower part of one */
	/* x: */
	X_SHEET,
	X_WORKBOOK_PR,
	X_STRING,
	X_T,
	X_PHONETIC,
	X_CELL,
	X_FORMULA,
	X_VALUE,
	X_INLINE,
	X_HEADER_FOOTER,
	X_HYPERLINK,
	X_VALIDATION,
	X_COMMENT,
	X_AUTHOR, /* author of comments */
	X_THREADED_TEXT,
	X_PERSON,
	X_NUMBER_FORMAT,
	X_CELL_FORMATS,
	X_FORMAT,
	/* ss: */
	SS_SHEET,
	SS_DATA,
	SS_COMMENT,
	/* p: and a: */
	P_SLIDE,
	P_SHAPE,
	P_PLACEHOLDER,
	P_DESCRIPTION,
	P_COMMENT_TEXT,
	P_AUTHOR, /* author of comments */
	A_P,
	A_R,
	A_SYMBOL_FONT,
	A_T,
	A_BREAK,
	A_FIELD,
	A_CELL,
	A_LINK,
	/* c: */
	C_STRINGS, /* names that a chart displays */
	C_VALUE,
} OoxmlElement;

extern const XmlVocabulary ooxml_vocabulary;
