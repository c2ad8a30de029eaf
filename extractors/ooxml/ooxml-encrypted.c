/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/ooxml/ooxml-encrypted.h"
#include "extractors/shared/olefile.h"
#include "extractors/ooxml/ooxml-key.h"

enum { INFO_BYTES = 64 << 10, SIZE_BYTES = 8 /* size of the number before the package */ };

/* Takes a decrypted stream. The size in front of it excludes the padding of the last cipher
 * block. */
static GBytes *strip_padding(Bytes package)
{
	uint64_t told = le64(package, 0), there = package.size - SIZE_BYTES;
	g_autoptr(GBytes) whole = g_bytes_new_take((void *)package.data, package.size);
	return g_bytes_new_from_bytes(whole, SIZE_BYTES, MIN(told, there));
}

static bool find_key(GsfInfile *root, PackageKey *key)
{
	Bytes info = ole_stream(root, "EncryptionInfo");
	bool found = package_key_derive(key, bytes_part(info, 0, INFO_BYTES));
	g_free((void *)info.data);
	return found;
}

static GBytes *open_package(GsfInfile *root, DocReason *reason_r)
{
	PackageKey key;
	*reason_r = REASON_ENCRYPTED;
	if (!find_key(root, &key))
		return NULL;
	*reason_r = REASON_DAMAGED;
	Bytes package = ole_stream(root, "EncryptedPackage");
	if (package.size < SIZE_BYTES) {
		g_free((void *)package.data);
		return NULL;
	}
	package_decrypt(&key, (uint8_t *)package.data + SIZE_BYTES, package.size - SIZE_BYTES);
	return strip_padding(package);
}

GBytes *encrypted_package_open(const Input *in, DocReason *reason_r)
{
	GsfInfile *root = ole_open(in, NULL);
	*reason_r = REASON_DAMAGED;
	if (!root)
		return NULL;
	GBytes *package = open_package(root, reason_r);
	g_object_unref(root);
	return package;
}
