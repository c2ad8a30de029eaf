/* SPDX-License-Identifier: GPL-3.0-or-later */
/* maintenance.c - tidying up when there is nothing else to do
 *
 * After a bulk of changes the segments of the text index are merged, dead rows purged, pages and
 * the log given back, all in slices between which new hints are served. After a few changes only
 * memory is given back: the next change should cost no more for it.
 *
 * Once a day, and when it is asked for, every dead row is purged, so that the words of what was
 * deleted leave the disk; a scrub empties the logs too. On a battery the daily purge waits. */
#include <config.h>
#include "daemon/engine/engine-private.h"
#include <malloc.h>

enum { BULK_ROWS = 2000, SOON_US = 1000 * 1000, LATER_US = 3000 * 1000 };
enum { DAY_S = 24 * 3600, SCRUB_AGAIN_US = 200 * 1000, SCRUB_PATIENCE_US = 20 * 1000 * 1000 };
#define PURGED "purged_s" /* meta: UTC seconds of the last full purge */

void maintenance_note(Engine *engine, unsigned changes, int64_t now_us)
{
	engine->untidy += changes;
	engine->deaths |= changes > 0;
	int64_t soon_us = engine->bulk ? 0 : SOON_US;
	engine->maintenance_us = now_us + (engine->untidy >= BULK_ROWS ? soon_us : LATER_US);
}

void maintenance_compact(Engine *engine, bool scrub, EngineReply reply, void *data)
{
	Sync waiter = {.reply = reply, .data = data};
	engine->tidy_all = true;
	engine->purged_all = false;
	engine->scrub |= scrub;
	engine->scrub_until_us = 0;
	engine->maintenance_us = 0;
	if (reply)
		g_array_append_val(engine->tidiers, waiter);
}

static bool note_purge(Engine *engine, int64_t now_us, GError **error)
{
	g_autofree char *now =
	        g_strdup_printf("%" G_GINT64_FORMAT, g_get_real_time() / G_USEC_PER_SEC);
	engine->deaths = false;
	engine->purge_us = now_us + (int64_t)DAY_S * G_USEC_PER_SEC;
	return writer_set_meta(engine->writer, PURGED, now, error) &&
	       writer_commit(engine->writer, error);
}

bool maintenance_plan(Engine *engine, int64_t now_us, GError **error)
{
	int64_t purged_s, now_s = g_get_real_time() / G_USEC_PER_SEC;
	if (!engine->watch)
		return true;
	if (!writer_get_meta_int(engine->writer, PURGED, 0, &purged_s, error))
		return false;
	engine->deaths = true; /* from before the start */
	int64_t wait_s = purged_s == 0 ? DAY_S : CLAMP(purged_s + DAY_S - now_s, 0, DAY_S);
	engine->purge_us = now_us + wait_s * G_USEC_PER_SEC;
	return purged_s != 0 || note_purge(engine, now_us, error);
}

bool maintenance_is_due(const Engine *engine, int64_t now_us)
{
	return engine->untidy >= BULK_ROWS && engine->maintenance_us <= now_us;
}

int64_t maintenance_next_us(const Engine *engine)
{
	return MIN(engine->maintenance_us, engine->deaths ? engine->purge_us : INT64_MAX);
}

static void begin_daily_purge(Engine *engine, int64_t now_us)
{
	enum { ANY_BATTERY = 101 };
	if (!engine->deaths || now_us < engine->purge_us)
		return;
	if (load_policy_ask("", ANY_BATTERY) == LOAD_LOW)
		maintenance_compact(engine, false, NULL, NULL);
	else
		engine->purge_us = now_us + (int64_t)DAY_S * G_USEC_PER_SEC / 24;
}

static bool tidy_index(Engine *engine, bool *more_r, GError **error)
{
	Writer *writer = engine->writer;
	*more_r = false;
	if (engine->tidy_all && !engine->purged_all &&
	        !writer_purge_step(writer, true, more_r, error))
		return false;
	if (*more_r)
		return true;
	engine->purged_all = engine->tidy_all;
	if (!writer_merge_step(writer, more_r, error))
		return false;
	if (!*more_r && !writer_purge_step(writer, false, more_r, error))
		return false;
	if (!*more_r && !writer_vacuum_step(writer, more_r, error))
		return false;
	return *more_r || writer_checkpoint(writer, error);
}

static void answer_tidiers(Engine *engine, bool done)
{
	for (guint i = 0; i < engine->tidiers->len; i++) {
		const Sync *waiter = &g_array_index(engine->tidiers, Sync, i);
		report_answer(waiter->reply, waiter->data, done, NULL);
	}
	g_array_set_size(engine->tidiers, 0);
	engine->tidy_all = engine->scrub = false;
}

/* All is purged, merged and vacuumed. *deferred_r: a reader still holds a log. */
static bool end_compaction(Engine *engine, int64_t now_us, bool *deferred_r, GError **error)
{
	bool done = true;
	*deferred_r = false;
	if (!note_purge(engine, now_us, error) ||
	        (engine->scrub && !writer_scrub_end(engine->writer, &done, error)))
		return false;
	if (engine->scrub_until_us == 0)
		engine->scrub_until_us = now_us + SCRUB_PATIENCE_US;
	*deferred_r = !done && now_us < engine->scrub_until_us;
	if (!*deferred_r)
		answer_tidiers(engine, done);
	return true;
}

bool maintenance_run(Engine *engine, int64_t now_us, bool *more_r, GError **error)
{
	bool deferred = false;
	*more_r = false;
	begin_daily_purge(engine, now_us);
	if (now_us < engine->maintenance_us)
		return true;
	bool tidy = engine->tidy_all || engine->untidy >= BULK_ROWS;
	if (tidy && !tidy_index(engine, more_r, error))
		return false;
	if (*more_r)
		return true;
	if (engine->tidy_all && !end_compaction(engine, now_us, &deferred, error))
		return false;
	engine->untidy = tidy ? 0 : engine->untidy;
	engine->maintenance_us = deferred ? now_us + SCRUB_AGAIN_US : INT64_MAX;
	writer_rest(engine->writer);
	malloc_trim(0);
	return true;
}
