/* SPDX-License-Identifier: GPL-3.0-or-later */
/* encoded-text.h - bytes written as text: a key, a picture or a program inside a text file
 *
 * Nobody looks for the 76 letters of such a line, but each is a word of its own to the index: a
 * picture of 500 KB would cost as much there as two novels. */
#pragma once
#include <stddef.h>

/* Bytes of the encoded data that begins at this line, to the end of its last line; 0: none does.
 * Base64 (RFC 4648, section 4): 8 full lines or more, of one length from 60 to 80, the first 8 of
 * which mix capitals, small letters and digits as bytes do, and a shorter one. Uuencode (POSIX): 8
 * full lines or more. *lines_r gets the number of lines. */
size_t encoded_length(const char *text, size_t length, unsigned *lines_r);
