/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zipparts.h - reads the parts of a zipped document (OpenDocument, Office Open XML, EPUB) by name
 *
 * The central directory is used if there is one. If the package was cut or its directory is wrong,
 * the local headers are read as far as they go. Sizes in headers are hints and never trusted. Names
 * are compared without regard to ASCII case, with '/' between folders and no leading '/'. */
#pragma once
#include "extractors/shared/extractor.h"
#include <sys/types.h>

typedef struct ZipParts ZipParts;

/* True if the part will be read; it is then kept in memory if it is small enough. name is in lower
 * case. */
typedef bool (*ZipWanted)(const char *name);

/* Lists the package and keeps the wanted parts; wanted NULL: none. data must outlive the result.
 * All unpacked bytes are counted with sink_unpacked(). Never NULL; data that is not a zip has no
 * parts and counts as damaged. */
ZipParts *zip_parts_open(const uint8_t *data, size_t size, Sink *sink, ZipWanted wanted);
void zip_parts_free(ZipParts *zip);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ZipParts, zip_parts_free)

bool zip_parts_has(const ZipParts *zip, const char *name);
/* Returns a name by its number in the package, in lower case; NULL after the last. Borrowed. */
const char *zip_parts_name(const ZipParts *zip, guint index);

/* True if a password is needed. */
bool zip_parts_encrypted(const ZipParts *zip);
/* Why parts are missing so far: REASON_LIMIT_UNPACKED, REASON_COMPRESSION or REASON_DAMAGED;
 * REASON_NONE if all could be read. */
DocReason zip_parts_fault(const ZipParts *zip);

/* Begins to read a part; false if there is none. Only one part can be read at a time. */
bool zip_part_begin(ZipParts *zip, const char *name);
/* Returns the number of bytes read, 0 at the end (also if the rest is damaged or a limit was
 * exceeded). source is the ZipParts, as xml_read() expects. */
ssize_t zip_part_read(void *source, void *buffer, size_t size);
/* Returns a whole part with a terminating NUL, at most max bytes long; NULL if there is none or it
 * is larger. The caller frees it. */
char *zip_part_load(ZipParts *zip, const char *name, size_t max, size_t *size_r);

/* Draws the package by a picture in it, as draw() of a plugin does; NULL: there is none. */
ExtractResult zip_part_draw(ZipParts *zip, const char *name);

/* Resolves a target that stands in part: relative to the folder of part, or absolute with a leading
 * '/'. The caller frees it. */
char *zip_part_resolve(const char *part, const char *target);
