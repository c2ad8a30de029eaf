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
#include "daemon/ingest/result-queue.h"

typedef struct Loader Loader;

/* Every Load ends as INGEST_LOADED in results. Both arguments are borrowed. */
Loader *loader_new(const Own *own, ResultQueue *results);
/* Stops after the file in work; what waits is dropped. */
void loader_free(Loader *loader);
/* Takes load over. */
void loader_push(Loader *loader, Load *load);
