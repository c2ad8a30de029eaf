/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xmlentity.h - replaces named entities before the XML parser runs
 *
 * The parser expands no entities, so no entity can grow. Entities that a document declares as plain
 * text (XML 1.0, 4.2) and the names of HTML (DocBook and TEI take them from files that are never
 * loaded) are therefore replaced in the text beforehand. A value that refers to other entities is
 * left out. */
#pragma once
#include <stddef.h>

/* Returns the text with references replaced, at most 1 MiB longer; NULL: nothing was replaced. The
 * text is UTF-8 or another charset that contains ASCII. The caller frees it. */
char *xml_entities_replaced(const char *data, size_t size, size_t *length_r);
