/* SPDX-License-Identifier: GPL-3.0-or-later */
/* charset-asian.h - charsets of East Asia that detectors do not know or do not tell safely
 *
 * Those of seven bits look like ASCII but for their escapes (ISO 2022; RFC 1468, 1557, 1922; HZ:
 * RFC 1843). What programmers and terminals write must not pass for them: the escapes have to be
 * whole, and between them has to stand what the charset allows there. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A label for charset_find() of what is written in seven bits, NULL: plain ASCII. */
const char *looks_escaped(const uint8_t *data, size_t size);

/* Shifts between its sets (SO and SI) are no controls then: it names a set to shift to. */
bool names_shifted_set(const uint8_t *data, size_t size);

/* Korean in KS C 5601-1992's composed form, by its commonest syllables. */
bool looks_johab(const uint8_t *data, size_t size);

/* Japanese in EUC of a few words, as on a button: hardly anything but kana. */
bool looks_kana(const uint8_t *data, size_t size);
