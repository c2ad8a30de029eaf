/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/ooxml/sealed.h"
#include "extractors/bytes.h"
#include "extractors/ooxml/unseal.h"
#include <gsf/gsf-infile-msole.h>
#include <gsf/gsf-input-memory.h>
#include <gsf/gsf-utils.h>
#include <string.h>

enum {
	PACKAGE_BYTES = 256 << 20, /* longer ones are cut */
	INFO_BYTES = 64 << 10,
	SIZE_BYTES = 8, /* before the package */
};

bool sealed_is(const Input *in)
{
	return in->size >= 8 && memcmp(in->data, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 8) == 0;
}

static GsfInfile *open_container(const Input *in)
{
	GsfInput *memory = gsf_input_memory_new(in->data, in->size, FALSE);
	GsfInfile *root = gsf_infile_msole_new(memory, NULL);
	g_object_unref(memory);
	return root;
}

/* At most max bytes of a stream; NULL if it cannot be read. Yours. */
static GByteArray *read_stream(GsfInfile *root, const char *name, gsf_off_t max)
{
	GsfInput *input = gsf_infile_child_by_name(root, name);
	if (!input)
		return NULL;
	gsf_off_t size = MIN(gsf_input_size(input), max);
	uint8_t *data = size > 0 ? g_try_malloc(size) : NULL;
	bool good = data && gsf_input_read(input, size, data);
	g_object_unref(input);
	if (good)
		return g_byte_array_new_take(data, size);
	g_free(data);
	return NULL;
}

/* The size that is told leaves out what fills the last block of the cipher. */
static GBytes *without_filling(GByteArray *package)
{
	Bytes bytes = {package->data, package->len};
	uint64_t told = le64(bytes, 0), there = package->len - SIZE_BYTES;
	g_autoptr(GBytes) whole = g_byte_array_free_to_bytes(package);
	return g_bytes_new_from_bytes(whole, SIZE_BYTES, MIN(told, there));
}

static GBytes *open_package(GsfInfile *root, DocReason *reason_r)
{
	g_autoptr(GByteArray) info = read_stream(root, "EncryptionInfo", INFO_BYTES);
	g_autoptr(GByteArray) package = read_stream(root, "EncryptedPackage", PACKAGE_BYTES);
	UnsealKey key;
	*reason_r = REASON_ENCRYPTED;
	if (!info || !unseal_key(&key, (Bytes){info->data, info->len}))
		return NULL;
	*reason_r = REASON_DAMAGED;
	if (!package || package->len < SIZE_BYTES)
		return NULL;
	unseal(&key, package->data + SIZE_BYTES, package->len - SIZE_BYTES);
	return without_filling(g_steal_pointer(&package));
}

GBytes *sealed_open(const Input *in, DocReason *reason_r)
{
	GsfInfile *root = open_container(in);
	*reason_r = REASON_DAMAGED;
	if (!root)
		return NULL;
	GBytes *package = open_package(root, reason_r);
	g_object_unref(root);
	return package;
}

/* The library takes damage in a file for a mistake of its caller. */
static void ignore_log(const char *domain, GLogLevelFlags level, const char *message, void *data)
{
}

void sealed_preload(void)
{
	gsf_init();
	g_log_set_handler("libgsf:msole", G_LOG_LEVEL_MASK, ignore_log, NULL);
	/* registers the class now */
	g_type_class_unref(g_type_class_ref(GSF_INFILE_MSOLE_TYPE));
}
