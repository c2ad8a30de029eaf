/* SPDX-License-Identifier: GPL-3.0-or-later */
/* charset.h - decodes the charsets that files really use, without access to a file system
 *
 * iconv_open() loads modules from the disk, which the sandbox forbids. Therefore single-byte
 * charsets are constant tables, made at build time from what iconv knows (charset-table.h). Other
 * charsets keep an iconv descriptor that is opened before the sandbox closes. Unicode encodings are
 * decoded here. If a label is used loosely in practice, it is matched as the Encoding Standard of
 * the WHATWG says (iso-8859-1 means windows-1252, gb2312 means gb18030). All other labels of iconv
 * are known too. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Charset Charset;

/* Call it once, in the process that forks the children, before the sandbox closes. rare: with the
 * charsets that hardly any file has, which are most of those that need iconv. */
void charset_preload(bool rare);
/* True if charset_find() did not find a charset since the last call because it was left out. A
 * process that has all of them converts the text correctly. */
bool charset_was_missing(void);

/* Finds a charset by any of its labels, without case and punctuation. NULL: it is unknown or not
 * available here. */
const Charset *charset_find(const char *label);
/* Returns the preferred MIME name, which is static. */
const char *charset_name(const Charset *charset);

/* True for one byte a character: then nearly every byte sequence is valid. */
bool charset_is_single(const Charset *charset);

/* Appends data in UTF-8; each invalid sequence becomes U+FFFD, and NUL a space. Returns the number
 * of invalid sequences. If out is NULL, the bytes are only checked, up to the first invalid
 * sequence. */
size_t charset_decode(const Charset *charset, const uint8_t *data, size_t size, GString *out);
