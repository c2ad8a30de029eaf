/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ole-members.c - documents embedded in old Office documents */
#include <config.h>
#include "extractors/legacy/legacy.h"
#include "extractors/shared/inflate.h"
#include "extractors/shared/oleobject.h"

bool unpack_zlib(Ole *ole, Bytes in, bool raw, GByteArray *out)
{
	return inflate_append(raw ? G_ZLIB_COMPRESSOR_FORMAT_RAW : G_ZLIB_COMPRESSOR_FORMAT_ZLIB,
	        in, SIZE_MAX, ole->sink, out);
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
