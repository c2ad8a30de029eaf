/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zipdir.h - what the library for archives does not read of a zip: members compressed with
 * Deflate64, and the last part of a split one
 *
 * By the central directory (APPNOTE.TXT of zip, 4.3.12), whose place is told by its end alone. The
 * last part of a split zip has the whole directory, and those members that begin in it. */
#pragma once
#include "extractors/shared/bytes.h"
#include "extractors/shared/extractor.h"

typedef struct {
	Bytes all;
	size_t at, end; /* of the next entry, and of the directory */
	int64_t shift; /* from where an entry says that a member is to where it is */
	unsigned part; /* number of this part of a split zip, from 0 */
	bool is_last_part; /* and parts that come before it are missing */
} ZipDir;

typedef struct {
	const char *name; /* not terminated */
	size_t name_length;
	unsigned flags, method, part;
	uint32_t packed, plain, sum, offset, time;
} ZipEntry;

/* False: there is no directory. */
bool zipdir_open(ZipDir *dir, const Input *in);
/* False: there are no more. */
bool zipdir_next(ZipDir *dir, ZipEntry *entry);
/* The member that the library could not read; its bytes, as far as they can be had, at most max.
 * NULL: it is not compressed with Deflate64, or not to be had. Yours. */
GByteArray *zipdir_unpack(const Input *in, const char *name, size_t max, DocReason *reason);
/* All members of the last part of a split zip: those that lie in it with their bytes. */
ExtractResult zipdir_extract(ZipDir *dir, Sink *sink, size_t max);
