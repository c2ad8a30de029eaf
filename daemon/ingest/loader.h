/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loader.h - the threads that open files and read them once
 *
 * The checksum of a file is computed while it is read. A small file is read into memory, and one of
 * up to SAFE_COPY_BYTES is copied into a sealed memfd, so that the child sees neither a file that
 * changes meanwhile nor the user's inode. For a larger file the child gets a descriptor for
 * reading. A file that changes between the first look and the last byte is not used. Large files
 * have a thread of their own, and so have files on file systems that may not answer, so that other
 * files need not wait for them. The latter are read by an agent (agent.h) and always copied.
 * Documents of sources are read from the store of their source (common/warc). */
#pragma once
#include "daemon/fs/own-files.h"
#include "daemon/ingest/result-queue.h"

typedef struct Loader Loader;

/* Every Load ends as INGEST_LOADED in results. Both arguments are borrowed. */
Loader *loader_new(const Own *own, ResultQueue *results);
/* Stops after the file in progress; waiting files are dropped. */
void loader_free(Loader *loader);
/* Takes ownership of load. */
void loader_push(Loader *loader, Load *load);
