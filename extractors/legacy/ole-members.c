/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ole-members.c - documents embedded in old Office documents */
#include <config.h>
#include "extractors/legacy/legacy.h"
#include "extractors/shared/oleobject.h"
#include <gio/gio.h>

enum { CHUNK_BYTES = 64 << 10 };

bool unpack_zlib(Ole *ole, Bytes in, bool raw, GByteArray *out)
{
	g_autofree uint8_t *chunk = g_malloc(CHUNK_BYTES);
	GConverter *converter = G_CONVERTER(g_zlib_decompressor_new(
	        raw ? G_ZLIB_COMPRESSOR_FORMAT_RAW : G_ZLIB_COMPRESSOR_FORMAT_ZLIB));
	GConverterResult result = G_CONVERTER_CONVERTED;
	size_t at = 0, read, written;
	while (result == G_CONVERTER_CONVERTED) {
		result = g_converter_convert(converter, in.data + at, in.size - at, chunk,
		        CHUNK_BYTES, G_CONVERTER_INPUT_AT_END, &read, &written, NULL);
		if (result == G_CONVERTER_ERROR || !sink_unpacked(ole->sink, written))
			break;
		at += read;
		g_byte_array_append(out, chunk, written);
	}
	g_object_unref(converter);
	return result == G_CONVERTER_FINISHED;
}

void objects_read(Ole *ole, const char *storage, const char *prefix)
{
	GsfInfile *pool = storage ? ole_storage(ole->root, storage) : g_object_ref(ole->root);
	if (!pool)
		return;
	flow_block(&ole->flow, TAG_BODY);
	if (!ole->flow.full && !ole_object_send_all(ole->sink, pool, prefix))
		ole->flow.full = true;
	g_object_unref(pool);
}
