/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inflate64.h - Deflate64, the way of compression 9 of zip, which the library for archives does not
 * know
 *
 * As RFC 1951, but for this (APPNOTE.TXT of zip, 4.4.5, names it; the differences as files of 7-Zip
 * show them): copies reach 64 KiB back by two more codes for distances, and the last code of a
 * length has 16 more bits. */
#pragma once
#include "extractors/shared/bytes.h"
#include <stdbool.h>

/* Appends at most max bytes to out. False: it is damaged, cut, or longer; out has what came before.
 */
bool inflate64(Bytes packed, size_t max, GByteArray *out);
