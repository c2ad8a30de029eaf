/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load.h - one file to read: the request of the pipeline and the answer of the loader */
#pragma once
#include "common/warc/warc-store.h"
#include "daemon/fs/safeopen.h"
#include "index/text/checksum.h"
#include <glib.h>
#include <sys/stat.h>

/* Belongs to the pipeline; for all others it is only a key. */
typedef struct PipelineJob PipelineJob;

/* Reading for a checksum alone, which nobody waits for, ends after about this time, or of a remote
 * file after so many bytes, which are copied at once. The next load goes on from there. */
enum { LOAD_SLICE_US = 200 * 1000, LOAD_SLICE_BYTES = 8 << 20 };

/* Where the bytes of a document of a source are. */
typedef struct {
	char *store; /* directory of the store of its source */
	char *url; /* what the record is about, and what links are resolved against */
	WarcPlace place;
	bool is_page; /* it was fetched as a page */
	char *media_type; /* the answer: of the record; NULL: unknown */
} LoadPage;

typedef enum {
	LOAD_OK,
	LOAD_GONE, /* it does not exist, is not a regular file, or is another inode, or a directory
	              of its path may not be entered: compare the directory again */
	LOAD_AWAY, /* the root does not exist or is another one */
	LOAD_UNSTABLE, /* the file changed while it was read */
	LOAD_UNREADABLE, /* permission denied */
	LOAD_TOO_LARGE,
	LOAD_OURS, /* the file is one of the index under another name */
	LOAD_LOST, /* the record of a page is damaged or gone */
	LOAD_IO, /* there was a read error, or no room for the copy */
} LoadOutcome;

typedef struct {
	/* the request */
	char *root, *relative; /* absolute path; path below it */
	SafeCrossings crossings; /* mounts on the way */
	bool remote; /* the root's file system may not answer */
	bool large; /* read by a thread for large files */
	bool urgent; /* a client or a person may be waiting for it */
	uint64_t ino; /* the expected inode; 0: any */
	uint64_t max_bytes;
	ChecksumKey key;
	bool only_checksum; /* no descriptor is asked for, and reading ends after a slice */
	Checksum *part; /* if only_checksum: of the bytes that earlier loads have read; NULL: none;
	                   owned */
	uint64_t part_bytes; /* their number */
	const gint *stop; /* atomic: any value but 0 ends reading; NULL: reading is never ended */
	LoadPage *page; /* read this instead of a file, owned; NULL: read the file. There is no st
	                   in the answer then */
	PipelineJob *job;
	/* the answer */
	LoadOutcome outcome;
	int error_number; /* if outcome is LOAD_IO */
	int fd; /* if outcome is LOAD_OK, unless only_checksum: at offset 0, the caller owns it;
	           else -1 */
	GBytes *bytes; /* instead of fd, of a local file of at most WIRE_ENCLOSED_BYTES, or a page;
	                  owned */
	uint64_t size;
	struct statx st; /* stat data after the last byte was read */
	bool more; /* if outcome is LOAD_OK: the slice is over. part and part_bytes tell what was
	              read so far, and the checksum is not known yet */
	uint8_t checksum[CHECKSUM_BYTES];
} Load;

Load *load_new(const char *root, const char *relative, uint64_t ino);
void load_free(Load *load);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Load, load_free)
