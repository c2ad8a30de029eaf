/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recovery.c - when the index cannot be written, and until it can again */
#include <config.h>
#include "daemon/engine/engine-private.h"

#define TROUBLE_MIN_US (5 * G_GINT64_CONSTANT(1000000))
#define TROUBLE_MAX_US (300 * G_GINT64_CONSTANT(1000000))

/* The transaction is lost and memory does not match the rows any more: forget it, look at
 * everything again. */
static void forget_all(Engine *engine)
{
	pipeline_reset(engine->pipeline);
	crawl_reset(engine->crawl, engine->writer);
	engine->configured = engine->bulk = false;
	engine->change_us = 0;
}

void trouble_begin(Engine *engine, GError *error, int64_t now_us)
{
	bool damaged = g_error_matches(error, INDEX_ERROR, INDEX_ERROR_DAMAGED);
	forget_all(engine);
	if (damaged)
		g_clear_pointer(&engine->writer, writer_close);
	bool first = !engine->trouble;
	engine->trouble_wait_us =
	        first ? (damaged ? 0 : TROUBLE_MIN_US)
	              : CLAMP(engine->trouble_wait_us * 2, TROUBLE_MIN_US, TROUBLE_MAX_US);
	engine->trouble_until_us = now_us + engine->trouble_wait_us;
	if (first)
		g_warning("the index cannot be written: %s", error->message);
	g_clear_error(&engine->trouble);
	engine->trouble = g_error_copy(error);
	if (report_has_syncs(engine))
		trouble_hurry(engine, now_us);
}

void trouble_end(Engine *engine)
{
	if (!engine->trouble)
		return;
	g_message("the index can be written again");
	g_clear_error(&engine->trouble);
	engine->trouble_wait_us = 0;
}

void trouble_hurry(Engine *engine, int64_t now_us)
{
	int64_t began_us = engine->trouble_until_us - engine->trouble_wait_us;
	if (engine->trouble)
		engine->trouble_until_us =
		        MIN(engine->trouble_until_us, MAX(began_us + TROUBLE_MIN_US, now_us));
}

void trouble_budget_cache(Engine *engine)
{
	if (engine->writer)
		writer_set_cache_budget(engine->writer,
		        settings_int(engine->settings, "daemon", "text-cache", NULL));
}

bool trouble_reopen(Engine *engine, GError **error)
{
	if (engine->writer)
		return true;
	engine->writer = writer_open(engine->index_dir, engine->cache_dir, error);
	trouble_budget_cache(engine);
	crawl_reset(engine->crawl, engine->writer);
	return engine->writer != NULL;
}
