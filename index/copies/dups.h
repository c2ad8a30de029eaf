/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dups.h - groups of equal and of nearly equal files
 *
 * Exact: several inodes with the same bytes, as the index says by its checksum, and as a comparison
 * of the files confirms (index/copies/dup-bytes.h). Text: different bytes with the
 * same text (checksum of the folded words). Near: different texts that all are near copies
 * (index/text/near.h) of one of them; files with the same bytes as a member are in the group too.
 * Members of containers and empty files are left out; files with too few words are only in exact
 * groups. */
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
	unsigned distance; /* the largest number of bits in which the simhash of a file differs from
	                      that of the first; 0 in exact groups */
	GArray *files; /* of DupFile, two or more, the newest first; each inode once */
	uint64_t bytes_reclaimable; /* of all files below DupOptions.dir but the largest; of all
	                               of them if there is a copy elsewhere. In a near group only
	                               files with the same text are copies */
	bool within; /* an exact group whose files are all in a group of another kind too */
} DupGroup;

typedef struct {
	bool exact, near; /* kinds to look for; near includes text */
	const char *dir; /* only groups with a file below this directory, which have the copies
	                    elsewhere too; NULL: all groups */
	uint32_t uid; /* the asking user: files that they may not read are left out */
	/* Is called for two files that the index takes for equal and whose bytes differ; may be
	 * NULL. */
	void (*differ)(const char *one, const char *other, void *data);
	void *differ_data;
	void (*progress)(double part, void *data); /* is called with the progress from 0 to 1; may
	                                              be NULL */
	void *progress_data;
} DupOptions;

/* Called for each group, the one with the most reclaimable bytes first. The files are checked
 * against the file system: deleted and changed files are left out. Return false to stop. */
typedef bool (*DupFunc)(const DupGroup *group, void *data);
bool reader_dups(Reader *r, const DupOptions *options, DupFunc f, void *data, GError **error);
