/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commit.c - when changes become visible to readers */
#include <config.h>
#include "daemon/engine-private.h"

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
	COMMIT_SHARE = 10, /* between two commits passes ten times what one takes */
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
	return commit_text(engine) < (uint64_t)(engine->bulk ? BULK_TEXT_BYTES : TEXT_BYTES);
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

static bool commit(Engine *engine, int64_t now_us, GError **error)
{
	unsigned changes = writer_changes(engine->writer);
	if (changes > 0) {
		if (!writer_commit(engine->writer, error))
			return false;
		engine->commit_cost_us = g_get_monotonic_time() - now_us;
		care_note(engine, changes, now_us);
	}
	PipelineCounts counts;
	pipeline_counts(engine->pipeline, &counts);
	engine->committed_text = counts.text_bytes;
	engine->change_us = 0;
	trouble_end(engine);
	return true;
}

bool commit_if_due(Engine *engine, int64_t now_us, GError **error)
{
	if (writer_changes(engine->writer) > 0 && engine->change_us == 0)
		engine->change_us = now_us;
	return commit_due_us(engine, now_us) > now_us || commit(engine, now_us, error);
}
