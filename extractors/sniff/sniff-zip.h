/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sniff-zip.h - what a ZIP archive really is
 *
 * ODF and EPUB store a first member "mimetype" (ODF 1.3 part 2, 3.3); OOXML is told by the names in
 * the central directory (ECMA-376 part 2). Sources: APPNOTE.TXT 6.3.9, 4.3. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Static string. data begins with a local file header. */
const char *sniff_zip_type(const uint8_t *data, size_t size, const char *name);
/* Of an encrypted package, which only its name tells (MS-OFFCRYPTO). Static;
 * "application/encrypted" where that tells nothing. */
const char *sniff_sealed_type(const char *name);
