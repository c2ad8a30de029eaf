/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commit.c - when changes become visible to readers */
#include <config.h>
#include "daemon/engine/engine-private.h"

enum {
	CHANGES = 20000, /* rows in one transaction */
	COMMIT_FEW_US = 15 * 1000,
	COMMIT_SOME_US = 100 * 1000,
	COMMIT_MANY_US = 1000 * 1000,
	COMMIT_BULK_US = 8 * 1000 * 1000,
	COMMIT_SCAN_US = 300 * 1000,
	TEXT_BYTES = 8 << 20,
	BULK_TEXT_BYTES =
	        12 << 20, /* each commit begins a segment, which is merged and written again */
	PACED_TEXT_BYTES = 3 << 20, /* a commit is work in one piece */
	COMMIT_SHARE = 10, /* between two commits passes ten times what one takes */
	COMMIT_GUESS_US = 100 * 1000, /* for each MiB, before anything is known */
	TAKE_GUESS_US = 60 * 1000,
	LARGE_TEXT_BYTES = 512 << 10,
};

/* Bytes of text since the last commit. */
static uint64_t commit_text(const Engine *engine)
{
	PipelineCounts counts;
	pipeline_counts(engine->pipeline, &counts);
	return counts.text_bytes - engine->committed_text;
}

bool commit_has_room(const Engine *engine)
{
	uint64_t most = engine->bulk ? BULK_TEXT_BYTES : TEXT_BYTES;
	return commit_text(engine) < (engine->cpu_limit.percent > 0 ? PACED_TEXT_BYTES : most);
}

/* each_us for each MiB. */
static int64_t cost_us(int64_t each_us, uint64_t text)
{
	return each_us * (int64_t)(text >> 10) >> 10;
}

int64_t commit_expected_us(const Engine *engine)
{
	uint64_t text = commit_text(engine) + engine->next_text;
	return cost_us(MAX(engine->commit_cpu_us, COMMIT_GUESS_US), text) +
	       cost_us(MAX(engine->take_cpu_us, TAKE_GUESS_US), engine->next_text);
}

uint64_t commit_large_text(const IngestResult *result)
{
	uint64_t text = ingest_result_text(result);
	return text >= LARGE_TEXT_BYTES ? text : 0;
}

/* For each MiB, the dearest being forgotten slowly. */
static int64_t dearest_us(int64_t before_us, uint64_t text, int64_t cpu_us)
{
	return MAX(before_us * 15 / 16, cpu_us * 1024 / (int64_t)(MAX(text, 1 << 20) >> 10));
}

void commit_note_taken(Engine *engine, uint64_t text, int64_t cpu_us)
{
	engine->take_cpu_us = dearest_us(engine->take_cpu_us, text, cpu_us);
}

int64_t commit_thread_cpu_us(void)
{
	struct timespec used;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	return (int64_t)used.tv_sec * G_USEC_PER_SEC + used.tv_nsec / 1000;
}

/* Now and then a commit merges what earlier ones wrote. */
static void note_cpu(Engine *engine, int64_t cpu_us)
{
	engine->commit_cpu_us = dearest_us(engine->commit_cpu_us, commit_text(engine), cpu_us);
	g_debug("commit: %" G_GINT64_FORMAT " ms of CPU for %" G_GUINT64_FORMAT " KiB of text",
	        cpu_us / 1000, commit_text(engine) >> 10);
}

static int64_t commit_pause_us(const Engine *engine, int64_t now_us)
{
	PipelineCounts counts;
	pipeline_counts(engine->pipeline, &counts);
	unsigned work = counts.loading + counts.converting + counts.urgent;
	if (!crawl_is_clean(engine->crawl, now_us))
		return COMMIT_SCAN_US;
	if (counts.backlog)
		return engine->bulk ? COMMIT_BULK_US : COMMIT_MANY_US;
	if (work == 0)
		return 0;
	if (work < 8)
		return COMMIT_FEW_US;
	return work < 64 ? COMMIT_SOME_US : COMMIT_MANY_US;
}

int64_t commit_due_us(const Engine *engine, int64_t now_us)
{
	if (!engine->writer || writer_changes(engine->writer) == 0)
		return INT64_MAX;
	if (writer_changes(engine->writer) >= CHANGES || !commit_has_room(engine))
		return 0;
	int64_t pause_us = commit_pause_us(engine, now_us);
	if (pause_us > 0)
		pause_us = MAX(pause_us, COMMIT_SHARE * engine->commit_cost_us);
	return engine->change_us + pause_us;
}

static bool commit_commit(Engine *engine, int64_t now_us, GError **error)
{
	unsigned changes = writer_changes(engine->writer);
	if (changes > 0) {
		int64_t before_us = commit_thread_cpu_us();
		if (!writer_commit(engine->writer, error))
			return false;
		note_cpu(engine, commit_thread_cpu_us() - before_us);
		engine->commit_cost_us = g_get_monotonic_time() - now_us;
		maintenance_note(engine, changes, now_us);
	}
	PipelineCounts counts;
	pipeline_counts(engine->pipeline, &counts);
	engine->committed_text = counts.text_bytes;
	engine->committed_saved = counts.saved;
	engine->change_us = 0;
	recovery_end(engine);
	return true;
}

static bool holds_saved(const Engine *engine)
{
	PipelineCounts counts;
	pipeline_counts(engine->pipeline, &counts);
	return counts.saved != engine->committed_saved;
}

/* It waits for its turn like all other work, unless somebody waits for it. */
bool commit_is_held_back(const Engine *engine, int64_t now_us)
{
	return engine->resting && commit_due_us(engine, now_us) <= now_us && !holds_saved(engine) &&
	       !pipeline_is_urgent(engine->pipeline) && !report_has_syncs(engine);
}

/* They would go on while nobody looks at the ceiling; the next round lets them go. */
static void hold_converters(Engine *engine)
{
	if (engine->cpu_limit.percent == 0 || engine->held || pipeline_is_urgent(engine->pipeline))
		return;
	pool_hold(engine->pool, engine->held = true);
}

bool commit_if_due(Engine *engine, int64_t now_us, GError **error)
{
	if (writer_changes(engine->writer) > 0 && engine->change_us == 0)
		engine->change_us = now_us;
	if (commit_due_us(engine, now_us) > now_us || commit_is_held_back(engine, now_us))
		return true;
	hold_converters(engine);
	return commit_commit(engine, now_us, error);
}
