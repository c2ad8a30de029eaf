/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sniff-zip.h - the type of document that a ZIP archive contains
 *
 * ODF and EPUB store a first member "mimetype" (ODF 1.3 part 2, 3.3). OOXML is recognized by the
 * names in the central directory (ECMA-376 part 2). Source: APPNOTE.TXT 6.3.9, 4.3. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* data must begin with a local file header. The result is static. */
const char *sniff_zip_type(const uint8_t *data, size_t size, const char *name);
/* Returns the type of an encrypted package (MS-OFFCRYPTO), which only its name tells;
 * "application/encrypted" if the name does not. The result is static. */
const char *sniff_sealed_type(const char *name);
