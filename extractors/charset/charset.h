/* SPDX-License-Identifier: GPL-3.0-or-later */
/* charset.h - decoders for the charsets that files really use, without a file system
 *
 * iconv_open() loads modules from disk, which the sandbox forbids. So charsets of one byte a
 * character are constant tables, made of what iconv knew at build time (charset-table.h); the
 * others keep an iconv descriptor that is opened before the sandbox closes. Unicode forms are
 * decoded here. Labels are matched as the Encoding Standard of the WHATWG does where a label is
 * used loosely in practice (iso-8859-1 means windows-1252, gb2312 means gb18030); beyond those
 * every label of iconv is known. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Charset Charset;

/* Once, in the process that forks the children, before the sandbox closes. */
void charset_preload(void);

/* By any of its labels, in any case and punctuation; NULL: unknown or not available here. */
const Charset *charset_find(const char *label);
/* The preferred MIME name, static. */
const char *charset_name(const Charset *charset);

/* One byte a character: then nearly every sequence of bytes is valid. */
bool charset_is_single(const Charset *charset);

/* Appends the UTF-8 of data; each bad sequence becomes U+FFFD, NUL a space. Returns how many were
 * bad. With out NULL nothing is written: the bytes are only checked, up to the first bad sequence.
 */
size_t charset_decode(const Charset *charset, const uint8_t *data, size_t size, GString *out);
