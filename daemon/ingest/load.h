/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load.h - one file to be read: the question of the pipeline and the answer of the loader */
#pragma once
#include "daemon/fs/safeopen.h"
#include "index/text/fingerprint.h"
#include <glib.h>
#include <sys/stat.h>

/* The pipeline's; to everybody else only a key. */
typedef struct Job Job;

typedef enum {
	LOAD_OK,
	LOAD_GONE, /* nothing there, no regular file, not the expected inode, or a directory on the
	              path may not be entered: look at the directory again */
	LOAD_AWAY, /* the same for the root */
	LOAD_UNSTABLE, /* changed while it was read */
	LOAD_UNREADABLE, /* permission denied */
	LOAD_TOO_LARGE,
	LOAD_OURS, /* a file of the index under another name */
	LOAD_IO, /* read error, or no room for the copy */
} LoadOutcome;

typedef struct {
	/* the question */
	char *root, *relative; /* absolute path; path below it */
	SafeCrossings crossings; /* mounts on the way */
	bool remote; /* the root's file system may not answer */
	bool large; /* read by a thread of its own */
	bool urgent; /* somebody may be waiting for it */
	uint64_t ino; /* the inode that is meant */
	uint64_t max_bytes;
	const gint *stop; /* atomic: not 0 ends the reading; NULL: never */
	Job *job;
	/* the answer */
	LoadOutcome outcome;
	int error_number; /* LOAD_IO */
	int fd; /* LOAD_OK: at offset 0, yours; else -1 */
	uint64_t size;
	struct statx st; /* as it was when the last byte had been read */
	uint8_t checksum[CHECKSUM_BYTES];
} Load;

Load *load_new(const char *root, const char *relative, uint64_t ino);
void load_free(Load *load);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Load, load_free)
