/* SPDX-License-Identifier: GPL-3.0-or-later */
/* charset-shape.h - chooses among related charsets the one in which the bytes form words
 *
 * Detectors judge by how often letters follow each other, and they know neither the code pages of
 * DOS nor those of the old Macintosh. In a wrong charset, accented letters become signs or capitals
 * within words. */
#pragma once
#include "extractors/charset/charset.h"

/* Returns guess, or a related charset that fits the words better. Without a guess every charset is
 * tried. */
const Charset *charset_likelier(const Charset *guess, const uint8_t *data, size_t size);

/* Returns the charset of these names (NULL-terminated, the usual ones first) that fits the words
 * best. guess competes too; it may be NULL. NULL: none of them is available. */
const Charset *charset_likeliest(
        const char *const *names, const Charset *guess, const uint8_t *data, size_t size);

/* Returns "utf-16le", "utf-16be", or NULL. Recognizes text of any script in UTF-16 without a
 * byte-order mark by its first kB: nearly all units are characters in use, but not with the bytes
 * swapped. */
const char *looks_utf16(const uint8_t *data, size_t size);

/* Does the same for UTF-32. */
const char *looks_utf32(const uint8_t *data, size_t size);

/* True for text in EBCDIC, as IBM mainframes write it: its letters, digits, spaces and line ends
 * have codes that are controls or invalid in ASCII, and nearly all bytes are of these. */
bool looks_ebcdic(const uint8_t *data, size_t size);

/* True for mark-up in EBCDIC that begins with "<?xml", or with "<html" or "<!doc" in any case. */
bool starts_ebcdic_xml(const uint8_t *data, size_t size);
bool starts_ebcdic_html(const uint8_t *data, size_t size);
