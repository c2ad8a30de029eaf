/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pack.h - a Document as bytes, for the text cache
 *
 * Form: u8 version, then fields in a fixed order; numbers are unsigned LEB128, strings are a length
 * and bytes (length 0: NULL where NULL is allowed). Reading checks every length and all that
 * document.h promises, so a damaged file gives NULL, never a bad Document. */
#pragma once
#include "common/base/document.h"

GByteArray *pack_document(const Document *doc);
/* NULL if the bytes are not a packed document. */
Document *unpack_document(const uint8_t *bytes, size_t length);
