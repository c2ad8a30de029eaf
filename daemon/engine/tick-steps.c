/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/engine/tick-steps.h"
#include "common/base/i18n.h"

/* The limits of one tick, so that hints and requests wait only for a moment. */
enum { MOST_ENTRIES = 512, MOST_RESULTS = 64, MOST_RESULTS_US = 20 * 1000 };
/* Work that nobody waits for is done in slices, and a slice in pieces: it ends earlier if something
 * has happened that somebody may wait for, but never before STEP_LEAST_US. */
enum { STEP_SLICE_US = 8 * 1000, STEP_LEAST_US = 1000, PIECE_ENTRIES = 32 };

static bool tick_is_clean(const Tick *tick)
{
	return crawl_is_clean(tick->engine->crawl, tick->now_us);
}

/* Has anything changed, or is a file in progress that was just saved? */
static bool tick_is_called(const Tick *tick)
{
	return hints_any(tick->engine->hints) || pipeline_is_urgent(tick->engine->pipeline);
}

static bool tick_slice_is_over(const Tick *tick, int64_t began_us)
{
	int64_t used_us = g_get_monotonic_time() - began_us;
	return used_us >= STEP_SLICE_US || (used_us >= STEP_LEAST_US && tick_is_called(tick));
}

static PipelineCounts counts_of(const Engine *engine)
{
	PipelineCounts counts;
	pipeline_counts(engine->pipeline, &counts);
	return counts;
}

static bool has_backlog(const PipelineCounts *counts)
{
	return counts->backlog || counts->deferred || counts->rehash || counts->signs;
}

static CommitFacts commit_facts(const Tick *tick)
{
	const Engine *engine = tick->engine;
	return (CommitFacts){
	        .counts = counts_of(engine),
	        .changes = engine->writer ? writer_changes(engine->writer) : 0,
	        .scanning = !tick_is_clean(tick),
	        .limited = load_gate_has_cpu_limit(engine->gate),
	        .throttled = load_gate_is_throttled(engine->gate),
	        .awaited = sync_waiters_any(engine->waiters),
	        .urgent = pipeline_is_urgent(engine->pipeline),
	};
}

static bool commit_is_held_back(const Tick *tick)
{
	CommitFacts facts = commit_facts(tick);
	return committer_is_held_back(tick->engine->committer, &facts, tick->now_us);
}

/* Under a CPU limit merging waits, unless a client does. */
static bool tick_merge_is_held(const Tick *tick)
{
	const Engine *engine = tick->engine;
	return load_gate_is_throttled(engine->gate) && !sync_waiters_any(engine->waiters);
}

/* ---- the index, requests and hints */

bool step_open_index(Tick *tick, GError **error)
{
	return handles_open_index(tick->engine, error);
}

bool step_configure(Tick *tick, GError **error)
{
	return handles_configure(tick->engine, tick->now_us, error);
}

bool step_serve_requests(Tick *tick, GError **error)
{
	Engine *engine = tick->engine;
	bool ok = requests_serve(engine, tick->recovering, tick->now_us, error);
	pipeline_expedite(engine->pipeline, sync_waiters_any(engine->waiters));
	return ok;
}

bool step_use_plugins(Tick *tick, GError **error)
{
	Engine *engine = tick->engine;
	unsigned queued;
	if (!plugin_record_use(engine->plugins, engine->writer, &queued, error))
		return false;
	if (queued == 0)
		return true;
	g_message(ngettext("converters have changed: %u file is converted again",
	                  "converters have changed: %u files are converted again", queued),
	        queued);
	pipeline_note_backlog(engine->pipeline);
	return true;
}

bool step_take_hints(Tick *tick, GError **error)
{
	Engine *engine = tick->engine;
	g_auto(HintBatch) batch = {0};
	hints_take(engine->hints, &batch);
	crawl_take_hints(engine->crawl, &batch, tick->now_us);
	if (batch.overflow)
		sync_waiters_note_overflow(engine->waiters);
	/* A client waits for all changes before its cookie, so none of them is debounced. */
	if (sync_waiters_note_cookie(engine->waiters, batch.cookie))
		queue_flush(engine->crawl->queue, tick->now_us);
	return true;
}

/* ---- room on the disk, the CPU limit */

static void check_disk(const Tick *tick)
{
	const Settings *s = tick->engine->settings;
	load_gate_check_disk(
	        tick->engine->gate, settings_int(s, "daemon", "disk-reserve", NULL), tick->now_us);
}

bool step_check_room(Tick *tick, GError **error)
{
	Engine *engine = tick->engine;
	if (load_gate_is_disk_low(engine->gate))
		check_disk(tick);
	if (!load_gate_regains_room(engine->gate, tick->now_us))
		return true;
	g_message("the disk of the index has room again");
	if (engine->writer)
		writer_shrink_log(engine->writer); /* before the next changes make it longer */
	recovery_end_wait(engine->recovery, tick->now_us);
	tick->more = true;
	return true;
}

/* Running children are suspended as well, unless they work on a file that was just saved. */
bool step_account(Tick *tick, GError **error)
{
	Engine *engine = tick->engine;
	uint64_t text = counts_of(engine).text_bytes;
	load_gate_account(
	        engine->gate, committer_expected_us(engine->committer, text), tick->now_us);
	load_gate_suspend_conversions(engine->gate,
	        load_gate_is_throttled(engine->gate) && !pipeline_is_urgent(engine->pipeline));
	return true;
}

/* ---- results of the loader and the pool */

bool step_discard_results(Tick *tick, GError **error)
{
	Engine *engine = tick->engine;
	for (unsigned i = 0; i < MOST_RESULTS; i++) {
		IngestResult *result = result_queue_take(engine->results, false);
		if (!result)
			return true;
		pipeline_discard(engine->pipeline, result);
		result_queue_finish(engine->results, result);
	}
	tick->more = true;
	return true;
}

/* Under a CPU limit large documents wait until they fit into it. */
static bool tick_result_must_wait(Tick *tick, const IngestResult *result)
{
	Engine *engine = tick->engine;
	uint64_t large = committer_large_text(ingest_result_text(result));
	committer_announce(engine->committer, large);
	if (large == 0 || !load_gate_has_cpu_limit(engine->gate))
		return false;
	step_account(tick, NULL);
	return load_gate_is_throttled(engine->gate) && !sync_waiters_any(engine->waiters);
}

/* Segments of earlier documents and names are merged before the next ones, or there would be more
 * of them in the end. */
static bool tick_merges_first(const Tick *tick)
{
	const Writer *writer = tick->engine->writer;
	return writer_merge_is_due(writer) && writer_changes(writer) == 0 &&
	       !tick_merge_is_held(tick);
}

/* A file that was just saved goes before a step, as before documents of other files. */
static bool tick_merge_yields(const Tick *tick, int64_t *until_us)
{
	const Engine *engine = tick->engine;
	CommitFacts facts = commit_facts(tick);
	bool expected = pipeline_expects_saved(engine->pipeline, NULL, tick->now_us);
	return committer_yields(engine->committer, &facts, expected, tick->now_us, until_us);
}

/* The next tick comes when the result need not wait any more, if nothing else happens before. */
static bool tick_result_yields(Tick *tick, const IngestResult *result)
{
	const Engine *engine = tick->engine;
	CommitFacts facts = commit_facts(tick);
	bool expected = facts.scanning ||
	                pipeline_expects_saved(engine->pipeline, result->job, tick->now_us);
	int64_t until_us;
	if (tick_merges_first(tick))
		return true;
	bool yields =
	        committer_yields(engine->committer, &facts, expected, tick->now_us, &until_us);
	tick->yields_until_us = yields ? until_us : 0;
	return yields;
}

/* NULL: there is none now. The result of a file that was just saved may pass a result that waits.
 * further: a result was taken in this tick. */
static IngestResult *next_result(Tick *tick, bool further)
{
	ResultQueue *results = tick->engine->results;
	const IngestResult *oldest = result_queue_peek(results);
	bool waits = oldest && ((further && hints_any(tick->engine->hints)) ||
	                               tick_result_yields(tick, oldest) ||
	                               tick_result_must_wait(tick, oldest));
	return result_queue_take(results, waits);
}

/* *clock_us: the CPU time of this thread before, and after. */
static bool take_result(Tick *tick, IngestResult *result, int64_t *clock_us, GError **error)
{
	Engine *engine = tick->engine;
	uint64_t large = committer_large_text(ingest_result_text(result));
	int64_t before_us = *clock_us;
	committer_announce(engine->committer, 0);
	bool ok = pipeline_take(engine->pipeline, result, tick->now_us, error);
	int64_t cpu_us = (*clock_us = committer_thread_cpu_us()) - before_us;
	result->cpu_us += cpu_us;
	committer_note_work(engine->committer, cpu_us);
	if (!result->urgent)
		committer_note_others(engine->committer, g_get_monotonic_time());
	if (ok && result->unfinished) {
		result_queue_return(engine->results, result);
		return true;
	}
	if (ok)
		committer_note_cost(engine->committer, large, result->cpu_us);
	result_queue_finish(engine->results, result);
	return ok;
}

static bool has_room(const Engine *engine)
{
	return committer_has_room(engine->committer, counts_of(engine).text_bytes,
	        load_gate_has_cpu_limit(engine->gate));
}

/* Takes at least one result if there is room. */
static bool take_results(Tick *tick, GError **error)
{
	int64_t clock_us = committer_thread_cpu_us();
	for (unsigned i = 0; has_room(tick->engine); i++) {
		tick->more = i > 0 && g_get_monotonic_time() > tick->now_us + MOST_RESULTS_US;
		IngestResult *result = tick->more ? NULL : next_result(tick, i > 0);
		if (!result)
			return true;
		if (!take_result(tick, result, &clock_us, error))
			return false;
	}
	tick->more = !commit_is_held_back(tick);
	return true;
}

bool step_take_results(Tick *tick, GError **error)
{
	bool ok = take_results(tick, error);
	pipeline_submit_all(tick->engine->pipeline);
	return ok;
}

/* ---- comparing everything */

/* Suspicions are resolved once for each waiter, after all changes that precede its request. */
static bool must_compare_for_waiters(Tick *tick)
{
	Engine *engine = tick->engine;
	if (!sync_waiters_need_comparison(engine->waiters) ||
	        !crawl_is_clean(engine->crawl, tick->now_us + ENGINE_NEARLY_DUE_US))
		return false;
	sync_waiters_note_comparison(engine->waiters);
	return crawl_needs_rescan(engine->crawl);
}

static bool may_compare(const Tick *tick)
{
	const Engine *engine = tick->engine;
	return crawl_needs_rescan(engine->crawl) &&
	       rescan_policy_may_resolve(engine->rescans, tick->now_us) && tick_is_clean(tick);
}

static void begin_rescan(Tick *tick, RescanCause cause)
{
	crawl_mark_all(tick->engine->crawl);
	rescan_policy_begin(tick->engine->rescans, cause, tick->now_us);
}

bool step_rescan(Tick *tick, GError **error)
{
	if (must_compare_for_waiters(tick) || may_compare(tick))
		begin_rescan(tick, RESCAN_SUSPICION);
	if (!rescan_policy_is_due(tick->engine->rescans, tick->now_us))
		return true;
	begin_rescan(tick, RESCAN_INTERVAL);
	return handles_retry_unread(tick->engine, error);
}

bool step_note_clean(Tick *tick, GError **error)
{
	Engine *engine = tick->engine;
	if (tick_is_clean(tick))
		rescan_policy_note_clean(
		        engine->rescans, crawl_needs_rescan(engine->crawl), tick->now_us);
	return true;
}

/* ---- names */

static bool tick_merges_before_names(const Tick *tick)
{
	int64_t until_us;
	return tick_merges_first(tick) && !tick_merge_yields(tick, &until_us);
}

static bool tick_visit(Tick *tick, GError **error)
{
	int64_t began_us = g_get_monotonic_time();
	bool more;
	do {
		if (!crawl_visit(tick->engine->crawl, PIECE_ENTRIES, tick->now_us, &more, error))
			return false;
	} while (more && !tick_slice_is_over(tick, began_us));
	tick->more |= more;
	return true;
}

/* Entries that events name come first, and do not wait for the CPU limit. */
static bool tick_reconcile(Tick *tick, GError **error)
{
	Crawl *crawl = tick->engine->crawl;
	unsigned n;
	if (!crawl_poll(crawl, tick->now_us, error) ||
	        !crawl_entries(crawl, MOST_ENTRIES, tick->now_us, &n, error))
		return false;
	tick->more |= n == MOST_ENTRIES;
	return n == MOST_ENTRIES || load_gate_is_throttled(tick->engine->gate) ||
	       tick_merges_before_names(tick) || tick_visit(tick, error);
}

/* The rows of a slice are read under one lock of the index. */
bool step_reconcile(Tick *tick, GError **error)
{
	Writer *writer = tick->engine->writer;
	if (crawl_is_clean(tick->engine->crawl, tick->now_us))
		return tick_reconcile(tick, error);
	if (!writer_read_begin(writer, error))
		return false;
	bool ok = tick_reconcile(tick, error);
	writer_read_end(writer);
	return ok;
}

/* A file that is still to be read may have the bytes of an orphan, as after a restore from a
 * backup: then it need not be converted. When every sync cookie has been read, a rename target that
 * existed before the sync request would already have been matched. */
static int64_t orphan_keep_us(const Engine *engine)
{
	enum { BUSY_US = 30 * 1000 * 1000 };
	if (!pipeline_is_idle(engine->pipeline))
		return BUSY_US;
	return sync_waiters_know_events(engine->waiters) ? 0 : CRAWL_ORPHAN_US;
}

bool step_purge_orphans(Tick *tick, GError **error)
{
	Engine *engine = tick->engine;
	if (!tick_is_clean(tick) || tick_merges_before_names(tick))
		return true;
	int64_t began_us = g_get_monotonic_time();
	int64_t before_us = tick->now_us - orphan_keep_us(engine);
	do {
		if (!crawl_purge_orphans(engine->crawl, PIECE_ENTRIES, before_us, error))
			return false;
	} while (crawl_oldest_orphan_us(engine->crawl) <= before_us &&
	         !tick_slice_is_over(tick, began_us));
	pipeline_note_orphans(engine->pipeline, orphans_left(engine->crawl->orphans));
	tick->more |= crawl_oldest_orphan_us(engine->crawl) <= before_us;
	return true;
}

/* ---- sites and feeds */

static bool may_ask_network(const Engine *engine)
{
	return engine->watch && !g_atomic_int_get(&engine->paused) &&
	       !committer_is_bulk(engine->committer) && !load_gate_is_disk_low(engine->gate) &&
	       !load_gate_lacks_room(engine->gate) && !load_gate_is_throttled(engine->gate);
}

/* The words of a removed source leave the disk without a request. */
bool step_web(Tick *tick, GError **error)
{
	Engine *engine = tick->engine;
	WebCrawlStep step = {.may_ask = may_ask_network(engine)};
	if (!web_crawl_step(engine->web, engine->writer, &step, error))
		return false;
	tick->more |= step.more;
	if (step.full)
		load_gate_note_full(engine->gate, tick->now_us);
	if (web_crawl_stored(engine->web))
		maintenance_note_dead(engine->maintenance);
	if (step.added)
		pipeline_note_backlog(engine->pipeline);
	if (step.removed && !step.more)
		maintenance_compact(engine->maintenance, true, NULL, NULL);
	return true;
}

/* ---- contents */

bool step_begin_day(Tick *tick, GError **error)
{
	Engine *engine = tick->engine;
	return !pipeline_begin_day(engine->pipeline) || handles_retry_unread(engine, error);
}

/* While directories are visited, only files that were just saved are converted. Their rows are read
 * under one lock of the index. */
bool step_fill(Tick *tick, GError **error)
{
	Engine *engine = tick->engine;
	const Settings *s = engine->settings;
	PipelineCounts counts = counts_of(engine);
	bool backlog = has_backlog(&counts);
	if (engine->purge)
		return true;
	if (!backlog && counts.urgent == 0 && counts.postponed == 0)
		return true;
	check_disk(tick);
	if (load_gate_is_disk_low(engine->gate) || g_atomic_int_get(&engine->paused))
		return true;
	if (backlog)
		load_gate_check_load(engine->gate,
		        settings_int(s, "daemon", "pause-on-battery", NULL), tick->now_us);
	bool may_fill_backlog = tick_is_clean(tick) &&
	                        load_gate_verdict(engine->gate) == LOAD_LOW &&
	                        !load_gate_is_throttled(engine->gate);
	if (!writer_read_begin(engine->writer, error))
		return false;
	bool ok = pipeline_fill(engine->pipeline, may_fill_backlog, tick->now_us, error);
	writer_read_end(engine->writer);
	return ok;
}

/* ---- transactions and maintenance */

/* In a purge alone the files that are to be converted stay in their queue. */
static bool is_free_for_maintenance(const Engine *engine)
{
	return engine->purge || pipeline_is_idle(engine->pipeline);
}

/* Everything of a first index is written. It is merged before it is synced, in small transactions,
 * so that each page goes to the disk about once. */
static bool is_ending_bulk(const Tick *tick)
{
	const Engine *engine = tick->engine;
	return committer_is_bulk(engine->committer) && tick_is_clean(tick) &&
	       is_free_for_maintenance(engine) &&
	       maintenance_is_due(engine->maintenance, tick->now_us);
}

bool step_commit(Tick *tick, GError **error)
{
	Engine *engine = tick->engine;
	if (is_ending_bulk(tick))
		return writer_commit(engine->writer, error);
	CommitFacts facts = commit_facts(tick);
	if (!committer_is_due(engine->committer, &facts, tick->now_us))
		return true;
	/* During a commit nobody checks the CPU limit. The next tick resumes the children. */
	if (facts.limited && !pipeline_is_urgent(engine->pipeline))
		load_gate_suspend_conversions(engine->gate, true);
	if (!committer_commit(engine->committer, engine->writer, &facts, tick->now_us, error))
		return false;
	maintenance_note(engine->maintenance, facts.changes, committer_is_bulk(engine->committer),
	        tick->now_us);
	recovery_end(engine->recovery);
	return true;
}

bool step_merge(Tick *tick, GError **error)
{
	Engine *engine = tick->engine;
	int64_t until_us;
	if (!tick_merges_first(tick))
		return true;
	if (tick_merge_yields(tick, &until_us)) {
		tick->yields_until_us = until_us;
		return true;
	}
	if (!writer_merge_recent(engine->writer, error))
		return false;
	committer_note_others(engine->committer, g_get_monotonic_time());
	tick->more = true; /* results and visits may wait until nothing is left to merge */
	return true;
}

bool step_count(Tick *tick, GError **error)
{
	Engine *engine = tick->engine;
	return status_publisher_count(engine->publisher, engine->writer,
	        pipeline_is_idle(engine->pipeline), tick->now_us, error);
}

/* In bulk mode a saved file is found by its name at once, and by its content after the next
 * commit. */
bool step_choose_bulk(Tick *tick, GError **error)
{
	Engine *engine = tick->engine;
	bool finished =
	        tick_is_clean(tick) && pipeline_is_idle(engine->pipeline) && !is_ending_bulk(tick);
	return committer_choose_bulk(engine->committer, engine->writer,
	        status_publisher_counts(engine->publisher), finished, error);
}

/* Are all files in the index, as far as they can be read now? */
static bool is_complete(const Tick *tick)
{
	const Engine *engine = tick->engine;
	return !committer_is_bulk(engine->committer) && tick_is_clean(tick) &&
	       pipeline_is_idle(engine->pipeline);
}

bool step_store_plugins(Tick *tick, GError **error)
{
	Engine *engine = tick->engine;
	return !is_complete(tick) || plugin_record_store(engine->plugins, engine->writer, error);
}

/* Only a service has a journal that somebody reads later. */
bool step_note_first_index(Tick *tick, GError **error)
{
	Engine *engine = tick->engine;
	const WriterCounts *counts = status_publisher_counts(engine->publisher);
	PipelineCounts work;
	if (!engine->watch || !is_complete(tick))
		return true;
	pipeline_counts(engine->pipeline, &work);
	return counts->pending > work.postponed ||
	       first_index_note(engine->first, engine->writer, counts, error);
}

bool step_maintain(Tick *tick, GError **error)
{
	Engine *engine = tick->engine;
	bool more;
	if (tick->more || load_gate_is_throttled(engine->gate) || !tick_is_clean(tick) ||
	        !is_free_for_maintenance(engine))
		return true;
	bool ending = is_ending_bulk(tick);
	crawl_rest(engine->crawl);
	if (!maintenance_run(engine->maintenance, engine->writer, tick->now_us, &more, error))
		return false;
	tick->more |= more || ending; /* the next tick ends bulk mode */
	return true;
}

/* ---- publishing to the main thread */

bool step_publish(Tick *tick, GError **error)
{
	Engine *engine = tick->engine;
	bool busy = tick->more && !sync_waiters_any(engine->waiters);
	if (!status_publisher_is_due(engine->publisher, busy, tick->now_us))
		return true;
	status_publisher_publish(
	        engine->publisher, engine_status_of(engine, tick->now_us), tick->now_us);
	return true;
}

/* Is everything done that can be done, and visible to readers? Rows of files that cannot be read
 * now do not count, nor does a rehash that nobody asked for: until it ends, all else is true. Words
 * with signs of older texts count if there is no later time to add them, and no rehash is before
 * them. */
static bool is_up_to_date(const Tick *tick)
{
	const Engine *engine = tick->engine;
	PipelineCounts counts = counts_of(engine);
	return !tick->more && crawl_is_clean(engine->crawl, tick->now_us + ENGINE_NEARLY_DUE_US) &&
	       crawl_oldest_orphan_us(engine->crawl) == INT64_MAX &&
	       pipeline_is_idle(engine->pipeline) && !counts.deferred && !counts.rehash_awaited &&
	       (engine->watch || counts.rehash || !counts.signs) &&
	       writer_changes(engine->writer) == 0;
}

bool step_answer(Tick *tick, GError **error)
{
	SyncWaiters *waiters = tick->engine->waiters;
	if (!sync_waiters_any(waiters) || !is_up_to_date(tick))
		return true;
	tick->more = sync_waiters_need_comparison(waiters); /* the next tick compares */
	sync_waiters_answer(waiters);
	return true;
}

/* ---- errors */

void tick_recover(Tick *tick, const GError *error)
{
	Engine *engine = tick->engine;
	bool damaged = g_error_matches(error, INDEX_ERROR, INDEX_ERROR_DAMAGED);
	bool full = g_error_matches(error, INDEX_ERROR, INDEX_ERROR_FULL);
	if (full)
		load_gate_note_full(engine->gate, tick->now_us);
	handles_forget(engine, damaged);
	if (full && engine->writer)
		writer_shrink_log(engine->writer);
	committer_forget(engine->committer);
	plugin_record_forget(engine->plugins);
	recovery_begin(engine->recovery, error, damaged, tick->now_us);
	if (sync_waiters_any(engine->waiters))
		recovery_expedite(engine->recovery, tick->now_us);
}

/* ---- the next tick */

/* Does work wait for the CPU limit? A backlog that waits for something else does not count. */
static bool is_limited_work(const Engine *engine, const PipelineCounts *counts)
{
	return load_gate_has_cpu_limit(engine->gate) &&
	       (load_gate_is_throttled(engine->gate) || !crawl_is_visited(engine->crawl) ||
	               counts->loading + counts->converting > 0);
}

static int64_t next_name_us(const Engine *engine, int64_t now_us)
{
	const Crawl *crawl = engine->crawl;
	int64_t orphan_us = crawl_oldest_orphan_us(crawl);
	int64_t next_us = MIN(queue_next_us(crawl->queue), crawl_next_poll_us(crawl));
	if (orphan_us != INT64_MAX &&
	        orphan_us != ORPHAN_FIRST_US) /* crawl_visit() removes those */
		next_us = MIN(next_us, orphan_us + orphan_keep_us(engine));
	return MIN(
	        next_us, rescan_policy_next_us(engine->rescans, crawl_needs_rescan(crawl), now_us));
}

static int64_t next_commit_us(const Engine *engine, int64_t now_us)
{
	const Tick now = {.engine = (Engine *)engine, .now_us = now_us};
	CommitFacts facts = commit_facts(&now);
	if (committer_is_held_back(engine->committer, &facts, now_us))
		return INT64_MAX;
	return committer_due_us(engine->committer, &facts);
}

static int64_t next_content_us(const Engine *engine, int64_t now_us)
{
	PipelineCounts counts = counts_of(engine);
	bool backlog = has_backlog(&counts);
	int64_t next_us = load_gate_next_check_us(engine->gate, backlog, now_us);
	if (!load_gate_is_disk_low(engine->gate) && !g_atomic_int_get(&engine->paused))
		next_us = MIN(next_us, pipeline_next_us(engine->pipeline));
	if (is_limited_work(engine, &counts))
		next_us = MIN(next_us, load_gate_next_account_us(engine->gate, now_us));
	else if (is_free_for_maintenance(engine))
		next_us = MIN(next_us, maintenance_next_us(engine->maintenance));
	return next_us;
}

int64_t tick_next_us(const Tick *tick)
{
	const Engine *engine = tick->engine;
	int64_t now_us = g_get_monotonic_time();
	if (tick->more)
		return 0;
	int64_t room_us = load_gate_next_room_us(engine->gate);
	if (recovery_until_us(engine->recovery) > now_us)
		return MIN(room_us, recovery_until_us(engine->recovery));
	if (!engine->configured)
		return 0;
	int64_t next_us = MIN(room_us, coverage_cache_next_us(engine->coverage, engine->crawl));
	next_us = MIN(next_us, next_name_us(engine, now_us));
	next_us = MIN(next_us, next_commit_us(engine, now_us));
	if (may_ask_network(engine))
		next_us = MIN(next_us, web_crawl_next_us(engine->web));
	if (tick->yields_until_us != 0)
		next_us = MIN(next_us, tick->yields_until_us);
	return MIN(next_us, next_content_us(engine, now_us));
}
