/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loader.h - the threads that open files and read them once
 *
 * While a file is read its checksum is computed; up to SAFE_COPY_BYTES the bytes go into a sealed
 * memfd, so that the converter sees neither a file that changes under it nor the user's inode. A
 * larger file is handed on as a descriptor for reading. What changed between the first look and the
 * last byte is not used. Reading apart from the engine keeps hints and answers flowing while a
 * large or slow file is read. What lies on a file system that may not answer is read by an agent
 * (agent.h), and all of it comes as a copy. */
#pragma once
#include "daemon/fs/own-files.h"
#include "daemon/fs/safeopen.h"
#include "index/text/fingerprint.h"
#include <glib.h>
#include <sys/stat.h>

typedef enum {
	LOAD_OK,
	LOAD_GONE, /* nothing there, no regular file, not the expected one, or a directory on the
	              way is closed to us: look at the directory again */
	LOAD_AWAY, /* the same of the root */
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
	bool large; /* others do not wait until it is read */
	uint64_t ino; /* the inode that is meant */
	uint64_t max_bytes;
	const gint *stop; /* atomic: not 0 ends the reading; NULL: never */
	void *job; /* the caller's */
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

typedef struct Loader Loader;
typedef void (*LoaderDone)(Load *load, void *data);

/* done is called from the thread and takes the Load over. own is borrowed. */
Loader *loader_new(const Own *own, LoaderDone done, void *data);
/* Stops after the file in work; what waits is dropped. */
void loader_free(Loader *loader);
/* Takes load over. */
void loader_push(Loader *loader, Load *load);
