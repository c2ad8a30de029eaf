/* SPDX-License-Identifier: GPL-3.0-or-later */
/* charset-asian.h - charsets of East Asia that detectors do not recognize reliably
 *
 * Seven-bit charsets look like ASCII except for their escapes (ISO 2022; RFC 1468, 1557, 1922; HZ:
 * RFC 1843). Program text and terminal output contain escapes too. Therefore the escapes must be
 * complete, and the text between them must be valid in the charset. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns a label for charset_find() if the text is in a seven-bit charset, or NULL for plain
 * ASCII. */
const char *looks_escaped(const uint8_t *data, size_t size);

/* True if an escape names a set to shift to: then SO and SI are not controls. */
bool names_shifted_set(const uint8_t *data, size_t size);

/* True for Korean in the combining form (Johab) of KS C 5601-1992, recognized by its most common
 * syllables. */
bool looks_johab(const uint8_t *data, size_t size);

/* True for a few words of Japanese in EUC, such as the text of a button, which are nearly all
 * kana. */
bool looks_kana(const uint8_t *data, size_t size);
