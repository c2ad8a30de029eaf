/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xml-data.h - tells XML that is data, settings or code from documents
 *
 * Of a document, people remember the text; of a project file, a form or bookmarks they also
 * remember a package, a class or an address that an attribute has, and the names of elements. These
 * repeat, so each is text once. */
#pragma once
#include <glib.h>
#include <stdbool.h>

/* Does this root element begin a document of a known vocabulary, whose names and short attributes
 * are markup? */
bool xml_is_document(const char *root);
bool xml_has_letter(const char *text, size_t length);
/* True if the text has a letter and was not seen before. seen: a set of strings that the caller
 * owns. It grows up to 4,096; after that, nothing is new. text: UTF-8. */
bool xml_is_new(GHashTable *seen, const char *text, size_t length);
