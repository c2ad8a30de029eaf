/* SPDX-License-Identifier: GPL-3.0-or-later */
/* charset-shape.h - which of several related charsets makes words of the bytes
 *
 * Detectors go by how often letters follow each other, and know neither the code pages of DOS nor
 * those of the old Macintosh. In the wrong one of two charsets, accented letters become signs or
 * capitals inside of words. */
#pragma once
#include "extractors/charset/charset.h"

/* guess, or a related charset that fits the words better; without a guess, one of all. */
const Charset *charset_likelier(const Charset *guess, const uint8_t *data, size_t size);

/* "utf-16le", "utf-16be", or NULL: text of any script in UTF-16 without a mark, by its first kB:
 * nearly all units are characters in use, which with the bytes the other way round they are not. */
const char *looks_utf16(const uint8_t *data, size_t size);

/* The same of UTF-32. */
const char *looks_utf32(const uint8_t *data, size_t size);

/* Text in EBCDIC, as IBM's mainframes write it: its letters, digits, spaces and ends of lines lie
 * where ASCII has controls, and nearly all bytes are of these. */
bool looks_ebcdic(const uint8_t *data, size_t size);

/* Mark-up in EBCDIC, by its very beginning: "<?xml", or "<html" or "<!doc" in any case. */
bool starts_ebcdic_xml(const uint8_t *data, size_t size);
bool starts_ebcdic_html(const uint8_t *data, size_t size);
