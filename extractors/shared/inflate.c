/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/shared/inflate.h"

bool inflate_append(
        GZlibCompressorFormat format, Bytes packed, size_t max, Sink *sink, GByteArray *out)
{
	g_autoptr(GZlibDecompressor) decompressor = g_zlib_decompressor_new(format);
	GConverterResult result = G_CONVERTER_CONVERTED;
	uint8_t piece[4 << 10];

	while (result == G_CONVERTER_CONVERTED && out->len < max) {
		gsize read = 0, written = 0;
		result = g_converter_convert(G_CONVERTER(decompressor), packed.data, packed.size,
		        piece, sizeof piece, G_CONVERTER_INPUT_AT_END, &read, &written, NULL);
		if (result == G_CONVERTER_ERROR || (sink && !sink_unpacked(sink, written)))
			return false;
		g_byte_array_append(out, piece, written);
		packed = (Bytes){packed.data + read, packed.size - read};
	}
	return result == G_CONVERTER_FINISHED;
}
