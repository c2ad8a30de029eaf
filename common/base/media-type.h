/* SPDX-License-Identifier: GPL-3.0-or-later */
/* media-type.h - the value of Content-Type */
#pragma once
#include <stdbool.h>

enum { MEDIA_TYPE_BYTES = 127 };

/* True for "type/subtype" of at most MEDIA_TYPE_BYTES, with the characters that RFC 6838 (section
 * 4.2) allows, and without parameters. False for NULL. */
bool media_type_is_valid(const char *type);

/* The charset that it names, at most 39 bytes; NULL: none, or media_type is NULL. The caller frees
 * it. */
char *media_charset(const char *media_type);
