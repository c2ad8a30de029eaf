/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xmlentity.h - entities of XML that need no other: names of HTML and what a document declares
 *
 * The parser gets no entity to expand, so that none can grow. What a document declares for itself
 * as plain text (XML 1.0, 4.2) and the letters that HTML names (DocBook and TEI know them from
 * files that are not loaded) are written in before it reads. A value that refers to others is left
 * out. */
#pragma once
#include <stddef.h>

/* The text with such references replaced, at most 1 MiB longer; NULL: there are none. In UTF-8 or
 * another charset that has ASCII in it. Yours. */
char *xml_entities_replaced(const char *data, size_t size, size_t *length_r);
