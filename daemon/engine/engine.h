/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine.h - the thread that owns the index
 *
 * The engine takes hints of changes, compares names with the file systems (crawl.h), adds contents
 * (pipeline.h), commits, and sleeps until something happens. Without work it sleeps for ever.
 * tick.c lists the steps of a tick in their order. Changes made by a person go before visits, and
 * visits before the backlog. */
#pragma once
#include "common/settings/settings.h"
#include "daemon/crawl/coverage.h"
#include "daemon/engine/answer.h"
#include "daemon/engine/engine-consumer.h"
#include "daemon/engine/mode.h"
#include "daemon/ingest/pipeline.h"
#include "daemon/web/web-partition.h"

typedef struct Engine Engine;

/* A copy of what the engine knew at the end of its last tick. */
typedef struct {
	GPtrArray *roots; /* EngineRoot */
	uint64_t directories, dirty, files;
	WatchCounts watches;
	PipelineCounts pipeline;
	uint64_t pending; /* files to convert, as last counted */
	uint64_t overflows;
	int64_t last_reconcile_s; /* UTC, 0: never */
	int64_t last_compared_s; /* when everything had been compared; UTC, 0: not yet */
	ModeFacts facts;
	EngineMode mode; /* at the time of the copy */
	char *last_error; /* why the index cannot be written; NULL: it can be */
	char *current; /* path of a file in progress; NULL: none */
	const char *compaction; /* maintenance_compaction_step() */
	WebPartitionStatus partition; /* hosts that are shared with other crawlers */
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
	bool watch; /* false: one pass without watching (--once) */
	bool purge; /* with watch false: no file system is read and nothing is converted; what is no
	               longer watched leaves the index */
	const gint *no_room; /* atomic: number of threads that wait for room on the disk;
	                        borrowed */
} EngineOptions;

/* Opens the index and takes its lock (INDEX_ERROR_LOCKED). Takes ownership of settings. */
Engine *engine_new(const EngineOptions *options, Settings *settings, GError **error);
/* Starts the threads. */
void engine_start(Engine *engine, Pool *pool);
/* Finishes the tick, commits, closes the index and ends the threads. */
void engine_free(Engine *engine);
/* Returns the queue for the results of the pool; it lives as long as the engine. */
ResultQueue *engine_results(Engine *engine);

/* Only the main thread may call these functions. Replies are called from its loop. */
EngineStatus *engine_status(Engine *engine);
void engine_pause(Engine *engine, bool pause); /* takes effect at once */
/* Takes ownership of settings. The reply (which may be NULL) comes when they are in force and
 * engine_status() knows it. */
void engine_configure(Engine *engine, Settings *settings, EngineReply reply, void *data);
/* Compares these paths (char *, absolute) with the file systems; no path means all roots. n in the
 * reply: number of covered paths. Takes ownership of paths. */
void engine_index(Engine *engine, GPtrArray *paths, EngineReply reply, void *data);
/* Retries these failed files, or all. n in the reply: number of queued files. Takes ownership of
 * paths. */
void engine_retry(Engine *engine, GPtrArray *paths, EngineReply reply, void *data);
/* Asks these URLs (char *, canonical) again as soon as politeness allows. n in the reply: how many
 * are known. Takes ownership of urls. */
void engine_visit(Engine *engine, GPtrArray *urls, EngineReply reply, void *data);
/* A client asks the host itself for a moment (frontier_reserve()). n in the reply: for how many
 * milliseconds it must leave the host alone; UINT64_MAX: nothing is reserved while it is asked. */
void engine_reserve(
        Engine *engine, const char *origin, int64_t patience_ms, EngineReply reply, void *data);
/* It has had its last answer. */
void engine_release(Engine *engine, const char *origin, EngineReply reply, void *data);
/* Serves what a consumer of the log of changes tells. n in the reply: where it goes on
 * (writer_consume()), or whether it was known. Takes ownership of consumer. */
void engine_consume(Engine *engine, EngineConsumer *consumer, EngineReply reply, void *data);
/* Replies once. n is 1 when every change made before the call is in the index, 0 if the request was
 * cancelled. again: only changes before an earlier call count, which was cancelled. Returns a
 * number for cancelling it. */
uint64_t engine_sync(Engine *engine, bool again, EngineReply reply, void *data);
void engine_cancel_sync(Engine *engine, uint64_t number);
/* Purges all deleted rows and frees their space when there is nothing else to do. scrub: continues
 * until no deleted word is on the disk. n in the reply: 1, or 0 if a reader held a log for too
 * long. */
void engine_compact(Engine *engine, bool scrub, EngineReply reply, void *data);
/* Reads all files again that are listed as equal, and converts those by themselves that differ. n
 * in the reply: number of contents to be read; engine_sync() tells when this is done. */
void engine_verify(Engine *engine, EngineReply reply, void *data);
/* Sets the usable plugins: files of new or newer ones are converted again. identity: of all
 * extractors (converter-identity.h), stored in the index for the next start; 0: unknown. */
void engine_set_plugins(Engine *engine, const ConverterInfo *info, int64_t identity);
/* Are the plugins those of the last start, and was their sandbox complete then? Call it before
 * engine_start(). */
bool engine_knows_converters(const Engine *engine, int64_t identity);
