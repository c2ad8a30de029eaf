/* SPDX-License-Identifier: GPL-3.0-or-later */
/* licence-notice.h - finds the licence notice at the beginning of source code: the same text is in
 * thousands of files */
#pragma once
#include <stddef.h>

/* Returns the length of the comments at the beginning of the text, up to the last one that mentions
 * a licence or copyright; 0: there is none, or nothing follows it. Recognizes comments of C, also
 * one for each line, and lines that begin with "#", "--", ";", "%" or "dnl". At most 200 lines are
 * read. */
size_t notice_length(const char *text, size_t length);
