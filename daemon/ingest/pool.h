/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool.h - runs conversions: the main thread's side of the converter
 *
 * The engine's thread submits tasks. They run in the main loop, which watches the descriptors of
 * the converter, and their results go into the result queue. If there is nothing to convert for a
 * while, the converter ends its program, and starts it again on demand (converter.h). If the
 * program does not start, the start is tried a few times in a row, and then at most every 10 s. */
#pragma once
#include "common/sandbox/converter.h"
#include "daemon/ingest/result-queue.h"

/* Documents are delivered in parts of about this size, the first one when it is known whether the
 * file is expensive. */
enum { POOL_PART_BYTES = 256 << 10 };

/* The end of a task that the engine does not wait for: all documents, members first. Called in the
 * main thread. documents is borrowed; the callee may keep a reference. */
typedef void (*PoolDone)(GPtrArray *documents, const ConversionEnd *end, void *data);

typedef struct {
	int fd; /* the pool takes ownership */
	GBytes *bytes; /* as in ConvertRequest, instead of fd; the pool takes ownership */
	uint64_t size;
	char *name, *scope; /* last component of the path; scope of ConvertRequest; the pool takes
	                       ownership */
	ExtractLimits limits;
	bool urgent; /* a client or a person may be waiting for it */
	bool slow; /* as in ConvertRequest */
	JobPurpose purpose; /* as in ConvertRequest, as are the next two */
	char *url, *charset; /* or NULL; the pool takes ownership */
	PipelineJob *job; /* results go to the queue as those of this job; NULL: to done */
	PoolDone done;
	void *data; /* of done */
} PoolTask;

typedef struct Pool Pool;

/* converter: may be NULL; then it is started at the first task, with the plugins that this file
 * probably needs. */
Pool *pool_new(Converter *converter, const ConverterOptions *options, ResultQueue *results);
/* Kills running conversions; no results follow. Main thread only. */
void pool_free(Pool *pool);
void pool_set_options(Pool *pool, const ConverterOptions *options);
/* Can be called from any thread. Jobs that are submitted in a row begin together. */
void pool_submit(Pool *pool, PoolTask *task);
/* Suspends running conversions until hold is false. That time does not count for their limits. Can
 * be called from any thread. */
void pool_hold(Pool *pool, bool hold);
/* Gives up slow conversions. Can be called from any thread. */
void pool_yield(Pool *pool);
/* Returns plugins and sandbox level; NULL if the program never ran. Main thread only. */
const ConverterInfo *pool_info(const Pool *pool);
