/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html-charset.h - the charset that an HTML or XHTML file declares */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Returns the charset in an XML declaration or a meta element at the beginning; NULL: none. The
 * caller frees it. */
char *declared_charset(const uint8_t *data, size_t size);
