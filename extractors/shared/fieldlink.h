/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fieldlink.h - links that Word and RTF write as fields: HYPERLINK "address" \l "place" (ECMA-376
 * part 1, 17.16.5.25)
 *
 * The instruction of a field is UTF-8 text in which nested fields are replaced by their results. */
#pragma once
#include "extractors/shared/fieldtext.h"
#include <glib.h>
#include <stdbool.h>

enum { FIELD_LINK_BYTES = 4 << 10 /* longer instructions are cut */ };

/* Returns the target as a browser would resolve it, "address#place". NULL: the field is not a link
 * or has no target. The caller frees it. */
char *field_link(const char *instruction);
/* Appends to an instruction as long as it stays within FIELD_LINK_BYTES. */
void field_link_add(GString *instruction, const char *text, size_t length);

/* The open fields of a document that is read in order. A field begins with its instruction; a
 * separator mark ends the instruction and begins the result. */
typedef struct {
	GArray *open; /* bool for each open field: its instruction is being read */
	/* number of open fields whose instruction is being read; 0: text is visible */
	guint hidden;
	guint link; /* depth of the field whose result is a link, from 1; 0: none */
	guint silent; /* depth of the field whose result is not shown, from 1; 0: none */
	GString *instruction; /* of the outermost field whose instruction is being read */
} Fields;

void fields_init(Fields *fields);
void fields_clear(Fields *fields);
void fields_begin(Fields *fields);
/* Adds text of an instruction. */
void fields_add(Fields *fields, const char *text, size_t length);
/* Returns the text that the instruction of the innermost field shows; call it before
 * fields_separate(). */
FieldText fields_text(const Fields *fields);
/* Ends the instruction of the innermost field; call it before fields_end() too, because a field may
 * have no result. A result that is not shown counts as part of the instruction. Returns the target
 * if a link begins, else NULL. The caller frees it. */
char *fields_separate(Fields *fields);
/* Ends the innermost field. True if the link ends with it. */
bool fields_end(Fields *fields);
