/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine-private.h - the engine's handles and owners, and which thread uses them
 *
 * Each state has one owner, opaque in its own file (committer.h, maintenance.h, ...). No owner
 * knows another one: the steps of the tick (tick-steps.c) ask one owner and tell another. */
#pragma once
#include "daemon/engine/committer.h"
#include "daemon/engine/coverage-cache.h"
#include "daemon/engine/engine.h"
#include "daemon/engine/load-gate.h"
#include "daemon/engine/maintenance.h"
#include "daemon/engine/first-index.h"
#include "daemon/engine/plugin-record.h"
#include "daemon/engine/recovery.h"
#include "daemon/engine/request-queue.h"
#include "daemon/engine/rescan-policy.h"
#include "daemon/engine/status-publisher.h"
#include "daemon/engine/sync-waiters.h"
#include "daemon/ingest/journal.h"
#include "daemon/web/web-crawl.h"

/* An entry that is due within this time is waited for. */
enum { ENGINE_NEARLY_DUE_US = 100 * 1000 };

struct Engine {
	/* set once by engine.c, before the thread starts */
	char *index_dir, *cache_dir;
	bool watch, purge;
	const gint *no_room; /* from EngineOptions */
	int wake_fd, mounts_fd;
	Own *own;
	Hints *hints;
	Notify *notify; /* NULL: all directories are polled */
	ResultQueue *results;
	Loader *loader;
	Pool *pool;
	Crawl *crawl;
	Pipeline *pipeline;
	WebCrawl *web;
	Journal *journal;
	GThread *thread;

	/* set once; only the engine's thread calls them, except to copy the status */
	Committer *committer;
	Maintenance *maintenance;
	Recovery *recovery;
	SyncWaiters *waiters;
	RescanPolicy *rescans;
	LoadGate *gate;
	PluginRecord *plugins;
	FirstIndex *first;
	CoverageCache *coverage;
	StatusPublisher *publisher;

	/* any thread: engine.c */
	gint stop, paused, woken; /* atomic */
	RequestQueue *requests;
	uint64_t last_sync; /* main thread */

	/* only the engine's thread uses these; handles.c sets them */
	Writer *writer; /* NULL: the index cannot be opened */
	Settings *settings;
	Rules *rules;
	bool configured; /* crawl and pipeline use the current settings */
};

/* ---- handles.c: the open index, and the objects made from the settings */

/* Opens the index if it is closed. */
bool handles_open_index(Engine *engine, GError **error);
/* Forgets everything in memory after an error that lost the transaction. damaged: the index is
 * closed too, so that opening it creates a new one. */
void handles_forget(Engine *engine, bool damaged);
/* Takes ownership of the settings. They are used from the next handles_configure() on. */
bool handles_set_settings(Engine *engine, Settings *settings, GError **error);
/* Makes crawl and pipeline use the settings if they do not do so yet. */
bool handles_configure(Engine *engine, int64_t now_us, GError **error);
/* Retries the files that could not be read, or waited for the next day. */
bool handles_retry_unread(Engine *engine, GError **error);

/* ---- requests.c: requests of the main thread */

/* Serves all requests. recovering: requests that need the index are answered with the error. */
bool requests_serve(Engine *engine, bool recovering, int64_t now_us, GError **error);

/* ---- tick.c, tick-steps.c: one pass of the engine's loop */

/* Runs one tick. Returns when the next one is due if nothing happens (monotonic); INT64_MAX:
 * never. */
int64_t tick_run(Engine *engine);

/* ---- engine-status.c */

/* The caller owns the status. */
EngineStatus *engine_status_of(Engine *engine, int64_t now_us);
