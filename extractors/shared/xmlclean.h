/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xmlclean.h - mends XML that programs have put together from texts
 *
 * Feeds and sitemaps often have addresses with a bare "&" (?a=1&b=2), which an XML parser drops
 * with the name behind it. */
#pragma once
#include <stddef.h>

/* Returns a copy of XML in a charset that contains ASCII: without controls, and with each "&" that
 * begins no reference escaped. The caller frees it. */
char *xml_clean(const char *data, size_t size, size_t *length_r);
/* Moves the beginning of a text past a byte order mark of UTF-8 and white space. */
void xml_skip_blank(const char **data, size_t *size);
