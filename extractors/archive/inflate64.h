/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inflate64.h - Deflate64, compression method 9 of zip, which libarchive does not support
 *
 * The format is that of RFC 1951 with two differences: copies reach 64 KiB back because there are
 * two more distance codes, and the last length code has 16 extra bits. APPNOTE.TXT of zip, 4.4.5,
 * only names the method; the differences were found in files of 7-Zip. */
#pragma once
#include "extractors/shared/bytes.h"
#include <stdbool.h>

/* Appends at most max bytes to out. False: the data are damaged, cut, or longer; out has the bytes
 * before that. */
bool inflate64(Bytes packed, size_t max, GByteArray *out);
