/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fieldlink.h - links that Word and its likes write as fields: HYPERLINK "address" \l "place"
 * (ECMA-376 part 1, 17.16.5.25)
 *
 * The instruction of a field is UTF-8 text; fields in it have been replaced by their results. */
#pragma once
#include <glib.h>
#include <stdbool.h>

enum { FIELD_LINK_BYTES = 4 << 10 /* longer instructions are not of interest */ };

/* The target as a browser would see it, "address#place". NULL: the field is no link, or has no
 * target. Yours. */
char *field_link(const char *instruction);
/* Appends to an instruction what fits in it. */
void field_link_add(GString *instruction, const char *text, size_t length);

/* The open fields of a document whose marks are met one after the other: each begins with its
 * instruction, which a mark parts from its result. */
typedef struct {
	GArray *open; /* bool of each: it is in its instruction */
	guint hidden; /* how many are; of 0 what comes is text */
	guint link; /* the one whose result is a link, counted from 1; 0: none */
	GString *instruction; /* of the outermost that is in it */
} Fields;

void fields_init(Fields *fields);
void fields_clear(Fields *fields);
void fields_begin(Fields *fields);
/* What comes while fields are hidden. */
void fields_add(Fields *fields, const char *text, size_t length);
/* From instruction to result; also to be called before the end, where a result may be missing. The
 * target if a link begins, else NULL. Yours. */
char *fields_separate(Fields *fields);
/* True if the link ends with the field. */
bool fields_end(Fields *fields);
