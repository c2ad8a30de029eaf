/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/archive/salvage.h"
#include "extractors/shared/inflate.h"
#include <string.h>

GByteArray *salvage_gzip(const Input *in, Sink *sink, size_t max)
{
	if (in->size < 2 || memcmp(in->data, "\x1f\x8b", 2) != 0)
		return NULL;
	GByteArray *bytes = g_byte_array_new();
	inflate_append(
	        G_ZLIB_COMPRESSOR_FORMAT_GZIP, (Bytes){in->data, in->size}, max, sink, bytes);
	if (bytes->len > 0)
		return bytes;
	g_byte_array_unref(bytes);
	return NULL;
}
