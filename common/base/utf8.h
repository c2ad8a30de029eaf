/* SPDX-License-Identifier: GPL-3.0-or-later */
/* utf8.h - checking UTF-8 at the speed of memory where it is ASCII
 *
 * Text is checked where it is decoded, where it leaves the sandbox and where it is received; most
 * of it is ASCII, which is looked at eight bytes at a time. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* Length of the valid beginning without NUL (RFC 3629, as g_utf8_validate_len); length: all of it.
 */
size_t utf8_valid_prefix(const char *text, size_t length);

static inline bool utf8_is_valid(const char *text, size_t length)
{
	return utf8_valid_prefix(text, length) == length;
}

/* No control characters but tab and newline. Says nothing of what is not ASCII. */
bool utf8_has_no_controls(const char *text, size_t length);
