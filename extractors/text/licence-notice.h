/* SPDX-License-Identifier: GPL-3.0-or-later */
/* licence-notice.h - the licence notice at the head of source code: the same in thousands of files
 */
#pragma once
#include <stddef.h>

/* Bytes of the comments that the text begins with, to the last that speaks of licence or copyright;
 * 0: there is none, or nothing follows it. Comments of C (also one per line), and those that begin
 * with "#", "--", ";", "%" or "dnl". At most 200 lines. */
size_t notice_length(const char *text, size_t length);
