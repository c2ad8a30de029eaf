/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine-private.h - the engine's handles and owners, and who works with them
 *
 * State lies with owners, each opaque in its own file (committer.h, maintenance.h, ...). None knows
 * another one: the steps of the tick (tick-steps.c) ask one and tell another. */
#pragma once
#include "daemon/engine/committer.h"
#include "daemon/engine/coverage-cache.h"
#include "daemon/engine/engine.h"
#include "daemon/engine/load-gate.h"
#include "daemon/engine/maintenance.h"
#include "daemon/engine/plugin-record.h"
#include "daemon/engine/recovery.h"
#include "daemon/engine/request-queue.h"
#include "daemon/engine/rescan-policy.h"
#include "daemon/engine/status-publisher.h"
#include "daemon/engine/sync-waiters.h"
#include "daemon/ingest/journal.h"

/* Entries that are due within this time are waited for. */
enum { ENGINE_NEARLY_DUE_US = 100 * 1000 };

struct Engine {
	/* set once, before the thread starts: engine.c */
	char *index_dir, *cache_dir;
	bool watch;
	const gint *no_room; /* of EngineOptions */
	int wake_fd, mounts_fd;
	Own *own;
	Hints *hints;
	Notify *notify; /* NULL: everything is polled */
	ResultQueue *results;
	Loader *loader;
	Pool *pool;
	Crawl *crawl;
	Pipeline *pipeline;
	Journal *journal;
	GThread *thread;

	/* set once; the engine's thread alone calls them, but for copies of the status */
	Committer *committer;
	Maintenance *maintenance;
	Recovery *recovery;
	SyncWaiters *waiters;
	RescanPolicy *rescans;
	LoadGate *gate;
	PluginRecord *plugins;
	CoverageCache *coverage;
	StatusPublisher *publisher;

	/* any thread: engine.c */
	gint stop, paused, woken; /* atomic */
	RequestQueue *requests;
	uint64_t last_sync; /* main thread */

	/* engine's thread: written by handles.c */
	Writer *writer; /* NULL: the index cannot be opened */
	Settings *settings;
	Rules *rules;
	bool configured; /* crawl and pipeline use the settings */
};

/* ---- handles.c: the open index, and what is made of the settings */

/* Opens the index if it is closed. */
bool handles_open_index(Engine *engine, GError **error);
/* An error lost the transaction: everything known in memory is forgotten. damaged: the index is
 * closed, so that opening it makes a new one. */
void handles_forget(Engine *engine, bool damaged);
/* Takes settings over. They are used from the next handles_configure() on. */
void handles_set_settings(Engine *engine, Settings *settings);
/* Makes crawl and pipeline use the settings, if they do not yet. */
bool handles_configure(Engine *engine, int64_t now_us, GError **error);
/* Files that could not be read may be readable by now. */
bool handles_retry_unread(Engine *engine, GError **error);

/* ---- requests.c: what the main thread asks for */

/* Serves all requests. recovering: those that need the index are answered with the error. */
bool requests_serve(Engine *engine, bool recovering, int64_t now_us, GError **error);

/* ---- tick.c, tick-steps.c: one pass through everything there is to do */

/* Returns when the next tick is due if nothing happens (monotonic); INT64_MAX: never. */
int64_t tick_run(Engine *engine);

/* ---- engine-status.c */

/* Yours. */
EngineStatus *engine_status_of(Engine *engine, int64_t now_us);
