/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rtf-words.h - the control words of RTF 1.9.1 that matter for the text */
#pragma once
#include <stddef.h>

typedef enum {
	W_UNKNOWN,
	W_SKIP, /* a destination without text */
	W_FIELD, /* a destination that is a fact; argument: DocField */
	W_INSET, /* notes and comments; argument: DocTag */
	W_OPEN, /* contains text further inside */
	W_BOX, /* a text box */
	W_REPEATED, /* repeats content for older readers */
	W_TWO_FORMS, /* a group in 8-bit text, then the same in Unicode */
	W_FORM_FIELD,
	W_LIST_ENTRY, /* of a drop-down list */
	W_PROPERTY_NAME, /* of a shape */
	W_PROPERTY,
	W_FONT_TABLE,
	W_STYLES,
	W_INFO,
	W_DATE,
	W_INSTRUCTION, /* of a field */
	W_RESULT,
	W_OBJECT, /* an embedded object */
	W_CHARACTER, /* argument: code point */
	W_PARAGRAPH,
	W_CELL,
	W_IN_TABLE,
	W_PAGE,
	W_SPACE,
	W_RESET, /* of the paragraph */
	W_PLAIN, /* of the characters */
	W_OUTLINE,
	W_STYLE,
	W_FONT,
	W_FONT_CHARSET,
	W_RUN_CHARSET, /* charset of characters, overriding their font */
	W_FONT_PAGE,
	W_DEFAULT_FONT,
	W_ANSI_PAGE,
	W_PAGE_OF_SET, /* argument: code page */
	W_UNICODE,
	W_UNICODE_SKIP,
	W_BINARY,
	W_LIST_CHOICE, /* number of the chosen entry */
	W_LIST_DEFAULT,
	W_HIDDEN, /* text marked as deleted */
	W_BOLD,
	W_YEAR,
	W_MONTH,
	W_DAY,
	W_HOUR,
	W_MINUTE,
} RtfWord;

typedef struct {
	const char *name;
	RtfWord word;
	unsigned argument;
} WordEntry;

/* NULL: not in the list. */
const WordEntry *word_find(const char *name, size_t length);
