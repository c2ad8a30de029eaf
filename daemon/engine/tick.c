/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tick.c - one round of the engine's loop */
#include <config.h>
#include "daemon/engine/engine-private.h"
#include <sys/statvfs.h>

enum {
	ENTRIES = 512, /* due entries a round */
	VISITED = 512, /* entries visited a round */
	RESULTS = 64, /* of the loader and the pool, a round */
	DISK_CHECK_US = 1000 * 1000,
	LOAD_CHECK_US = 10 * 1000 * 1000,
	COUNT_US = 1000 * 1000,
	BULK_FILES = 500,
	RESCAN_LEAST_S = 600, /* between two comparisons for doubts that nobody waits for */
	RESCAN_SHARE = 100, /* they take one part in so many of the time */
};

static void take_hints(Engine *engine, int64_t now_us)
{
	g_auto(HintBatch) batch = {0};
	hints_take(engine->hints, &batch);
	if (engine->configured)
		crawl_take_hints(engine->crawl, &batch, now_us);
	if (batch.overflow)
		requests_renew_cookies(engine);
	if (batch.cookie <= engine->cookie_seen)
		return;
	/* Somebody waits for all that came before it: nothing of that rests until it is quiet. */
	engine->cookie_seen = batch.cookie;
	queue_flush(engine->crawl->queue, now_us);
}

/* Converters that run stop for a while, too, unless what was just saved is among their work. */
static void keep_cpu_limit(Engine *engine, int64_t now_us)
{
	cpu_limit_expect(&engine->cpu_limit, commit_expected_us(engine));
	engine->resting = !cpu_limit_may_work(&engine->cpu_limit, now_us);
	bool hold = engine->resting && !pipeline_is_urgent(engine->pipeline);
	if (hold != engine->held)
		pool_hold(engine->pool, engine->held = hold);
}

/* A large piece of work waits for its turn, and what somebody just saved passes it. */
static bool tick_waits(Engine *engine, uint64_t text, int64_t now_us)
{
	engine->next_text = text;
	if (text == 0 || engine->cpu_limit.percent == 0)
		return false;
	keep_cpu_limit(engine, now_us);
	return engine->resting && !report_has_syncs(engine);
}

/* The next result; NULL: none now. */
static IngestResult *tick_next_result(Engine *engine, int64_t now_us)
{
	const IngestResult *oldest = result_queue_peek(engine->results);
	bool waits = oldest && !pipeline_result_is_urgent(oldest) &&
	             tick_waits(engine, commit_large_text(oldest), now_us);
	return result_queue_take(engine->results, waits ? pipeline_result_is_urgent : NULL);
}

static bool tick_take_result(Engine *engine, IngestResult *result, int64_t now_us, GError **error)
{
	uint64_t large = commit_large_text(result);
	int64_t before_us = large > 0 ? commit_thread_cpu_us() : 0;
	engine->next_text = 0;
	bool ok = pipeline_take(engine->pipeline, result, now_us, error);
	result_queue_finish(engine->results, result);
	if (ok && large > 0)
		commit_note_taken(engine, large, commit_thread_cpu_us() - before_us);
	return ok;
}

static bool tick_take_results(Engine *engine, int64_t now_us, GError **error)
{
	for (unsigned i = 0; i < RESULTS && commit_has_room(engine); i++) {
		IngestResult *result = tick_next_result(engine, now_us);
		if (!result)
			return true;
		if (!tick_take_result(engine, result, now_us, error))
			return false;
	}
	engine->more = !commit_is_held_back(engine, now_us);
	return true;
}

/* In recovery: the rows that the results belong to are looked at again anyway. */
static void tick_discard_results(Engine *engine)
{
	for (unsigned i = 0; i < RESULTS; i++) {
		IngestResult *result = result_queue_take(engine->results, NULL);
		if (!result)
			return;
		pipeline_discard(engine->pipeline, result);
		result_queue_finish(engine->results, result);
	}
	engine->more = true;
}

/* ---- conversions */

static void tick_check_disk(Engine *engine, int64_t now_us)
{
	struct statvfs fs;
	uint64_t reserve = settings_int(engine->settings, "daemon", "disk-reserve", NULL);
	if (now_us < engine->disk_check_us)
		return;
	engine->disk_check_us = now_us + DISK_CHECK_US;
	bool low = statvfs(engine->index_dir, &fs) == 0 &&
	           (uint64_t)fs.f_bavail * fs.f_frsize < reserve;
	if (low && !engine->low_disk)
		g_warning("the disk of the index is nearly full: nothing is converted");
	engine->low_disk = low;
}

static void check_load(Engine *engine, int64_t now_us)
{
	if (now_us < engine->load_policy_check_us)
		return;
	engine->load_policy_check_us = now_us + LOAD_CHECK_US;
	load_policy_consider(&engine->load_policy, "",
	        settings_int(engine->settings, "daemon", "pause-on-battery", NULL), now_us);
}

/* Names first: while directories are being visited, only what was just saved is converted. */
static bool tick_fill(Engine *engine, int64_t now_us, GError **error)
{
	PipelineCounts counts;
	pipeline_counts(engine->pipeline, &counts);
	if (!counts.backlog && !counts.deferred && counts.urgent == 0 && counts.held == 0)
		return true;
	tick_check_disk(engine, now_us);
	if (engine->low_disk || g_atomic_int_get(&engine->paused))
		return true;
	if (counts.backlog || counts.deferred)
		check_load(engine, now_us);
	bool backlog = crawl_is_clean(engine->crawl, now_us) &&
	               engine->load_policy.verdict == LOAD_LOW && !engine->resting;
	return pipeline_fill(engine->pipeline, backlog, now_us, error);
}

/* ---- the round */

static bool waits_for_rescan(const Engine *engine, const Sync *sync)
{
	return sync->cookie <= engine->cookie_seen && !sync->sure;
}

bool tick_is_certain(const Engine *engine)
{
	for (guint i = 0; i < engine->syncs->len; i++) {
		if (waits_for_rescan(engine, &g_array_index(engine->syncs, Sync, i)))
			return false;
	}
	return true;
}

/* Everything that happened before they asked has been looked at: the doubts that are left are
 * settled once for each who waits, whatever comes meanwhile. */
static bool rescan_for_waiting(Engine *engine, int64_t now_us)
{
	if (tick_is_certain(engine) || !crawl_is_clean(engine->crawl, now_us + ENGINE_SOON_US))
		return false;
	for (guint i = 0; i < engine->syncs->len; i++) {
		Sync *sync = &g_array_index(engine->syncs, Sync, i);
		sync->sure |= waits_for_rescan(engine, sync);
	}
	return crawl_needs_rescan(engine->crawl);
}

static bool may_rescan(const Engine *engine, int64_t now_us)
{
	return crawl_needs_rescan(engine->crawl) && now_us >= engine->rescan_due_us &&
	       crawl_is_clean(engine->crawl, now_us);
}

static void resolve_suspicions(Engine *engine, int64_t now_us)
{
	if (!rescan_for_waiting(engine, now_us) && !may_rescan(engine, now_us))
		return;
	crawl_mark_all(engine->crawl);
	engine->comparing = true;
	engine->compare_us = now_us;
}

static void note_compared(Engine *engine, int64_t now_us)
{
	int64_t took_us = now_us - engine->compare_us;
	if (engine->compare_us == 0)
		return;
	engine->compare_us = 0;
	engine->rescan_due_us =
	        now_us + MAX(RESCAN_LEAST_S * G_USEC_PER_SEC, RESCAN_SHARE * took_us);
}

static bool tick_verify(Engine *engine, int64_t now_us, GError **error)
{
	resolve_suspicions(engine, now_us);
	if (now_us < engine->verify_us)
		return true;
	crawl_mark_all(engine->crawl);
	engine->comparing = true;
	engine->verify_us = requests_next_verify_us(engine, now_us);
	return requests_retry_unread(engine, error);
}

static bool tick_reconcile(Engine *engine, int64_t now_us, GError **error)
{
	unsigned n;
	bool more = false;
	if (!crawl_poll(engine->crawl, now_us, error))
		return false;
	if (!crawl_entries(engine->crawl, ENTRIES, now_us, &n, error))
		return false;
	/* What events point at goes first, and is no matter of pace. */
	if (n < ENTRIES && !engine->resting &&
	        !crawl_visit(engine->crawl, VISITED, now_us, &more, error))
		return false;
	engine->more |= more || n == ENTRIES;
	return true;
}

/* Somebody waits, and all events before are known: an orphan whose new place lies before that point
 * has been found there. */
static bool knows_what_they_wait_for(const Engine *engine)
{
	for (guint i = 0; i < engine->syncs->len; i++)
		if (g_array_index(engine->syncs, Sync, i).cookie > engine->cookie_seen)
			return false;
	return report_has_syncs(engine);
}

/* How long an orphan is kept. What is still to be read may have its bytes, as after a restore from
 * a backup: then they need not be converted again. */
static int64_t orphan_keep_us(const Engine *engine)
{
	enum { BUSY_US = 30 * 1000 * 1000 };
	if (!pipeline_is_idle(engine->pipeline))
		return BUSY_US;
	return knows_what_they_wait_for(engine) ? 0 : CRAWL_ORPHAN_US;
}

/* Orphans go when nothing is left that could tell where they are. */
static bool purge_orphans(Engine *engine, int64_t now_us, GError **error)
{
	if (!crawl_is_clean(engine->crawl, now_us))
		return true;
	int64_t before_us = now_us - orphan_keep_us(engine);
	if (!crawl_purge_orphans(engine->crawl, before_us, error))
		return false;
	pipeline_note_orphans(engine->pipeline, orphans_left(engine->crawl->orphans));
	engine->more |= crawl_oldest_orphan_us(engine->crawl) <= before_us;
	return true;
}

static void tick_expedite(Engine *engine, int64_t now_us)
{
	bool wanted = report_has_syncs(engine);
	if (wanted != engine->expedited)
		pipeline_expedite(engine->pipeline, engine->expedited = wanted);
}

/* What was queued for new ones is in the index by now. Not at once: a change before all others
 * would end the first part of a first index too early. */
static bool note_converters(Engine *engine, int64_t now_us, GError **error)
{
	g_autofree char *identity = g_strdup_printf("%" G_GINT64_FORMAT, engine->converters);
	int64_t known;
	if (!engine->to_note_converters || engine->bulk || !crawl_is_clean(engine->crawl, now_us) ||
	        !pipeline_is_idle(engine->pipeline))
		return true;
	if (!writer_get_meta_int(engine->writer, META_CONVERTERS, 0, &known, error))
		return false;
	engine->to_note_converters = false;
	return known == engine->converters ||
	       writer_set_meta(engine->writer, META_CONVERTERS, identity, error);
}

static bool note_clean(Engine *engine, int64_t now_us)
{
	if (!crawl_is_clean(engine->crawl, now_us))
		return true;
	note_compared(engine, now_us);
	int64_t now_s = g_get_real_time() / G_USEC_PER_SEC;
	if (!crawl_needs_rescan(engine->crawl))
		engine->last_reconcile_s = now_s;
	if (engine->comparing)
		engine->last_compared_s = now_s;
	engine->comparing = false;
	return true;
}

/* All of a first index is there. It is merged before it is synced, in small transactions: each page
 * goes to the disk about once. */
static bool is_ending_bulk(const Engine *engine, int64_t now_us)
{
	return engine->bulk && crawl_is_clean(engine->crawl, now_us) &&
	       pipeline_is_idle(engine->pipeline) && maintenance_is_due(engine, now_us);
}

static bool tick_maintenance(Engine *engine, int64_t now_us, GError **error)
{
	bool more;
	if (engine->more || engine->resting || !crawl_is_clean(engine->crawl, now_us) ||
	        !pipeline_is_idle(engine->pipeline))
		return true;
	bool ending = is_ending_bulk(engine, now_us);
	crawl_rest(engine->crawl);
	if (!maintenance_run(engine, now_us, &more, error))
		return false;
	engine->more |= more || ending; /* the next round is the end */
	return true;
}

static bool tick_count(Engine *engine, int64_t now_us, GError **error)
{
	if (now_us < engine->counts_us && !pipeline_is_idle(engine->pipeline))
		return true;
	engine->counts_us = now_us + COUNT_US;
	return writer_counts(engine->writer, &engine->counts, error);
}

/* A first index is written in another way (writer_set_bulk). What a person saves meanwhile waits
 * for its commits, but its name. */
static bool choose_bulk(Engine *engine, int64_t now_us, GError **error)
{
	const WriterCounts *counts = &engine->counts;
	bool clean = crawl_is_clean(engine->crawl, now_us);
	bool bulk = engine->bulk;
	if (counts->pending >= BULK_FILES && counts->pending > counts->files / 2)
		bulk = true;
	else if (clean && pipeline_is_idle(engine->pipeline) && !is_ending_bulk(engine, now_us))
		bulk = false;
	if (bulk == engine->bulk)
		return true;
	engine->bulk = bulk;
	return writer_set_bulk(engine->writer, bulk, error);
}

/* Is there work whose pace is to be kept? A backlog that waits for something else is none. */
static bool is_paced(const Engine *engine)
{
	PipelineCounts counts;
	pipeline_counts(engine->pipeline, &counts);
	return engine->cpu_limit.percent > 0 &&
	       (engine->resting || tree_dirty(engine->crawl->tree) > 0 || engine->crawl->visit ||
	               counts.loading + counts.converting > 0);
}

static bool commit_some(Engine *engine, int64_t now_us, GError **error)
{
	return is_ending_bulk(engine, now_us) ? writer_commit(engine->writer, error)
	                                      : commit_if_due(engine, now_us, error);
}

static bool tick_work(Engine *engine, int64_t now_us, GError **error)
{
	keep_cpu_limit(engine, now_us);
	tick_expedite(engine, now_us);
	return tick_take_results(engine, now_us, error) && tick_verify(engine, now_us, error) &&
	       tick_reconcile(engine, now_us, error) && purge_orphans(engine, now_us, error) &&
	       tick_fill(engine, now_us, error) && commit_some(engine, now_us, error) &&
	       note_clean(engine, now_us) && tick_count(engine, now_us, error) &&
	       choose_bulk(engine, now_us, error) && note_converters(engine, now_us, error) &&
	       tick_maintenance(engine, now_us, error);
}

static bool try_round(Engine *engine, int64_t now_us, GError **error)
{
	bool in_recovery = engine->last_error && now_us < engine->recovery_until_us;
	if (!in_recovery && !recovery_reopen(engine, error))
		return false;
	if (in_recovery) {
		tick_discard_results(engine);
		return requests_take(engine, true, now_us, error);
	}
	if (!requests_configure(engine, now_us, error))
		return false;
	take_hints(engine, now_us);
	return requests_take(engine, false, now_us, error) &&
	       requests_configure(engine, now_us, error) && tick_work(engine, now_us, error);
}

void tick_run(Engine *engine)
{
	g_autoptr(GError) error = NULL;
	int64_t now_us = g_get_monotonic_time();
	engine->more = false;
	if (!try_round(engine, now_us, &error))
		recovery_begin(engine, error, now_us);
	report_publish(engine, now_us);
	if (!error)
		report_syncs(engine, now_us);
}

static int64_t working_next_us(const Engine *engine)
{
	int64_t now_us = g_get_monotonic_time();
	int64_t orphan_us = crawl_oldest_orphan_us(engine->crawl);
	int64_t next_us =
	        MIN(queue_next_us(engine->crawl->queue), crawl_next_poll_us(engine->crawl));
	bool may_fill = !engine->low_disk && !g_atomic_int_get(&engine->paused);
	next_us = MIN(next_us, report_next_us(engine));
	if (crawl_needs_rescan(engine->crawl))
		next_us = MIN(next_us, MAX(engine->rescan_due_us, now_us));
	if (orphan_us != INT64_MAX)
		next_us = MIN(next_us, orphan_us + orphan_keep_us(engine));
	next_us = MIN(next_us, engine->verify_us);
	if (!commit_is_held_back(engine, now_us))
		next_us = MIN(next_us, commit_due_us(engine, now_us));
	if (may_fill)
		next_us = MIN(next_us, pipeline_next_us(engine->pipeline));
	PipelineCounts counts;
	pipeline_counts(engine->pipeline, &counts);
	if ((counts.backlog || counts.deferred) && engine->load_policy.verdict != LOAD_LOW)
		next_us = MIN(next_us, engine->load_policy_check_us);
	if (engine->low_disk)
		next_us = MIN(next_us, MAX(engine->disk_check_us, now_us));
	if (is_paced(engine))
		next_us = MIN(next_us, cpu_limit_next_us(&engine->cpu_limit, now_us));
	else if (pipeline_is_idle(engine->pipeline))
		next_us = MIN(next_us, maintenance_next_us(engine));
	return next_us;
}

int64_t tick_next_us(const Engine *engine)
{
	if (engine->more)
		return 0;
	if (engine->last_error && engine->recovery_until_us > g_get_monotonic_time())
		return engine->recovery_until_us;
	if (!engine->configured)
		return 0;
	return working_next_us(engine);
}
