/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mail-header.h - decodes the values of mail headers to UTF-8
 *
 * GMime decodes them with iconv, which cannot load its tables in the sandbox; decode_text() is used
 * here instead. All functions take the raw bytes of a value, folded or not. All results are valid
 * UTF-8 without line breaks; the caller frees them. */
#pragma once
#include <glib.h>

/* Decodes unstructured text: encoded words (RFC 2047), and raw 8-bit text in a detected charset. */
char *header_text(const char *raw);
/* Returns a parameter ("filename") of a structured value, joined and decoded (RFC 2231, and encoded
 * words, which many programs write there). NULL: there is none. */
char *header_parameter(const char *raw, const char *name);
/* Splits an address list at its commas, outside of quotes and angle brackets. Each item is decoded
 * like header_text(). Free it with g_strfreev(). */
char **header_addresses(const char *raw);
