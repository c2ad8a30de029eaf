/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool.h - conversions: the main thread's end of the converter program
 *
 * The engine's thread submits tasks. They run in the main loop, where the converter's descriptors
 * are watched, and their results go into the result queue. The converter ends its program when
 * there was nothing to convert for a while, and starts it again on demand (converter.h). A program
 * that does not start is tried a few times in a row, and then at most every 10 s. */
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
/* Kills running conversions; no more results. Main thread. */
void pool_free(Pool *pool);
void pool_set_options(Pool *pool, const ConverterOptions *options);
/* Any thread. */
void pool_submit(Pool *pool, PoolTask *task);
/* Any thread: running conversions are stopped until hold is false. The time does not count. */
void pool_hold(Pool *pool, bool hold);
/* Any thread: slow conversions are given up. */
void pool_yield(Pool *pool);
/* Plugins and sandbox, NULL if the program never ran. Main thread. */
const ConverterInfo *pool_info(const Pool *pool);
