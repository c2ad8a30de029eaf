/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xml-html.h - HTML that data has as text, in CDATA or with its signs escaped
 *
 * Tags and references come in pieces. Only tags of HTML in small letters are left out:
 * "List<String>" is text. */
#pragma once
#include "extractors/shared/extractor.h"
#include <glib.h>

/* Appends the text without tags, and with references resolved. held: what may become a tag or a
 * reference; it stays for the next piece. Addresses of links go to the sink. */
void xml_html_add(Sink *sink, GString *held, GString *out, const char *text, size_t length);
