/* SPDX-License-Identifier: GPL-3.0-or-later */
/* browse-html.h - text from outside as HTML
 *
 * Only these functions put text that is not of this program into a page. They escape what HTML
 * would read, and leave out or show what controls, hides or turns around text. */
#pragma once
#include <glib.h>
#include <stdbool.h>

/* Appends text, also within a value in quotes. Bytes that are not UTF-8 become U+FFFD. */
void html_text(GString *out, const char *text);
/* The same for a part of it. */
void html_text_part(GString *out, const char *text, size_t length);
/* Appends a path or another name, exactly: what cannot be seen is written as an escape. */
void html_name(GString *out, const char *bytes);
/* Does html_text() show it so that who types it, or sends it back from a field, has the same bytes?
 */
bool html_is_exact(const char *bytes);
/* Appends a value for the query of a URL: percent escapes for all but unreserved characters
 * (RFC 3986). */
void html_query(GString *out, const char *text);
/* Appends <input type="hidden">. */
void html_hidden(GString *out, const char *name, const char *value);
/* Appends text with <mark> around the ranges of bytes in marks: pairs of uint32_t that ascend and
 * do not overlap; what does not fit into the text is left out. */
void html_marked(GString *out, const char *text, const GArray *marks);

/* The beginning of every page, up to <body>. title: text. */
void html_begin(GString *out, const char *title);
