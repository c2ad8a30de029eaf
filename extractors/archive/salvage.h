/* SPDX-License-Identifier: GPL-3.0-or-later */
/* salvage.h - salvages the readable beginning of a damaged or truncated gzip file
 *
 * The library delivers unpacked data in pieces of 64 KiB, and never the piece with the damage. In a
 * short file that piece is everything. */
#pragma once
#include "extractors/shared/extractor.h"

/* Returns the bytes that can be unpacked before the damage, at most max, counted with
 * sink_unpacked(). NULL: it is not gzip, or there are no such bytes. */
GByteArray *salvage_gzip(const Input *in, Sink *sink, size_t max);
