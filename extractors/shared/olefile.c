/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/shared/olefile.h"
#include <gsf/gsf-infile-msole.h>
#include <gsf/gsf-input-memory.h>
#include <gsf/gsf-utils.h>
#include <string.h>

enum {
	STREAM_BYTES = 256 << 20, /* longer ones are cut */
	MAX_CHILDREN = 4096,
	HEADER_TABLES = 109, /* sectors of the allocation table that the header lists */
};
#define FREE_SECTOR UINT32_C(0xffffffff)

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

/* The number of entries up to the last one that is in use, in the part of the allocation table that
 * this sector has. */
static size_t used_entries(Bytes file, size_t sector, size_t sector_bytes)
{
	size_t n = sector_bytes / 4;
	while (n > 0 && le32(file, (sector + 1) * sector_bytes + 4 * (n - 1)) == FREE_SECTOR)
		n--;
	return n;
}

bool ole_is_cut(const Input *in)
{
	const Bytes file = {in->data, in->size};
	size_t sector_bytes = le16(file, 0x1e) == 12 ? 4096 : 512;
	size_t present = in->size / sector_bytes, tables = le32(file, 0x2c), used = 0;
	size_t in_table = sector_bytes / 4;
	/* The tables beyond those of the header are not looked for: most of a table is in use. */
	if (tables > HEADER_TABLES && (tables - 1) * in_table > present)
		return true;
	for (size_t table = MIN(tables, HEADER_TABLES); table-- > 0 && used == 0;) {
		size_t sector = le32(file, 0x4c + 4 * table);
		if (sector >= present)
			return true;
		size_t entries = used_entries(file, sector, sector_bytes);
		used = entries > 0 ? table * in_table + entries : 0;
	}
	return used > present;
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
