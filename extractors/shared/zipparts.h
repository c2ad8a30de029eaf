/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zipparts.h - the parts of a zipped document (OpenDocument, Office Open XML, EPUB), by name
 *
 * The central directory is used when there is one; a package that was cut or whose directory is
 * wrong is read from its local headers as far as they go. Sizes in headers are hints and never
 * trusted. Names are compared without regard to ASCII case, with '/' between folders and none in
 * front. */
#pragma once
#include "extractors/shared/extractor.h"
#include <sys/types.h>

typedef struct ZipParts ZipParts;

/* Whether a part will be read: it is then kept in memory if it is small enough. The name is
 * in lower case. */
typedef bool (*ZipWanted)(const char *name);

/* Lists the package and keeps the wanted parts. data must outlive the result; every unpacked byte
 * is announced to the sink. Never NULL; a package that is no zip has no parts and is damaged. */
ZipParts *zip_parts_open(const uint8_t *data, size_t size, Sink *sink, ZipWanted wanted);
void zip_parts_free(ZipParts *zip);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ZipParts, zip_parts_free)

bool zip_parts_has(const ZipParts *zip, const char *name);
/* Names in the order of the package, lower case; NULL past the last. Borrowed. */
const char *zip_parts_name(const ZipParts *zip, guint index);

/* Something was damaged or cut so far; a password is needed; a limit on unpacked bytes was passed.
 */
bool zip_parts_damaged(const ZipParts *zip);
bool zip_parts_encrypted(const ZipParts *zip);
bool zip_parts_limited(const ZipParts *zip);

/* Begins to read a part; false if there is none. Only one part is read at a time. */
bool zip_part_begin(ZipParts *zip, const char *name);
/* Reads on: bytes, 0 at the end (also when the rest is damaged or a limit was passed). source is
 * the ZipParts: the form that xml_read() wants. */
ssize_t zip_part_read(void *source, void *buffer, size_t size);
/* A whole part, at most max bytes, with a NUL behind it; NULL if there is none or it is larger.
 * Yours. */
char *zip_part_load(ZipParts *zip, const char *name, size_t max, size_t *size_r);

/* Name of the part that target means when it is written in part: relative to its folder, or
 * absolute with a '/' in front. Yours. */
char *zip_part_resolve(const char *part, const char *target);
