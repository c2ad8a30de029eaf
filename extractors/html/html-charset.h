/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html-charset.h - the charset that an HTML or XHTML file says it is in */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* From an XML declaration or a meta element at the beginning. Yours; NULL: none. */
char *declared_charset(const uint8_t *data, size_t size);
