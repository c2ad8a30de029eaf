/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/engine/tick-steps.h"

enum { WORKING = 1, RECOVERING = 2, FAILED = 4 };

/* The steps in the order in which they run. */
typedef enum {
	STEP_DISCARD_RESULTS,
	STEP_OPEN_INDEX,
	STEP_CONFIGURE,
	STEP_TAKE_HINTS,
	STEP_SERVE_REQUESTS,
	STEP_CONFIGURE_AGAIN,
	STEP_USE_PLUGINS,
	STEP_CHECK_ROOM,
	STEP_ACCOUNT,
	STEP_TAKE_RESULTS,
	STEP_RESCAN,
	STEP_RECONCILE,
	STEP_PURGE_ORPHANS,
	STEP_WEB,
	STEP_BEGIN_DAY,
	STEP_FILL,
	STEP_COMMIT,
	STEP_MERGE,
	STEP_NOTE_CLEAN,
	STEP_COUNT,
	STEP_CHOOSE_BULK,
	STEP_STORE_PLUGINS,
	STEP_NOTE_FIRST_INDEX,
	STEP_MAINTAIN,
	STEP_PUBLISH,
	STEP_ANSWER,
	N_STEPS
} TickStepNumber;

typedef struct {
	const char *name;
	TickStepFunc run;
	unsigned when;
} TickStep;

static const TickStep steps[N_STEPS] = {
        /* Results from before the error belong to jobs that are forgotten. */
        [STEP_DISCARD_RESULTS] = {"discard results", step_discard_results, RECOVERING},
        /* All later steps need the index. */
        [STEP_OPEN_INDEX] = {"open index", step_open_index, WORKING},
        /* Hints are about directories below the roots; without roots they would be dropped. */
        [STEP_CONFIGURE] = {"configure", step_configure, WORKING},
        /* This comes before requests: when a client is served, the changes that it made before its
         * request are in the queue. */
        [STEP_TAKE_HINTS] = {"take hints", step_take_hints, WORKING},
        [STEP_SERVE_REQUESTS] = {"serve requests", step_serve_requests, WORKING | RECOVERING},
        /* A request may have brought new settings. */
        [STEP_CONFIGURE_AGAIN] = {"configure again", step_configure, WORKING},
        /* A request may have brought other plugins; after an error they are used again. */
        [STEP_USE_PLUGINS] = {"use plugins", step_use_plugins, WORKING},
        /* Work that waits for space on the disk goes on in the next tick. */
        [STEP_CHECK_ROOM] = {"check room", step_check_room, WORKING | RECOVERING},
        /* Work begins after this step, so it checks first whether work is allowed. */
        [STEP_ACCOUNT] = {"account", step_account, WORKING},
        /* Results make room for the next files, and their cost counts for the commit. */
        [STEP_TAKE_RESULTS] = {"take results", step_take_results, WORKING},
        /* This marks directories for the visits that follow. */
        [STEP_RESCAN] = {"rescan", step_rescan, WORKING},
        /* Names come before contents: a job is made from a row that was just compared. */
        [STEP_RECONCILE] = {"reconcile", step_reconcile, WORKING},
        /* This comes after all due names, so a file that was renamed has been found by now. */
        [STEP_PURGE_ORPHANS] = {"purge orphans", step_purge_orphans, WORKING},
        /* Pages that were answered are part of the backlog that follows. */
        [STEP_WEB] = {"web", step_web, WORKING},
        /* Files that waited for the new day are part of the backlog that follows. */
        [STEP_BEGIN_DAY] = {"begin day", step_begin_day, WORKING},
        /* This writes too: a try is counted before work on a file starts. */
        [STEP_FILL] = {"fill", step_fill, WORKING},
        /* This comes after every write that a change of a file causes. Later writes belong to the
         * next commit. */
        [STEP_COMMIT] = {"commit", step_commit, WORKING},
        /* This needs an empty transaction, and prepares for the next ones. */
        [STEP_MERGE] = {"merge", step_merge, WORKING},
        /* These times are shown by `status`. */
        [STEP_NOTE_CLEAN] = {"note clean", step_note_clean, WORKING},
        [STEP_COUNT] = {"count", step_count, WORKING},
        /* This needs the counts, and no open transaction, since it commits. */
        [STEP_CHOOSE_BULK] = {"choose bulk", step_choose_bulk, WORKING},
        /* This waits until bulk mode is over: a write in it would end the first part of a first
         * index too early. */
        [STEP_STORE_PLUGINS] = {"store plugins", step_store_plugins, WORKING},
        /* This writes too, so it comes before maintenance. */
        [STEP_NOTE_FIRST_INDEX] = {"note first index", step_note_first_index, WORKING},
        /* This runs only when there is nothing else to do. Each slice commits, so nothing may be
         * left to commit. */
        [STEP_MAINTAIN] = {"maintain", step_maintain, WORKING},
        /* The status is published before the engine sleeps, also after an error. */
        [STEP_PUBLISH] = {"publish", step_publish, WORKING | RECOVERING | FAILED},
        /* This comes after publishing, because a client that is answered may ask for the status
         * next. */
        [STEP_ANSWER] = {"answer", step_answer, WORKING},
};

/* A rename is one change, never a removal and a new file. */
G_STATIC_ASSERT(STEP_RECONCILE < STEP_PURGE_ORPHANS);
/* Names become searchable before contents. */
G_STATIC_ASSERT(STEP_RECONCILE < STEP_FILL);
/* No change waits for the next tick to become visible. */
G_STATIC_ASSERT(STEP_TAKE_RESULTS < STEP_COMMIT && STEP_RECONCILE < STEP_COMMIT);
G_STATIC_ASSERT(STEP_PURGE_ORPHANS < STEP_COMMIT && STEP_FILL < STEP_COMMIT);
G_STATIC_ASSERT(STEP_WEB < STEP_FILL);
/* No change waits for maintenance. */
G_STATIC_ASSERT(STEP_COMMIT < STEP_MAINTAIN);
G_STATIC_ASSERT(STEP_COUNT < STEP_CHOOSE_BULK);
/* A client that is answered finds its changes in the index, and reads a status that includes
 * them. */
G_STATIC_ASSERT(STEP_COMMIT < STEP_ANSWER && STEP_PUBLISH < STEP_ANSWER);
G_STATIC_ASSERT(STEP_ANSWER == N_STEPS - 1);

/* An error of the index loses the transaction, even if the code that met it could do without its
 * answer. */
static bool tick_step_succeeds(const TickStep *step, Tick *tick, GError **error)
{
	const Engine *engine = tick->engine;
	return step->run(tick, error) && (!engine->writer || writer_check(engine->writer, error));
}

enum { LONG_STEP_US = 5 * 1000 };

typedef struct {
	int64_t us, cpu_us;
} TickTime;

/* Tells which step others had to wait for. The CPU time includes that of the short steps before
 * it. */
static void tick_note_time(const TickStep *step, TickTime *last)
{
	int64_t now_us = g_get_monotonic_time();
	if (now_us - last->us >= LONG_STEP_US) {
		int64_t cpu_us = committer_thread_cpu_us();
		g_debug("tick: %s: %" G_GINT64_FORMAT " us, %" G_GINT64_FORMAT " us of CPU",
		        step->name, now_us - last->us, cpu_us - last->cpu_us);
		last->cpu_us = cpu_us;
	}
	last->us = now_us;
}

int64_t tick_run(Engine *engine)
{
	Tick tick = {.engine = engine, .now_us = g_get_monotonic_time()};
	tick.recovering = recovery_until_us(engine->recovery) > tick.now_us;
	unsigned state = tick.recovering ? RECOVERING : WORKING;
	TickTime last = {tick.now_us, committer_thread_cpu_us()};
	for (const TickStep *step = steps; step < steps + N_STEPS; step++) {
		g_autoptr(GError) error = NULL;
		if (!(step->when & state))
			continue;
		bool ok = tick_step_succeeds(step, &tick, &error);
		tick_note_time(step, &last);
		if (ok)
			continue;
		g_debug("tick: %s: %s", step->name, error->message);
		tick_recover(&tick, error);
		state = FAILED;
	}
	return tick_next_us(&tick);
}
