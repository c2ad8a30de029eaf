/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/engine/maintenance.h"
#include "daemon/engine/load-policy.h"
#include <malloc.h>

enum { MANY_ROWS = 2000, MANY_ROWS_US = 1000 * 1000, FEW_ROWS_US = 3000 * 1000 };
enum { DAY_S = 24 * 3600, SCRUB_AGAIN_US = 200 * 1000, SCRUB_PATIENCE_US = 20 * 1000 * 1000 };
#define PURGED "purged_s" /* meta key: UTC seconds of the last full purge */

typedef struct {
	EngineReply reply;
	void *data;
} CompactionWaiter;

struct Maintenance {
	bool daily;
	const char *root; /* prefix of /sys and /proc */
	int64_t due_us; /* INT64_MAX: there is nothing to do */
	unsigned changes; /* rows changed since the last run */
	bool purge_all; /* purges every deleted row, whatever it costs */
	MaintenanceStores stores; /* NULL: there are none */
	void *stores_data;
	bool stores_whole; /* no store had to be left as it was */
	bool stored_all; /* the stores are compacted; the purge is left */
	bool purged_all; /* the purge is done; merge and vacuum are left */
	bool merged, learned, vacuumed; /* so are these, as far as the last slice knew */
	int64_t learn_us; /* when the next slice of a training is due, which follows many changes;
	                     INT64_MAX: there is none */
	bool purged; /* no purge is worth it since the last change; merge and vacuum are left */
	bool scrub;
	int64_t scrub_until_us; /* until then a reader that holds a log is waited for; 0: no wait
	                           yet */
	GArray *waiters; /* CompactionWaiter */
	bool deletions; /* there may be something for a full purge since the last one began */
	int64_t purge_us; /* when the next daily purge is due */
};

Maintenance *maintenance_new(bool daily, const char *root)
{
	Maintenance *m = g_new0(Maintenance, 1);
	m->daily = daily;
	m->root = root;
	m->due_us = m->purge_us = m->learn_us = INT64_MAX;
	m->stores_whole = true;
	m->waiters = g_array_new(FALSE, FALSE, sizeof(CompactionWaiter));
	return m;
}

void maintenance_set_stores(Maintenance *m, MaintenanceStores stores, void *data)
{
	m->stores = stores;
	m->stores_data = data;
}

void maintenance_note_dead(Maintenance *m)
{
	m->deletions = true;
}

void maintenance_free(Maintenance *m)
{
	g_array_unref(m->waiters);
	g_free(m);
}

void maintenance_note(Maintenance *m, unsigned changes, bool bulk, int64_t now_us)
{
	m->changes += changes;
	m->purged = false;
	m->deletions |= changes > 0;
	int64_t many_us = bulk ? 0 : MANY_ROWS_US;
	if (m->purge_all) /* it goes on with the next tick that has nothing else to do */
		return;
	m->due_us = now_us + (m->changes >= MANY_ROWS ? many_us : FEW_ROWS_US);
}

void maintenance_compact(Maintenance *m, bool scrub, EngineReply reply, void *data)
{
	CompactionWaiter waiter = {reply, data};
	m->purge_all = true;
	m->deletions = false;
	m->stored_all = m->purged_all = m->merged = m->learned = m->vacuumed = false;
	m->scrub |= scrub;
	m->scrub_until_us = 0;
	m->due_us = 0;
	if (reply)
		g_array_append_val(m->waiters, waiter);
}

const char *maintenance_compaction_step(const Maintenance *m)
{
	if (!m->purge_all)
		return NULL;
	return !m->stored_all && m->stores ? "stores"
	       : !m->purged_all            ? "purge"
	       : !m->merged                ? "merge"
	       : !m->learned               ? "learn"
	       : !m->vacuumed              ? "vacuum"
	                                   : "logs";
}

static bool note_purge(Maintenance *m, Writer *writer, int64_t now_us, GError **error)
{
	g_autofree char *now =
	        g_strdup_printf("%" G_GINT64_FORMAT, g_get_real_time() / G_USEC_PER_SEC);
	m->purge_us = now_us + (int64_t)DAY_S * G_USEC_PER_SEC;
	return writer_set_meta(writer, PURGED, now, error) && writer_commit(writer, error);
}

bool maintenance_plan(Maintenance *m, Writer *writer, int64_t now_us, GError **error)
{
	int64_t purged_s, now_s = g_get_real_time() / G_USEC_PER_SEC;
	if (!m->daily)
		return true;
	if (!writer_get_meta_int(writer, PURGED, 0, &purged_s, error))
		return false;
	m->deletions = true; /* from before the start */
	m->learn_us = now_us + (int64_t)FEW_ROWS_US; /* one may have been cut */
	int64_t wait_s = purged_s == 0 ? DAY_S : CLAMP(purged_s + DAY_S - now_s, 0, DAY_S);
	m->purge_us = now_us + wait_s * G_USEC_PER_SEC;
	return purged_s != 0 || note_purge(m, writer, now_us, error);
}

bool maintenance_is_due(const Maintenance *m, int64_t now_us)
{
	return m->changes >= MANY_ROWS && m->due_us <= now_us;
}

int64_t maintenance_next_us(const Maintenance *m)
{
	return MIN(MIN(m->due_us, m->learn_us), m->deletions ? m->purge_us : INT64_MAX);
}

static void begin_daily_purge(Maintenance *m, int64_t now_us)
{
	enum { ANY_BATTERY = 101 };
	if (m->purge_all || !m->deletions || now_us < m->purge_us)
		return;
	if (load_policy_ask(m->root, ANY_BATTERY) == LOAD_LOW)
		maintenance_compact(m, false, NULL, NULL);
	else
		m->purge_us = now_us + (int64_t)DAY_S * G_USEC_PER_SEC / 24;
}

static bool maintenance_step(Maintenance *m, Writer *writer, bool *more_r, GError **error)
{
	*more_r = false;
	if (m->purge_all && !m->stored_all && m->stores &&
	        !m->stores(m->stores_data, m->scrub, more_r, &m->stores_whole, error))
		return false;
	if (*more_r)
		return true;
	m->stored_all = m->purge_all;
	if (m->purge_all && !m->purged_all && !writer_purge_step(writer, true, more_r, error))
		return false;
	if (*more_r)
		return true;
	m->purged_all = m->purge_all;
	if (!m->purged && !writer_purge_step(writer, false, more_r, error))
		return false;
	m->purged = !*more_r; /* finding that out reads a row of each content */
	if (!*more_r && !writer_merge_step(writer, more_r, error))
		return false;
	m->merged = !*more_r;
	bool learns = m->purge_all && !*more_r;
	if (learns && !writer_meaning_step(writer, true, more_r, error))
		return false;
	m->learned = !*more_r;
	if (!*more_r && !writer_vacuum_step(writer, m->purge_all, more_r, error))
		return false;
	m->vacuumed = !*more_r;
	return *more_r || writer_checkpoint(writer, error);
}

static void maintenance_answer(Maintenance *m, bool done)
{
	for (guint i = 0; i < m->waiters->len; i++) {
		const CompactionWaiter *waiter = &g_array_index(m->waiters, CompactionWaiter, i);
		answer_post(waiter->reply, waiter->data, done, NULL);
	}
	g_array_set_size(m->waiters, 0);
	m->purge_all = m->scrub = false;
}

/* Ends a compaction after everything is purged, merged and vacuumed. *deferred_r: a reader still
 * holds a log. */
static bool end_compaction(
        Maintenance *m, Writer *writer, int64_t now_us, bool *deferred_r, GError **error)
{
	bool done = true;
	*deferred_r = false;
	if (!note_purge(m, writer, now_us, error) ||
	        (m->scrub && !writer_scrub_end(writer, &done, error)))
		return false;
	if (m->scrub_until_us == 0)
		m->scrub_until_us = now_us + SCRUB_PATIENCE_US;
	*deferred_r = !done && now_us < m->scrub_until_us;
	if (!*deferred_r)
		maintenance_answer(m, done && (!m->scrub || m->stores_whole));
	return true;
}

/* Nobody waits for a training, so it is not work that is left: only time says that it goes on. It
 * waits while the machine runs on battery, or others wait for memory or disks. */
static bool maintenance_learn(Maintenance *m, Writer *writer, int64_t now_us, GError **error)
{
	enum { ANY_BATTERY = 101, LATER_S = 600 };
	bool more;
	if (load_policy_ask(m->root, ANY_BATTERY) != LOAD_LOW) {
		m->learn_us = now_us + (int64_t)LATER_S * G_USEC_PER_SEC;
		return true;
	}
	if (!writer_meaning_step(writer, false, &more, error))
		return false;
	m->learn_us = more ? now_us : INT64_MAX;
	if (!more) {
		writer_rest(writer);
		malloc_trim(0);
	}
	return true;
}

bool maintenance_run(Maintenance *m, Writer *writer, int64_t now_us, bool *more_r, GError **error)
{
	bool deferred = false;
	*more_r = false;
	begin_daily_purge(m, now_us);
	if (now_us < m->due_us)
		return now_us < m->learn_us || maintenance_learn(m, writer, now_us, error);
	bool many = m->purge_all || m->changes >= MANY_ROWS;
	if (many && !maintenance_step(m, writer, more_r, error))
		return false;
	if (!many && writer_log_is_long(writer) && !writer_checkpoint(writer, error))
		return false;
	if (*more_r)
		return true;
	if (m->purge_all && !end_compaction(m, writer, now_us, &deferred, error))
		return false;
	if (many && m->daily)
		m->learn_us = now_us;
	m->changes = many ? 0 : m->changes;
	m->due_us = deferred ? now_us + SCRUB_AGAIN_US : INT64_MAX;
	writer_rest(writer);
	malloc_trim(0);
	return true;
}
