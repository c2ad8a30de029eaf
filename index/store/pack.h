/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pack.h - a Document as bytes, for the text cache
 *
 * Format: a version byte, then fields in a fixed order. Numbers are unsigned LEB128; a string is
 * its length and its bytes (length 0: NULL where NULL is allowed). Reading checks every length and
 * everything that document.h promises, so a damaged file yields NULL, never a malformed Document.
 */
#pragma once
#include "common/base/document.h"

GByteArray *pack_document(const Document *doc);
/* Returns NULL if the bytes are not a packed document. */
Document *unpack_document(const uint8_t *bytes, size_t length);
