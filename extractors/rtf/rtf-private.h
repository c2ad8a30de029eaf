/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rtf-private.h - the state of reading an RTF file, shared by rtf.c, rtf-group.c and rtf-text.c */
#pragma once
#include "extractors/shared/flow.h"
#include "extractors/rtf/rtf-facts.h"
#include "extractors/rtf/rtf-fonts.h"
#include "extractors/rtf/rtf-objects.h"

typedef enum {
	INTO_TEXT,
	INTO_NOTHING,
	INTO_FACT,
	INTO_PROPERTY_NAME, /* of a shape */
	INTO_PROPERTY,
	INTO_INSTRUCTION, /* of a field */
	INTO_FONTS,
	INTO_STYLES,
	INTO_INFO,
	INTO_OBJECT, /* an embedded object, in hexadecimal */
	INTO_FORM_FIELD,
	INTO_LIST_ENTRY,
} RtfInto;

enum { NO_CHOICE = 25 }; /* number that says that the reader of a form chose nothing */

typedef struct {
	RtfInto into;
	/* starred: an unknown destination word makes the group ignored */
	bool inset, hidden, starred;
	bool box; /* an inset of several paragraphs */
	bool link; /* the result of a field that is a link */
	bool repeated; /* it repeats earlier content */
	bool two_forms; /* its first group repeats the second one */
	bool fresh; /* the group is still empty */
	unsigned page; /* code page of characters, 0: that of the font */
	int font;
	uint8_t unicode_skip;
	int field; /* DocField of a fact, or -1 */
} RtfGroup;

typedef struct {
	Sink *sink;
	Flow flow;
	const uint8_t *at, *end;
	Fonts *fonts;
	GHashTable *headings; /* style -> level + 1 */
	GArray *groups; /* RtfGroup */
	RtfGroup now;
	GString *bytes; /* 8-bit text, in the charset of bytes_font */
	GString *fact, *decoded; /* fact: or a property of a shape, or an entry of a list */
	GString *instruction; /* instruction of a field */
	char *href; /* target of the link whose text follows, if it is in the group at this level */
	guint href_level;
	bool silent; /* the result of the field at that level is not shown */
	bool described; /* the next property is the shape's description */
	Date date;
	int skip; /* characters to skip as fallback of a Unicode character */
	/* of the drop-down list: the chosen entry, or NO_CHOICE, and the next entry */
	long list_choice, list_entry;
	gunichar high; /* first half of a surrogate pair */
	int style; /* the style being defined */
	int level; /* paragraph level: 0 body, 1..9 heading */
	int table_font;
	Objects *objects;
	int default_font;
} Rtf;

/* ---- rtf-text.c */

/* Adds a byte of the text, in the charset of its font. */
void rtf_put_byte(Rtf *rtf, uint8_t byte);
void rtf_put_char(Rtf *rtf, gunichar c);
void rtf_put_utf8(Rtf *rtf, const char *text, size_t length);
/* Adds the character of \u, which may be half of a surrogate pair. */
void rtf_put_unicode(Rtf *rtf, long number);
/* Decodes the bytes that are collected. To be called before their charset or destination
 * changes. */
void rtf_flush(Rtf *rtf);
/* Returns the tag of the current paragraph, by its level. */
DocTag rtf_paragraph_tag(const Rtf *rtf);
/* Ends a paragraph; the next block has this tag. */
void rtf_end_block(Rtf *rtf, DocTag tag);

/* ---- rtf-group.c */

void rtf_open_group(Rtf *rtf);
void rtf_close_group(Rtf *rtf);
/* Make the group a destination, if it may be one. */
void rtf_begin_instruction(Rtf *rtf);
void rtf_begin_result(Rtf *rtf);
void rtf_begin_object(Rtf *rtf);
void rtf_begin_inset(Rtf *rtf, DocTag tag);
void rtf_begin_form_field(Rtf *rtf);
void rtf_begin_list_entry(Rtf *rtf);
void rtf_begin_box(Rtf *rtf);
/* into: INTO_PROPERTY_NAME or INTO_PROPERTY. */
void rtf_begin_property(Rtf *rtf, RtfInto into);
