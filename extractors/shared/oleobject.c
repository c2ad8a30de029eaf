/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/shared/oleobject.h"
#include <gsf/gsf-input.h>
#include <gsf/gsf-outfile-msole.h>
#include <gsf/gsf-output-memory.h>
#include <string.h>

enum { OBJECT_BYTES = 64 << 20, MAX_OBJECTS = 4096, MAX_DEPTH = 8, CHUNK_BYTES = 64 << 10 };

/* Content without a file name is often no file, but data that the program draws. */
static bool is_file(Bytes bytes)
{
	static const char *const beginnings[] = {
	        "PK\3\4", "%PDF-", "{\\rtf", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"};
	for (size_t i = 0; i < G_N_ELEMENTS(beginnings); i++) {
		size_t length = strlen(beginnings[i]);
		if (bytes.size > length && memcmp(bytes.data, beginnings[i], length) == 0)
			return true;
	}
	return false;
}

static bool oleobject_send(Sink *sink, const char *name, Bytes bytes)
{
	SinkMember member = {.name = name, .data = bytes.data, .size = bytes.size};
	return bytes.size == 0 || sink_member(sink, &member);
}

/* Reads a NUL-terminated text and moves `at` past it. NULL: it has no end. */
static const char *oleobject_take_string(Bytes bytes, size_t *at)
{
	Bytes rest = bytes_part(bytes, *at, SIZE_MAX);
	const uint8_t *end = rest.data ? memchr(rest.data, 0, rest.size) : NULL;
	if (!end)
		return NULL;
	*at += end - rest.data + 1;
	return (const char *)rest.data;
}

/* The last component of a path of any system. */
static const char *oleobject_base_name(const char *path)
{
	const char *slash = strrchr(path, '/'), *backslash = strrchr(path, '\\');
	const char *last = MAX(slash ? slash + 1 : path, backslash ? backslash + 1 : path);
	return last;
}

/* An embedded file: its label, its path, four bytes, the path of a copy with its length, its
 * content. */
static bool oleobject_send_embedded_file(Sink *sink, const char *name, Bytes bytes)
{
	size_t at = 2;
	const char *label = oleobject_take_string(bytes, &at);
	const char *path = label ? oleobject_take_string(bytes, &at) : NULL;
	if (le16(bytes, 0) != 2 || !path)
		return !is_file(bytes) || oleobject_send(sink, name, bytes);
	at += 4;
	uint32_t copy = le32(bytes, at);
	at += 4 + (size_t)copy;
	Bytes file = bytes_part(bytes, at + 4, le32(bytes, at));
	const char *own = oleobject_base_name(*path ? path : label);
	return oleobject_send(sink, *own ? own : name, file);
}

static bool oleobject_has_child(GsfInfile *storage, const char *name)
{
	GsfInput *child = ole_child(storage, name);
	if (child)
		g_object_unref(child);
	return child != NULL;
}

static bool is_document(GsfInfile *storage)
{
	static const char *const streams[] = {"WordDocument", "Workbook", "Book",
	        "PowerPoint Document", "PP97_DUALSTORAGE", "__properties_version1.0",
	        "VisioDocument", "Quill", "BodyText", "EncryptedPackage", "MatOST"};
	for (size_t i = 0; i < G_N_ELEMENTS(streams); i++)
		if (oleobject_has_child(storage, streams[i]))
			return true;
	return false;
}

static bool copy_stream(Sink *sink, GsfInput *from, GsfOutput *to, size_t *budget)
{
	for (gsf_off_t left = gsf_input_size(from); left > 0;) {
		size_t size = MIN(left, CHUNK_BYTES);
		const guint8 *data = size <= *budget ? gsf_input_read(from, size, NULL) : NULL;
		if (!data || !sink_unpacked(sink, size) || !gsf_output_write(to, size, data))
			return false;
		*budget -= size;
		left -= size;
	}
	return true;
}

static bool copy_storage(
        Sink *sink, GsfInfile *from, GsfOutfile *to, unsigned depth, size_t *budget)
{
	bool whole = depth < MAX_DEPTH;
	for (int i = 0; whole && i < MIN(gsf_infile_num_children(from), MAX_OBJECTS); i++) {
		GsfInput *child = gsf_infile_child_by_index(from, i);
		if (!child)
			continue;
		bool is_storage =
		        GSF_IS_INFILE(child) && gsf_infile_num_children(GSF_INFILE(child)) >= 0;
		GsfOutput *copy =
		        gsf_outfile_new_child(to, gsf_infile_name_by_index(from, i), is_storage);
		if (is_storage)
			whole = copy_storage(
			        sink, GSF_INFILE(child), GSF_OUTFILE(copy), depth + 1, budget);
		else
			whole = copy_stream(sink, child, copy, budget);
		gsf_output_close(copy);
		g_object_unref(copy);
		g_object_unref(child);
	}
	return whole;
}

/* Writes a storage as a compound file of its own. */
static bool oleobject_send_storage_copy(Sink *sink, const char *name, GsfInfile *storage)
{
	size_t budget = OBJECT_BYTES;
	GsfOutput *memory = gsf_output_memory_new();
	GsfOutfile *copy = gsf_outfile_msole_new(memory);
	bool whole = copy_storage(sink, storage, copy, 0, &budget), more = true;
	gsf_output_close(GSF_OUTPUT(copy));
	g_object_unref(copy);
	if (whole)
		more = oleobject_send(sink, name,
		        (Bytes){gsf_output_memory_get_bytes(GSF_OUTPUT_MEMORY(memory)),
		                gsf_output_size(memory)});
	g_object_unref(memory);
	return more;
}

/* Sends the document that a storage holds. file: the bytes of the whole compound file, if the
 * storage is its root. */
static bool oleobject_send_document(Sink *sink, const char *name, GsfInfile *storage, Bytes file)
{
	static const char *const wholes[] = {"Package", "EmbeddedOdf", "CONTENTS"};
	if (is_document(storage))
		return file.data ? oleobject_send(sink, name, file)
		                 : oleobject_send_storage_copy(sink, name, storage);
	for (size_t i = 0; i < G_N_ELEMENTS(wholes); i++) {
		if (!oleobject_has_child(storage, wholes[i]))
			continue;
		Bytes bytes = ole_stream(storage, wholes[i]);
		bool more = !is_file(bytes) || oleobject_send(sink, name, bytes);
		g_free((void *)bytes.data);
		return more;
	}
	Bytes native = ole_stream(storage, "\1Ole10Native");
	bool more =
	        oleobject_send_embedded_file(sink, name, bytes_part(native, 4, le32(native, 0)));
	g_free((void *)native.data);
	return more;
}

bool ole_object_send_storage(Sink *sink, const char *name, GsfInfile *storage)
{
	return oleobject_send_document(sink, name, storage, (Bytes){NULL, 0});
}

bool ole_object_send(Sink *sink, const char *name, Bytes object)
{
	Input in = {.data = object.data, .size = object.size, .name = name, .url = ""};
	if (!ole_is(&in))
		return !is_file(object) || oleobject_send(sink, name, object);
	GsfInfile *root = ole_open(&in, NULL);
	if (!root)
		return true;
	bool more = oleobject_send_document(sink, name, root, object);
	g_object_unref(root);
	return more;
}

bool ole_object_send_all(Sink *sink, GsfInfile *storage, const char *prefix)
{
	bool more = true;
	for (int i = 0; more && i < MIN(gsf_infile_num_children(storage), MAX_OBJECTS); i++) {
		const char *name = gsf_infile_name_by_index(storage, i);
		if (!name || !g_str_has_prefix(name, prefix))
			continue;
		GsfInfile *inner = ole_storage(storage, name);
		if (inner && gsf_infile_num_children(inner) > 0)
			more = ole_object_send_storage(sink, name, inner);
		if (inner)
			g_object_unref(inner);
	}
	return more;
}

/* Layout: two numbers; class, file and item, each with its length; then the content with its
 * length. */
bool ole_object_send_old(Sink *sink, const char *name, Bytes object)
{
	enum { EMBEDDED = 2 };
	size_t at = 8;
	Bytes class = bytes_part(object, at + 4, le32(object, at));
	for (unsigned i = 0; i < 3; i++)
		at += 4 + (size_t)le32(object, at);
	Bytes native = bytes_part(object, at + 4, le32(object, at));
	if (le32(object, 4) != EMBEDDED)
		return true;
	if (class.size == 8 && memcmp(class.data, "Package", 8) == 0)
		return oleobject_send_embedded_file(sink, name, native);
	return ole_object_send(sink, name, native);
}
