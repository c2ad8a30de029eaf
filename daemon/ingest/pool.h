/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool.h - conversions: the main thread's end of the converter program
 *
 * The engine submits tasks from its thread; they run in the main loop, where the converter's
 * descriptors are watched. Results go back through PoolSink, called in the main thread. What the
 * engine has not yet written is bounded: past POOL_MAX_BYTES the main thread waits for the engine.
 * The converter ends its program when there was nothing to convert for a while and starts it again
 * (converter.h). */
#pragma once
#include "common/sandbox/converter.h"
#include "daemon/ingest/result-queue.h"

/* Documents are handed on in parts of about so much memory. */
enum { POOL_PART_BYTES = 4 << 20 };

typedef struct {
	int fd; /* taken over */
	uint64_t size;
	char *name, *scope; /* last component; of ConvertRequest; taken over */
	ExtractLimits limits;
	bool urgent; /* somebody may be waiting for it */
	bool slow; /* of ConvertRequest */
	Job *job;
} PoolTask;

typedef struct Pool Pool;

/* converter: may be NULL, then it is started at the first task. */
Pool *pool_new(Converter *converter, const ConverterOptions *options, ResultQueue *results);
/* Kills what runs; no more callbacks. Main thread. */
void pool_free(Pool *pool);
void pool_set_options(Pool *pool, const ConverterOptions *options);
/* Any thread. */
void pool_submit(Pool *pool, PoolTask *task);
/* Any thread: whatever runs stops, until it is let go on. Its time does not count. */
void pool_hold(Pool *pool, bool hold);
/* Any thread: what is slow is given up. */
void pool_yield(Pool *pool);
/* Plugins and sandbox, NULL if the program never ran. Main thread. */
const ConverterInfo *pool_info(const Pool *pool);
