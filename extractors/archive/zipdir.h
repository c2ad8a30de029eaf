/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zipdir.h - the parts of zip that libarchive does not read: members compressed with Deflate64, and
 * the last part of a split zip
 *
 * They are found by the central directory (APPNOTE.TXT of zip, 4.3.12), whose place only the end of
 * the file tells. The last part of a split zip has the whole directory, and the members that begin
 * in it. */
#pragma once
#include "extractors/shared/bytes.h"
#include "extractors/shared/extractor.h"

typedef struct {
	Bytes all;
	size_t at, end; /* offsets of the next entry and of the end of the directory */
	int64_t shift; /* difference between the actual offset of a member and the one in its
	                  entry */
	unsigned part; /* number of this part of a split zip, from 0 */
	bool is_last_part; /* earlier parts are missing */
} ZipDir;

typedef struct {
	const char *name; /* not NUL-terminated */
	size_t name_length;
	unsigned flags, method, part;
	uint32_t packed, plain, sum, offset, time;
} ZipEntry;

/* False: there is no directory. */
bool zipdir_open(ZipDir *dir, const Input *in);
/* False: there are no more entries. */
bool zipdir_next(ZipDir *dir, ZipEntry *entry);
/* Returns at most max bytes of a member that the library could not read. NULL: it is not compressed
 * with Deflate64, or cannot be read. The caller owns the bytes. */
GByteArray *zipdir_unpack(const Input *in, const char *name, size_t max, DocReason *reason);
/* Sends all members of the last part of a split zip, with their bytes if these are in it. */
ExtractResult zipdir_extract(ZipDir *dir, Sink *sink, size_t max);
