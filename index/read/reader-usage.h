/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reader-usage.h - how many bytes lie where, of what type, and which of them lie elsewhere too
 *
 * All of it is read from the index in one pass over its entries, with 24 bytes of memory for each
 * file and about 100 for each directory; no file is looked at. Hard links count once. A file
 * is a copy if the index has another one with the same checksum. */
#pragma once
#include "index/read/reader.h"

/* An entry right below the directory, with all that lies below it. */
typedef struct {
	int64_t node;
	bool directory;
	uint64_t bytes, files;
	uint64_t copied; /* bytes of the files of which a copy lies outside of this entry */
} UsageEntry;

typedef struct {
	char *mime; /* "" where it is not known */
	uint64_t bytes, files;
} UsageType;

typedef struct {
	uint64_t bytes, files;
	uint64_t copied; /* bytes of the files of which a copy lies outside of the directory */
	GArray *entries; /* UsageEntry, the largest first */
	GArray *types; /* UsageType, the largest first */
} Usage;
void usage_free(Usage *usage);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Usage, usage_free)

/* The usage below a directory; node 0: of all roots. Empty if there is no such directory. NULL with
 * error. The caller frees it. */
Usage *reader_usage(Reader *r, int64_t node, GError **error);
