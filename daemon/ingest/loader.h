/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loader.h - the threads that open files and read them once
 *
 * A file's checksum is computed while it is read. The bytes of a file of up to SAFE_COPY_BYTES go
 * into a sealed memfd, so that the converter sees neither a file that changes under it nor the
 * user's inode; of a larger file the converter gets a descriptor for reading. A file that changes
 * between the first look and the last byte is not used. Large files, and files on file systems that
 * may not answer, have a thread each, so that others need not wait for them; the latter are read by
 * an agent (agent.h) and always come as copies. */
#pragma once
#include "daemon/fs/own-files.h"
#include "daemon/ingest/result-queue.h"

typedef struct Loader Loader;

/* Every Load ends as INGEST_LOADED in results. Both arguments are borrowed. */
Loader *loader_new(const Own *own, ResultQueue *results);
/* Stops after the file in work; what waits is dropped. */
void loader_free(Loader *loader);
/* Takes load over. */
void loader_push(Loader *loader, Load *load);
