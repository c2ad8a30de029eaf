/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mail-header.h - values of mail headers as UTF-8
 *
 * GMime decodes them by iconv, which cannot load its tables in the sandbox; here decode_text()
 * does. All take the raw value, folded or not, in whatever bytes; all results are valid UTF-8
 * without line breaks, and yours. */
#pragma once
#include <glib.h>

/* Unstructured text: encoded words (RFC 2047), raw 8-bit text in a charset that is guessed. */
char *header_text(const char *raw);
/* A parameter ("filename") of a structured value, joined and decoded (RFC 2231; also the encoded
 * words that many programs write there). NULL: there is none. */
char *header_parameter(const char *raw, const char *name);
/* Splits an address list at its commas, outside of quotes and angle brackets; each item is text as
 * above. */
char **header_addresses(const char *raw);
