/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine.h - the thread that owns the index
 *
 * One loop: take hints, reconcile due entries (crawl.h), start and finish conversions (pipeline.h),
 * commit, and sleep until something happens; without work it sleeps for ever. Interactive changes
 * go before visits, visits before the backlog.
 *
 * Commits: at once when nothing else is under way; else the pause between two grows with the work
 * that waits, to 1 s, so that a burst is written as a few large transactions.
 *
 * Trouble with the index: after any error the transaction is lost, so everything known in memory is
 * forgotten and all is looked at again: rows are the only memory. Disk full: waits 5 s, doubling to
 * 5 min, drains hints meanwhile, and goes on by itself. A damaged index is moved aside by
 * writer_open() and made anew. */
#pragma once
#include "common/settings/settings.h"
#include "daemon/crawl/coverage.h"
#include "daemon/engine/answer.h"
#include "daemon/engine/mode.h"
#include "daemon/ingest/pipeline.h"

typedef struct Engine Engine;

/* A copy of what the engine knew at the end of its last round. */
typedef struct {
	GPtrArray *roots; /* EngineRoot */
	uint64_t directories, dirty, files;
	WatchCounts watches;
	PipelineCounts pipeline;
	uint64_t pending; /* files to convert, as far as it was counted */
	uint64_t overflows;
	int64_t last_reconcile_s; /* UTC, 0: never */
	int64_t last_compared_s; /* everything, with the file systems; UTC, 0: not yet */
	ModeFacts facts;
	EngineMode mode; /* as of the copy */
	char *last_error; /* why it is degraded; NULL: it is not */
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
/* Finishes the round, commits, closes the index, ends the threads. */
void engine_free(Engine *engine);
/* For the pool; lives as long as the engine. */
ResultQueue *engine_results(Engine *engine);

/* All from the main thread. The replies come from its loop. */
EngineStatus *engine_status(Engine *engine);
void engine_pause(Engine *engine, bool pause); /* at once */
void engine_configure(Engine *engine, Settings *settings); /* taken over */
/* Full check of these paths (char *, absolute), all roots if there are none. n: paths that are
 * covered. paths is taken over. */
void engine_index(Engine *engine, GPtrArray *paths, EngineReply reply, void *data);
/* Failed files again: those, or all. n: files queued. paths is taken over. */
void engine_retry(Engine *engine, GPtrArray *paths, EngineReply reply, void *data);
/* Replies once: n 1 when every change made before now is in the index, 0 if it was cancelled.
 * Returns a number to cancel it with. */
uint64_t engine_sync(Engine *engine, EngineReply reply, void *data);
void engine_cancel_sync(Engine *engine, uint64_t number);
/* Purges all that is dead and gives space back, when there is nothing else to do; scrub: until no
 * word of what was deleted is on the disk. n: 1, or 0 if a reader held a log for too long. */
void engine_compact(Engine *engine, bool scrub, EngineReply reply, void *data);
/* New or newer plugins: their files are converted again. identity: of the converters
 * (converter-identity.h), kept with the index for the next start; 0: none. */
void engine_set_plugins(Engine *engine, const ConverterInfo *info, int64_t identity);
/* Are the converters those of the last start, when their sandbox was whole? Before engine_start().
 */
bool engine_knows_converters(const Engine *engine, int64_t identity);
