/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine.h - the thread that owns the index
 *
 * It takes hints of changes, compares names with the file systems (crawl.h), brings contents in
 * (pipeline.h), commits, and sleeps until something happens; without work it sleeps for ever. What
 * a pass does, and in which order: tick.c. Changes that a person made go before visits, visits
 * before the backlog. */
#pragma once
#include "common/settings/settings.h"
#include "daemon/crawl/coverage.h"
#include "daemon/engine/answer.h"
#include "daemon/engine/mode.h"
#include "daemon/ingest/pipeline.h"

typedef struct Engine Engine;

/* A copy of what the engine knew at the end of its last tick. */
typedef struct {
	GPtrArray *roots; /* EngineRoot */
	uint64_t directories, dirty, files;
	WatchCounts watches;
	PipelineCounts pipeline;
	uint64_t pending; /* files to convert, when they were last counted */
	uint64_t overflows;
	int64_t last_reconcile_s; /* UTC, 0: never */
	int64_t last_compared_s; /* everything was compared; UTC, 0: not yet */
	ModeFacts facts;
	EngineMode mode; /* as of the copy */
	char *last_error; /* why the index cannot be written; NULL: it can */
	char *current; /* path in work; NULL: none */
} EngineStatus;

typedef struct {
	char *path;
	RootState state;
	Coverage coverage; /* at most a second old while there is work */
} EngineRoot;

void engine_status_free(EngineStatus *status);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(EngineStatus, engine_status_free)

typedef struct {
	const char *index_dir, *cache_dir; /* copied */
	bool watch; /* false: one pass, nothing is watched (--once) */
	const gint *no_room; /* atomic: threads that wait for room on the disk; borrowed */
} EngineOptions;

/* Opens the index and takes its lock (INDEX_ERROR_LOCKED). settings is taken over. */
Engine *engine_new(const EngineOptions *options, Settings *settings, GError **error);
/* Starts the threads. */
void engine_start(Engine *engine, Pool *pool);
/* Finishes the tick, commits, closes the index, ends the threads. */
void engine_free(Engine *engine);
/* For the pool; lives as long as the engine. */
ResultQueue *engine_results(Engine *engine);

/* Main thread only. The replies come from its loop. */
EngineStatus *engine_status(Engine *engine);
void engine_pause(Engine *engine, bool pause); /* at once */
void engine_configure(Engine *engine, Settings *settings); /* taken over */
/* Compares these paths (char *, absolute) with the file systems, all roots if there are none. n:
 * paths that are covered. paths is taken over. */
void engine_index(Engine *engine, GPtrArray *paths, EngineReply reply, void *data);
/* Tries failed files again: these, or all. n: files queued. paths is taken over. */
void engine_retry(Engine *engine, GPtrArray *paths, EngineReply reply, void *data);
/* Replies once: n 1 when every change made before now is in the index, 0 if it was cancelled.
 * Returns a number to cancel it with. */
uint64_t engine_sync(Engine *engine, EngineReply reply, void *data);
void engine_cancel_sync(Engine *engine, uint64_t number);
/* Purges all deleted rows and gives space back, when there is nothing else to do. scrub: until no
 * word of what was deleted is on the disk. n: 1, or 0 if a reader held a log for too long. */
void engine_compact(Engine *engine, bool scrub, EngineReply reply, void *data);
/* The plugins that are used: files of new or newer ones are converted again. identity: of all
 * (converter-identity.h), stored in the index for the next start; 0: it is not known. */
void engine_set_plugins(Engine *engine, const ConverterInfo *info, int64_t identity);
/* Are the plugins those of the last start, and was their sandbox complete then? Before
 * engine_start(). */
bool engine_knows_converters(const Engine *engine, int64_t identity);
