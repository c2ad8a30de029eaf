/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sniff-ole.h - what a compound file (MS-CFB) holds */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* By the names of the streams in its root. Static; NULL if it is no compound file. */
const char *sniff_ole_type(const uint8_t *data, size_t size);
