/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/rtf/rtf-objects.h"
#include "extractors/shared/oleobject.h"
#include <stdio.h>

enum { ALL_BYTES = 64 << 20 };

struct Objects {
	GByteArray *bytes; /* all objects, concatenated */
	GArray *starts; /* uint32_t start offset of each object */
	int high; /* first digit of a pair, or -1 */
};

Objects *objects_new(void)
{
	Objects *objects = g_new(Objects, 1);
	*objects = (Objects){g_byte_array_new(), g_array_new(FALSE, FALSE, sizeof(uint32_t)), -1};
	return objects;
}

void objects_free(Objects *objects)
{
	g_byte_array_unref(objects->bytes);
	g_array_unref(objects->starts);
	g_free(objects);
}

void objects_begin(Objects *objects)
{
	uint32_t start = objects->bytes->len;
	g_array_append_val(objects->starts, start);
	objects->high = -1;
}

void objects_digit(Objects *objects, char digit)
{
	int value = g_ascii_xdigit_value(digit);
	if (value < 0 || objects->bytes->len >= ALL_BYTES)
		return;
	uint8_t byte = (objects->high & 0xf) << 4 | value;
	if (objects->high >= 0)
		g_byte_array_append(objects->bytes, &byte, 1);
	objects->high = objects->high < 0 ? value : -1;
}

void objects_send(Objects *objects, Sink *sink)
{
	Bytes all = {objects->bytes->data, objects->bytes->len};
	bool more = true;
	for (guint i = 0; i < objects->starts->len && more; i++) {
		const uint32_t *start = &g_array_index(objects->starts, uint32_t, i);
		size_t end = i + 1 < objects->starts->len ? start[1] : all.size;
		char name[32];
		snprintf(name, sizeof name, "object %u", i + 1);
		more = ole_object_send_old(sink, name, bytes_part(all, *start, end - *start));
	}
}
