/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/archive/salvage.h"
#include <gio/gio.h>
#include <string.h>

enum { PIECE_BYTES = 4 << 10 };

static void salvage_unpack(
        GConverter *converter, const Input *in, Sink *sink, GByteArray *bytes, size_t max)
{
	uint8_t piece[PIECE_BYTES];
	size_t used = 0, read, written;

	while (bytes->len < max) {
		GConverterResult result =
		        g_converter_convert(converter, in->data + used, in->size - used, piece,
		                sizeof piece, G_CONVERTER_NO_FLAGS, &read, &written, NULL);
		if (result == G_CONVERTER_ERROR || !sink_unpacked(sink, written))
			return;
		g_byte_array_append(bytes, piece, written);
		used += read;
		if (result == G_CONVERTER_FINISHED)
			return;
	}
}

GByteArray *salvage_gzip(const Input *in, Sink *sink, size_t max)
{
	if (in->size < 2 || memcmp(in->data, "\x1f\x8b", 2) != 0)
		return NULL;
	g_autoptr(GZlibDecompressor) gzip = g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP);
	GByteArray *bytes = g_byte_array_new();
	salvage_unpack(G_CONVERTER(gzip), in, sink, bytes, max);
	if (bytes->len > 0)
		return bytes;
	g_byte_array_unref(bytes);
	return NULL;
}
