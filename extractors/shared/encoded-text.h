/* SPDX-License-Identifier: GPL-3.0-or-later */
/* encoded-text.h - finds bytes encoded as text: a key, a picture or a program inside a text file
 *
 * Nobody searches for the 76 letters of such a line, but in the index each line would be a word: a
 * picture of 500 KB would take as much space there as two novels. */
#pragma once
#include <stddef.h>

/* Returns the length of the encoded data that begins at this line, up to the end of its last line;
 * 0: none begins here. Base64 (RFC 4648, section 4) is recognized by 8 or more full lines of one
 * length from 60 to 80 and a shorter one; the first 8 must mix capitals, small letters and digits
 * like encoded bytes. Uuencode (POSIX) is recognized by 8 or more full lines. *lines_r receives the
 * number of lines. */
size_t encoded_length(const char *text, size_t length, unsigned *lines_r);

/* Returns the length of the Base64 without line ends that begins here; 0: none begins here. It is
 * recognized by 256 or more of its characters in sequence, which mix capitals, small letters and
 * digits like encoded bytes. */
size_t encoded_run(const char *text, size_t length);
