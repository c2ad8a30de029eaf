/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/engine/tick-steps.h"

enum { WORKING = 1, RECOVERING = 2, FAILED = 4 };

/* In the order of their work. */
typedef enum {
	STEP_DISCARD_RESULTS,
	STEP_OPEN_INDEX,
	STEP_CONFIGURE,
	STEP_TAKE_HINTS,
	STEP_SERVE_REQUESTS,
	STEP_CONFIGURE_AGAIN,
	STEP_ACCOUNT,
	STEP_TAKE_RESULTS,
	STEP_RESCAN,
	STEP_RECONCILE,
	STEP_PURGE_ORPHANS,
	STEP_FILL,
	STEP_COMMIT,
	STEP_NOTE_CLEAN,
	STEP_COUNT,
	STEP_CHOOSE_BULK,
	STEP_STORE_PLUGINS,
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
        /* Results of before the error would be written by jobs that are forgotten. */
        [STEP_DISCARD_RESULTS] = {"discard results", step_discard_results, RECOVERING},
        /* All that follows needs the index. */
        [STEP_OPEN_INDEX] = {"open index", step_open_index, WORKING},
        /* Hints are about directories below the roots: without roots they are dropped. */
        [STEP_CONFIGURE] = {"configure", step_configure, WORKING},
        /* Before requests: what somebody did before he asked is in the queue when he is served. */
        [STEP_TAKE_HINTS] = {"take hints", step_take_hints, WORKING},
        [STEP_SERVE_REQUESTS] = {"serve requests", step_serve_requests, WORKING | RECOVERING},
        /* A request may have brought new settings. */
        [STEP_CONFIGURE_AGAIN] = {"configure again", step_configure, WORKING},
        /* Work begins here; whether it may is asked first. */
        [STEP_ACCOUNT] = {"account", step_account, WORKING},
        /* Results make room for the next files, and what they take counts against the commit. */
        [STEP_TAKE_RESULTS] = {"take results", step_take_results, WORKING},
        /* Marks directories for the visits that follow. */
        [STEP_RESCAN] = {"rescan", step_rescan, WORKING},
        /* Names before contents: a job is made of a row that was just compared. */
        [STEP_RECONCILE] = {"reconcile", step_reconcile, WORKING},
        /* After all names that are due: a file that was renamed has been found by now. */
        [STEP_PURGE_ORPHANS] = {"purge orphans", step_purge_orphans, WORKING},
        /* Also writes: tries are counted before a file is begun. */
        [STEP_FILL] = {"fill", step_fill, WORKING},
        /* After all that a change of a file writes. What later steps write is committed by the next
         * tick. */
        [STEP_COMMIT] = {"commit", step_commit, WORKING},
        /* The times that `status` shows. */
        [STEP_NOTE_CLEAN] = {"note clean", step_note_clean, WORKING},
        [STEP_COUNT] = {"count", step_count, WORKING},
        /* By the counts, and between two transactions, since it commits. */
        [STEP_CHOOSE_BULK] = {"choose bulk", step_choose_bulk, WORKING},
        /* Not in bulk mode: a change before all others would end the first part of a first index
         * too early. */
        [STEP_STORE_PLUGINS] = {"store plugins", step_store_plugins, WORKING},
        /* Only when nothing else is to be done. Each slice commits, so nothing may be left for
         * it. */
        [STEP_MAINTAIN] = {"maintain", step_maintain, WORKING},
        /* Whatever happened, the status tells it before the engine sleeps. */
        [STEP_PUBLISH] = {"publish", step_publish, WORKING | RECOVERING | FAILED},
        /* After publishing: who is answered may ask for the status next. */
        [STEP_ANSWER] = {"answer", step_answer, WORKING},
};

/* A rename is one change, never a loss and a find. */
G_STATIC_ASSERT(STEP_RECONCILE < STEP_PURGE_ORPHANS);
/* Names are searchable before contents. */
G_STATIC_ASSERT(STEP_RECONCILE < STEP_FILL);
/* No change waits for the next tick to become visible. */
G_STATIC_ASSERT(STEP_TAKE_RESULTS < STEP_COMMIT && STEP_RECONCILE < STEP_COMMIT);
G_STATIC_ASSERT(STEP_PURGE_ORPHANS < STEP_COMMIT && STEP_FILL < STEP_COMMIT);
/* No change waits for maintenance. */
G_STATIC_ASSERT(STEP_COMMIT < STEP_MAINTAIN);
G_STATIC_ASSERT(STEP_COUNT < STEP_CHOOSE_BULK);
/* Who is answered finds his changes in the index, and reads a status of after them. */
G_STATIC_ASSERT(STEP_COMMIT < STEP_ANSWER && STEP_PUBLISH < STEP_ANSWER);
G_STATIC_ASSERT(STEP_ANSWER == N_STEPS - 1);

int64_t tick_run(Engine *engine)
{
	Tick tick = {.engine = engine, .now_us = g_get_monotonic_time()};
	tick.recovering = recovery_until_us(engine->recovery) > tick.now_us;
	unsigned state = tick.recovering ? RECOVERING : WORKING;
	for (const TickStep *step = steps; step < steps + N_STEPS; step++) {
		g_autoptr(GError) error = NULL;
		if (!(step->when & state) || step->run(&tick, &error))
			continue;
		g_debug("tick: %s: %s", step->name, error->message);
		tick_recover(&tick, error);
		state = FAILED;
	}
	return tick_next_us(&tick);
}
