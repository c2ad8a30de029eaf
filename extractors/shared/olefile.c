/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/shared/olefile.h"
#include <gsf/gsf-infile-msole.h>
#include <gsf/gsf-input-memory.h>
#include <gsf/gsf-utils.h>
#include <string.h>

enum { STREAM_BYTES = 256 << 20 /* longer ones are cut */, MAX_CHILDREN = 4096 };

bool ole_is(const Input *in)
{
	return in->size >= 8 && memcmp(in->data, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 8) == 0;
}

GsfInfile *ole_open(const Input *in, GError **error)
{
	GsfInput *memory = gsf_input_memory_new(in->data, in->size, FALSE);
	GsfInfile *root = gsf_infile_msole_new(memory, error);
	g_object_unref(memory);
	return root;
}

/* The format ignores the case of stream names, and some programs write them in capitals. */
GsfInput *ole_child(GsfInfile *storage, const char *name)
{
	GsfInput *child = gsf_infile_child_by_name(storage, name);
	int count = child ? 0 : MIN(gsf_infile_num_children(storage), MAX_CHILDREN);
	for (int i = 0; i < count; i++) {
		const char *other = gsf_infile_name_by_index(storage, i);
		if (other && g_ascii_strcasecmp(other, name) == 0)
			return gsf_infile_child_by_index(storage, i);
	}
	return child;
}

Bytes ole_stream(GsfInfile *storage, const char *name)
{
	Bytes bytes = {NULL, 0};
	GsfInput *input = ole_child(storage, name);
	if (!input)
		return bytes;
	gsf_off_t size = MIN(gsf_input_size(input), (gsf_off_t)STREAM_BYTES);
	uint8_t *data = size > 0 ? g_try_malloc(size) : NULL;
	if (data && gsf_input_read(input, size, data))
		bytes = (Bytes){g_steal_pointer(&data), size};
	g_free(data);
	g_object_unref(input);
	return bytes;
}

GsfInfile *ole_storage(GsfInfile *storage, const char *name)
{
	GsfInput *input = gsf_infile_child_by_name(storage, name);
	if (!input || GSF_IS_INFILE(input))
		return input ? GSF_INFILE(input) : NULL;
	g_object_unref(input);
	return NULL;
}

/* libgsf reports damage in a file as its caller's mistake. */
static void ignore_log(const char *domain, GLogLevelFlags level, const char *message, void *data)
{
}

void ole_preload(void)
{
	gsf_init();
	g_log_set_handler("libgsf:msole", G_LOG_LEVEL_MASK, ignore_log, NULL);
	/* registers the class before the sandbox */
	g_type_class_unref(g_type_class_ref(GSF_INFILE_MSOLE_TYPE));
}
