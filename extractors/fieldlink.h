/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fieldlink.h - links that Word and its likes write as fields: HYPERLINK "address" \l "place"
 * (ECMA-376 part 1, 17.16.5.25)
 *
 * The instruction of a field is UTF-8 text; fields in it have been replaced by their results. */
#pragma once
#include <glib.h>

enum { FIELD_LINK_BYTES = 4 << 10 /* longer instructions are not of interest */ };

/* The target as a browser would see it, "address#place". NULL: the field is no link, or has no
 * target. Yours. */
char *field_link(const char *instruction);
/* Appends to an instruction what fits in it. */
void field_link_add(GString *instruction, const char *text, size_t length);
