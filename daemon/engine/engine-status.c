/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine-status.c - collects the status from all owners */
#include <config.h>
#include "daemon/engine/engine-private.h"

/* Nobody who waits is answered before all directories are visited: until then, counting them each
 * time would take longer than visiting them. */
static GPtrArray *roots_of(Engine *engine, int64_t now_us)
{
	const Crawl *crawl = engine->crawl;
	GPtrArray *roots = engine_roots_new();
	bool exact = sync_waiters_any(engine->waiters) && crawl_is_clean(crawl, now_us);
	const GArray *coverage = coverage_cache_get(engine->coverage, crawl, exact, now_us);
	for (guint i = 0; i < crawl->roots->len; i++) {
		const Root *root = crawl->roots->pdata[i];
		g_ptr_array_add(roots, engine_root_new(root->path, root->state,
		                               &g_array_index(coverage, Coverage, i)));
	}
	return roots;
}

static char *current_path(Engine *engine)
{
	Entry row;
	int64_t node = pipeline_current(engine->pipeline);
	if (node == 0 || !engine->writer || writer_get(engine->writer, node, &row, NULL) != 1)
		return NULL;
	return writer_path(engine->writer, node, NULL);
}

static ModeFacts mode_facts(Engine *engine, const EngineStatus *status, int64_t now_us)
{
	const GError *error = recovery_error(engine->recovery);
	const PipelineCounts *counts = &status->pipeline;
	return (ModeFacts){
	        .configured = engine->configured,
	        .disk_full = load_gate_is_disk_low(engine->gate) ||
	                     load_gate_lacks_room(engine->gate) ||
	                     g_error_matches(error, INDEX_ERROR, INDEX_ERROR_FULL),
	        .recovering = error != NULL,
	        .no_converter = counts->broken,
	        .scanning = !crawl_is_clean(engine->crawl, now_us),
	        .busy = !pipeline_is_idle(engine->pipeline) || counts->deferred || counts->rehash ||
	                counts->signs || status->pending > counts->postponed,
	        .uncommitted = engine->writer && writer_changes(engine->writer) > 0,
	        .throttled = load_gate_is_throttled(engine->gate),
	        .load = load_gate_verdict(engine->gate),
	};
}

/* Other threads decide some facts, so their current values count. Can be called from any thread. */
static void set_mode(Engine *engine, EngineStatus *status)
{
	ModeFacts *facts = &status->facts;
	facts->stopping = g_atomic_int_get(&engine->stop) != 0;
	facts->paused = g_atomic_int_get(&engine->paused) != 0;
	status->mode = mode_of(facts);
}

EngineStatus *engine_status_of(Engine *engine, int64_t now_us)
{
	const Crawl *crawl = engine->crawl;
	const WriterCounts *counts = status_publisher_counts(engine->publisher);
	const GError *error = recovery_error(engine->recovery);
	EngineStatus *status = g_new0(EngineStatus, 1);
	status->roots = roots_of(engine, now_us);
	status->directories = counts->directories;
	status->files = counts->files;
	status->pending = counts->pending;
	status->dirty =
	        queue_length(crawl->queue) + tree_dirty(crawl->tree) + crawl_needs_rescan(crawl);
	status->overflows = crawl->overflows;
	status->last_reconcile_s = rescan_policy_last_clean_s(engine->rescans);
	status->last_compared_s = rescan_policy_last_compared_s(engine->rescans);
	status->current = current_path(engine);
	status->compaction = maintenance_compaction_step(engine->maintenance);
	web_partition_status(engine->web, &status->partition);
	status->last_error = g_strdup(error ? error->message : NULL);
	watcher_counts(crawl->watcher, &status->watches);
	pipeline_counts(engine->pipeline, &status->pipeline);
	status->facts = mode_facts(engine, status, now_us);
	set_mode(engine, status);
	return status;
}

EngineStatus *engine_status(Engine *engine)
{
	EngineStatus *status = status_publisher_copy(engine->publisher);
	status->facts.disk_full |= engine->no_room && g_atomic_int_get(engine->no_room) != 0;
	set_mode(engine, status);
	return status;
}
