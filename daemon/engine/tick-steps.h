/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tick-steps.h - the steps of a tick (their order and its reasons: tick.c) */
#pragma once
#include "daemon/engine/engine-private.h"

typedef struct {
	Engine *engine;
	int64_t now_us; /* when the tick began, monotonic */
	int64_t yields_until_us; /* results wait that long for files that were just saved; 0: none
	                            waits */
	bool recovering; /* the index may not be tried yet */
	bool more; /* there is work that can be done at once: the next tick follows immediately */
} Tick;

/* False with error: the index failed, and the transaction is lost. */
typedef bool (*TickStepFunc)(Tick *tick, GError **error);

bool step_discard_results(Tick *tick, GError **error);
bool step_open_index(Tick *tick, GError **error);
bool step_configure(Tick *tick, GError **error);
bool step_take_hints(Tick *tick, GError **error);
bool step_serve_requests(Tick *tick, GError **error);
bool step_use_plugins(Tick *tick, GError **error);
bool step_check_room(Tick *tick, GError **error);
bool step_account(Tick *tick, GError **error);
bool step_take_results(Tick *tick, GError **error);
bool step_rescan(Tick *tick, GError **error);
bool step_reconcile(Tick *tick, GError **error);
bool step_purge_orphans(Tick *tick, GError **error);
bool step_web(Tick *tick, GError **error);
bool step_begin_day(Tick *tick, GError **error);
bool step_fill(Tick *tick, GError **error);
bool step_commit(Tick *tick, GError **error);
bool step_merge(Tick *tick, GError **error);
bool step_note_clean(Tick *tick, GError **error);
bool step_count(Tick *tick, GError **error);
bool step_choose_bulk(Tick *tick, GError **error);
bool step_store_plugins(Tick *tick, GError **error);
bool step_note_first_index(Tick *tick, GError **error);
bool step_maintain(Tick *tick, GError **error);
bool step_publish(Tick *tick, GError **error);
bool step_answer(Tick *tick, GError **error);

/* Handles the failure of a step: drops everything in memory, to compare it again later. */
void tick_recover(Tick *tick, const GError *error);
/* Returns when the next tick is due if nothing happens. */
int64_t tick_next_us(const Tick *tick);
