/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recovery.c - when the index cannot be written, and until it can again */
#include <config.h>
#include "daemon/engine/engine-private.h"

#define RECOVERY_MIN_US (5 * G_GINT64_CONSTANT(1000000))
#define RECOVERY_MAX_US (300 * G_GINT64_CONSTANT(1000000))

/* The transaction is lost and memory does not match the rows any more: forget it, look at
 * everything again. */
static void forget_all(Engine *engine)
{
	pipeline_reset(engine->pipeline);
	crawl_reset(engine->crawl, engine->writer);
	engine->configured = engine->bulk = false;
	engine->change_us = 0;
}

void recovery_begin(Engine *engine, GError *error, int64_t now_us)
{
	bool damaged = g_error_matches(error, INDEX_ERROR, INDEX_ERROR_DAMAGED);
	forget_all(engine);
	if (damaged)
		g_clear_pointer(&engine->writer, writer_close);
	bool first = !engine->last_error;
	engine->recovery_wait_us =
	        first ? (damaged ? 0 : RECOVERY_MIN_US)
	              : CLAMP(engine->recovery_wait_us * 2, RECOVERY_MIN_US, RECOVERY_MAX_US);
	engine->recovery_until_us = now_us + engine->recovery_wait_us;
	if (first)
		g_warning("the index cannot be written: %s", error->message);
	g_clear_error(&engine->last_error);
	engine->last_error = g_error_copy(error);
	if (report_has_syncs(engine))
		recovery_expedite(engine, now_us);
}

void recovery_end(Engine *engine)
{
	if (!engine->last_error)
		return;
	g_message("the index can be written again");
	g_clear_error(&engine->last_error);
	engine->recovery_wait_us = 0;
}

void recovery_expedite(Engine *engine, int64_t now_us)
{
	int64_t began_us = engine->recovery_until_us - engine->recovery_wait_us;
	if (engine->last_error)
		engine->recovery_until_us =
		        MIN(engine->recovery_until_us, MAX(began_us + RECOVERY_MIN_US, now_us));
}

void recovery_budget_cache(Engine *engine)
{
	if (engine->writer)
		writer_set_cache_budget(engine->writer,
		        settings_int(engine->settings, "daemon", "text-cache", NULL));
}

bool recovery_reopen(Engine *engine, GError **error)
{
	if (engine->writer)
		return true;
	engine->writer = writer_open(engine->index_dir, engine->cache_dir, error);
	recovery_budget_cache(engine);
	crawl_reset(engine->crawl, engine->writer);
	return engine->writer != NULL;
}
