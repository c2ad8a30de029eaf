/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inflate.h - unpacks a deflate stream in memory: bare, or in the frame of zlib or gzip */
#pragma once
#include "extractors/shared/bytes.h"
#include "extractors/shared/extractor.h"
#include <gio/gio.h>

/* Appends what the stream unpacks to. Stops after max bytes, which may be exceeded by less than
 * 4 KiB, at an error, and at the limit of the sink for unpacked bytes (sink may be NULL). True if
 * the stream is complete. */
bool inflate_append(
        GZlibCompressorFormat format, Bytes packed, size_t max, Sink *sink, GByteArray *out);
