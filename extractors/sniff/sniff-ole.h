/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sniff-ole.h - the type of a compound file (MS-CFB) */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Tells the type by the names of the streams in the root. The result is static; NULL: it is no
 * compound file. */
const char *sniff_ole_type(const uint8_t *data, size_t size);
