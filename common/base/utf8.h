/* SPDX-License-Identifier: GPL-3.0-or-later */
/* utf8.h - fast validation of UTF-8
 *
 * Text is validated where it is decoded, where it leaves the sandbox, and where it is received.
 * Most of it is ASCII, which is checked eight bytes at a time. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* The length of the longest valid prefix without NUL (RFC 3629, like g_utf8_validate_len()). It
 * equals length if the whole text is valid. */
size_t utf8_valid_prefix(const char *text, size_t length);

static inline bool utf8_is_valid(const char *text, size_t length)
{
	return utf8_valid_prefix(text, length) == length;
}

/* True if tab and newline are the only ASCII control characters. Bytes from 0x80 on are not
 * checked. */
bool utf8_has_no_controls(const char *text, size_t length);
