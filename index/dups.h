/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dups.h - groups of equal and of nearly equal files
 *
 * Equal: the same bytes (checksum and size) in several inodes. Near: different bytes whose texts are equal or whose fingerprints
 * differ in at most DUPS_BITS bits from one of them; copies of a member count with it. Members of containers and empty files are
 * left out. A bit less than for a pair (FINGERPRINT_NEAR): two members may differ by twice as much from each other. */
#pragma once
#include "index/reader.h"

enum { DUPS_BITS = 10 };

typedef struct {
	bool exact;
	unsigned distance; /* most bits that one differs from the first in; 0 with exact */
	GPtrArray *files; /* Info, two or more, newest first; one inode once */
	uint64_t bytes_reclaimable; /* of all but the largest */
} DupGroup;

typedef struct {
	bool exact, near;
	const char *dir; /* only files below it; NULL: all */
	uint32_t uid; /* asking user: what it may not read is left out */
} DupOptions;

/* Biggest gain first. Files are checked against the file system: what is gone or changed is in no group. Return false to stop. */
typedef bool (*DupFunc)(const DupGroup *group, void *data);
bool reader_dups(Reader *r, const DupOptions *options, DupFunc f, void *data, GError **error);
