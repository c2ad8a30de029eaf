/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stream-zlib.c - a bare zlib stream (RFC 1950), which libarchive reads only inside gzip and zip */
#include <config.h>
#include "extractors/archive/stream.h"
#include <gio/gio.h>

static void *zlib_begin(void)
{
	return g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_ZLIB);
}

static StreamState zlib_read(void *decoder, Bytes *packed, uint8_t *piece, size_t *size_r)
{
	gsize read = 0, written = 0;
	GConverterResult result = g_converter_convert(decoder, packed->data, packed->size, piece,
	        STREAM_PIECE_BYTES, G_CONVERTER_INPUT_AT_END, &read, &written, NULL);
	if (result == G_CONVERTER_ERROR)
		return STREAM_DAMAGED;
	*packed = (Bytes){packed->data + read, packed->size - read};
	*size_r = written;
	return result == G_CONVERTER_FINISHED ? STREAM_ENDED : STREAM_GOES_ON;
}

const StreamFilter stream_zlib = {"application/zlib", zlib_begin, g_object_unref, zlib_read};
