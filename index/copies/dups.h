/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dups.h - groups of equal and of nearly equal files
 *
 * Exact: the same bytes (checksum and size) in several inodes. Text: different bytes, the same text
 * (checksum of the folded words). Near: different texts that are all near copies
 * (index/text/near.h) of one of them; copies of a member count with it. Members of containers,
 * empty files and, but for exact groups, files of too few words are left out. */
#pragma once
#include "index/read/reader.h"

typedef enum { DUP_EXACT, DUP_TEXT, DUP_NEAR } DupKind;

typedef struct {
	char *path;
	uint64_t size;
	int64_t mtime_ns;
	uint64_t simhash; /* 0 in exact groups */
} DupFile;

typedef struct {
	DupKind kind;
	unsigned distance; /* most bits of the simhash that one differs from the first in; 0 with
	                      exact */
	GArray *files; /* DupFile, two or more, newest first; one inode once */
	uint64_t bytes_reclaimable; /* of all but the largest */
	bool within; /* exact, and all its files are in a group of another kind too */
} DupGroup;

typedef struct {
	bool exact, near; /* near: text too */
	const char *dir; /* only files below it; NULL: all */
	uint32_t uid; /* asking user: what it may not read is left out */
	void (*progress)(double part, void *data); /* from 0 to 1; or NULL */
	void *progress_data;
} DupOptions;

/* Biggest gain first. Files are checked against the file system: what is gone or changed is in no
 * group. Return false to stop. */
typedef bool (*DupFunc)(const DupGroup *group, void *data);
bool reader_dups(Reader *r, const DupOptions *options, DupFunc f, void *data, GError **error);
