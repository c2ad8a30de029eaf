/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.c - what the engine tells the main thread */
#include <config.h>
#include "daemon/engine/engine-private.h"

enum {
	PUBLISH_US = 50 * 1000,
	COVERAGE_US = 1000 * 1000,
};

typedef struct {
	EngineReply reply;
	void *data;
	uint64_t n;
	GError *error;
} Answer;

static gboolean report_deliver(gpointer data)
{
	Answer *answer = data;
	answer->reply(answer->n, answer->error, answer->data);
	return G_SOURCE_REMOVE;
}

static void answer_free(gpointer data)
{
	Answer *answer = data;
	g_clear_error(&answer->error);
	g_free(answer);
}

void report_answer(EngineReply reply, void *data, uint64_t n, const GError *error)
{
	Answer *answer = g_new(Answer, 1);
	*answer = (Answer){reply, data, n, error ? g_error_copy(error) : NULL};
	/* Never by g_main_context_invoke(): before the main loop runs it would call from this
	 * thread. */
	g_idle_add_full(G_PRIORITY_DEFAULT, report_deliver, answer, answer_free);
}

/* ---- those who wait */

bool report_has_syncs(const Engine *engine)
{
	return engine->syncs->len > 0;
}

static bool has_deferred(const Engine *engine)
{
	PipelineCounts counts;
	pipeline_counts(engine->pipeline, &counts);
	return counts.deferred;
}

/* All that can be done is done, and readers see it. Rows that are held back because they cannot be
 * read now do not count. */
static bool report_is_settled(const Engine *engine, int64_t now_us)
{
	return !engine->more && crawl_is_clean(engine->crawl, now_us + ENGINE_SOON_US) &&
	       crawl_oldest_orphan_us(engine->crawl) == INT64_MAX &&
	       pipeline_is_idle(engine->pipeline) && !has_deferred(engine) &&
	       writer_changes(engine->writer) == 0;
}

void report_syncs(Engine *engine, int64_t now_us)
{
	if (engine->syncs->len == 0 || !report_is_settled(engine, now_us))
		return;
	engine->more = !tick_is_certain(engine); /* what is doubtful is settled by the next round */
	for (guint i = engine->syncs->len; i-- > 0;) {
		Sync sync = g_array_index(engine->syncs, Sync, i);
		if (sync.cookie > engine->cookie_seen || !sync.sure)
			continue;
		report_answer(sync.reply, sync.data, 1, NULL);
		g_array_remove_index(engine->syncs, i);
	}
}

/* ---- status */

static void engine_root_free(gpointer data)
{
	EngineRoot *root = data;
	g_free(root->path);
	g_free(root);
}

void engine_status_free(EngineStatus *status)
{
	if (!status)
		return;
	g_ptr_array_unref(status->roots);
	g_free(status->last_error);
	g_free(status->current);
	g_free(status);
}

static GPtrArray *copy_roots(const GPtrArray *roots)
{
	GPtrArray *copy = g_ptr_array_new_with_free_func(engine_root_free);
	for (guint i = 0; i < roots->len; i++) {
		const EngineRoot *root = roots->pdata[i];
		EngineRoot *one = g_new(EngineRoot, 1);
		*one = (EngineRoot){g_strdup(root->path), root->state, root->coverage};
		g_ptr_array_add(copy, one);
	}
	return copy;
}

/* A new directory in a large tree must not cost a walk through all of it. Who waits gets the truth.
 */
static void count_coverage(Engine *engine, int64_t now_us)
{
	uint64_t version = coverage_version(engine->crawl);
	bool known = engine->coverage && engine->coverage->len == engine->crawl->roots->len;
	if (known && (version == engine->coverage_version ||
	                     (now_us < engine->coverage_us && !report_has_syncs(engine))))
		return;
	g_clear_pointer(&engine->coverage, g_array_unref);
	engine->coverage = coverage_count(engine->crawl);
	engine->coverage_version = version;
	engine->coverage_us = now_us + COVERAGE_US;
}

int64_t report_next_us(const Engine *engine)
{
	bool stale = coverage_version(engine->crawl) != engine->coverage_version;
	return stale ? engine->coverage_us : INT64_MAX;
}

static GPtrArray *roots_of(const Engine *engine)
{
	const Crawl *crawl = engine->crawl;
	GPtrArray *roots = g_ptr_array_new_with_free_func(engine_root_free);
	for (guint i = 0; i < crawl->roots->len; i++) {
		const Root *root = crawl->roots->pdata[i];
		EngineRoot *one = g_new(EngineRoot, 1);
		*one = (EngineRoot){g_strdup(root->path), root->state,
		        g_array_index(engine->coverage, Coverage, i)};
		g_ptr_array_add(roots, one);
	}
	return roots;
}

EngineStatus *engine_status(Engine *engine)
{
	EngineStatus *copy = g_new(EngineStatus, 1);
	g_mutex_lock(&engine->lock);
	*copy = *engine->status;
	copy->roots = copy_roots(engine->status->roots);
	copy->last_error = g_strdup(engine->status->last_error);
	copy->current = g_strdup(engine->status->current);
	g_mutex_unlock(&engine->lock);
	return copy;
}

static char *current_path(Engine *engine)
{
	Entry row;
	int64_t node = pipeline_current(engine->pipeline);
	if (node == 0 || !engine->writer || writer_get(engine->writer, node, &row, NULL) != 1)
		return NULL;
	return writer_path(engine->writer, node, NULL);
}

static const char *report_state_of(const Engine *engine)
{
	return engine->last_error ? engine->last_error->message : NULL;
}

static void fill_state(Engine *engine, EngineStatus *status, int64_t now_us)
{
	const PipelineCounts *counts = &status->pipeline;
	status->scanning = !crawl_is_clean(engine->crawl, now_us) || !engine->configured;
	status->busy = !pipeline_is_idle(engine->pipeline) || counts->deferred ||
	               engine->counts.pending > counts->held;
	status->disk_full = engine->low_disk ||
	                    g_error_matches(engine->last_error, INDEX_ERROR, INDEX_ERROR_FULL);
	status->last_error = g_strdup(report_state_of(engine));
	status->load_policy = engine->load_policy.verdict;
}

static EngineStatus *make_status(Engine *engine, int64_t now_us)
{
	Crawl *crawl = engine->crawl;
	EngineStatus *status = g_new0(EngineStatus, 1);
	count_coverage(engine, now_us);
	status->roots = roots_of(engine);
	status->directories = engine->counts.directories;
	status->files = engine->counts.files;
	status->pending = engine->counts.pending;
	status->dirty =
	        queue_length(crawl->queue) + tree_dirty(crawl->tree) + crawl_needs_rescan(crawl);
	status->overflows = crawl->overflows;
	status->last_reconcile_s = engine->last_reconcile_s;
	status->last_compared_s = engine->last_compared_s;
	status->current = current_path(engine);
	watcher_counts(crawl->watcher, &status->watches);
	pipeline_counts(engine->pipeline, &status->pipeline);
	fill_state(engine, status, now_us);
	return status;
}

/* Often enough for a progress display; always before the engine goes to sleep. */
void report_publish(Engine *engine, int64_t now_us)
{
	if (engine->more && now_us < engine->publish_us && engine->syncs->len == 0)
		return;
	engine->publish_us = now_us + PUBLISH_US;
	EngineStatus *status = make_status(engine, now_us);
	g_mutex_lock(&engine->lock);
	EngineStatus *old = engine->status;
	engine->status = status;
	g_mutex_unlock(&engine->lock);
	engine_status_free(old);
}
