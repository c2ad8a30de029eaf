/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/engine/engine-private.h"
#include "daemon/engine/limit-record.h"
#include "daemon/engine/member-record.h"
#include "daemon/fs/agent-launcher.h"
#include <errno.h>
#include <fcntl.h>

/* The agent launcher opens files that the configuration names and the confined daemon may not read.
 */
static int open_word_vectors(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	AgentLauncher *launcher = agent_launcher_of_process();
	bool forbidden = fd < 0 && (errno == EACCES || errno == EPERM);
	return forbidden && launcher ? agent_launcher_open_config(launcher, path) : fd;
}

static void set_up_writer(Engine *engine)
{
	if (!engine->writer)
		return;
	writer_set_cache_budget(
	        engine->writer, settings_int(engine->settings, "daemon", "text-cache", NULL));
	writer_set_word_vectors(engine->writer,
	        settings_string(engine->settings, "search", "embedding", NULL), open_word_vectors);
}

bool handles_open_index(Engine *engine, GError **error)
{
	if (engine->writer)
		return true;
	engine->writer = writer_open(engine->index_dir, engine->cache_dir, error);
	set_up_writer(engine);
	crawl_reset(engine->crawl, engine->writer);
	web_crawl_reset(engine->web);
	return engine->writer != NULL;
}

void handles_forget(Engine *engine, bool damaged)
{
	pipeline_reset(engine->pipeline);
	pipeline_note_rehash(engine->pipeline);
	web_crawl_reset(engine->web);
	if (damaged)
		g_clear_pointer(&engine->writer, writer_close);
	if (engine->writer)
		writer_rollback(engine->writer);
	crawl_reset(engine->crawl, engine->writer);
	engine->configured = false;
}

bool handles_set_settings(Engine *engine, Settings *settings, GError **error)
{
	settings_free(engine->settings);
	engine->settings = settings;
	engine->configured = false;
	return pipeline_drop_jobs(engine->pipeline, error);
}

static void set_limits(Engine *engine)
{
	const Settings *s = engine->settings;
	load_gate_set_cpu_limit(engine->gate, settings_int(s, "daemon", "cpu", NULL));
	PipelineLimits limits = {
	        .max_file_bytes = settings_int(s, "limits", "file", NULL),
	        .limits = settings_limits(s),
	        .converters = settings_int(s, "daemon", "converters", NULL),
	        .daily_words = settings_int(s, "limits", "daily-words", NULL),
	        .daily_text = settings_int(s, "limits", "daily-text", NULL),
	        .cpu_limited = load_gate_has_cpu_limit(engine->gate),
	};
	pipeline_set_limits(engine->pipeline, &limits);
	set_up_writer(engine);
	watcher_set_limits(engine->crawl->watcher, settings_int(s, "daemon", "poll", NULL),
	        settings_int(s, "daemon", "watch-share", NULL));
}

bool handles_retry_unread(Engine *engine, GError **error)
{
	unsigned queued;
	if (!writer_retry_unread(engine->writer, &queued, error))
		return false;
	if (queued > 0)
		pipeline_note_backlog(engine->pipeline);
	return true;
}

static bool requeue_by_settings(Engine *engine, GError **error)
{
	unsigned by_limits, by_rules;
	if (!limit_record_use(engine->writer, engine->settings, &by_limits, error) ||
	        !member_record_use(engine->writer, engine->rules, &by_rules, error))
		return false;
	if (by_limits > 0 || by_rules > 0)
		pipeline_note_backlog(engine->pipeline);
	return true;
}

/* Nothing below a root is found once it is removed, even if a CPU limit delays other commits. */
static bool hide_removed_roots(Engine *engine, GError **error)
{
	return !engine->crawl->purged || writer_commit(engine->writer, error);
}

static bool plan_maintenance(Engine *engine, int64_t now_us, GError **error)
{
	maintenance_note(engine->maintenance, 0, committer_is_bulk(engine->committer), now_us);
	if (engine->crawl->purged) /* the words of a removed root leave the disk without a
	                              request */
		maintenance_compact(engine->maintenance, true, NULL, NULL);
	engine->crawl->purged = false;
	return maintenance_plan(engine->maintenance, engine->writer, now_us, error);
}

bool handles_configure(Engine *engine, int64_t now_us, GError **error)
{
	const Settings *s = engine->settings;
	if (engine->configured)
		return true;
	crawl_reset(engine->crawl, engine->writer);
	g_clear_pointer(&engine->rules, rules_free);
	engine->rules = rules_new(s, engine->index_dir);
	set_limits(engine);
	if (!crawl_configure(
	            engine->crawl, settings_roots(s), engine->rules, !engine->purge, error))
		return false;
	web_crawl_configure(engine->web, s);
	int64_t interval_s = engine->watch ? settings_int(s, "daemon", "verify", NULL) : 0;
	rescan_policy_configure(engine->rescans, interval_s, now_us);
	engine->configured = true;
	return requeue_by_settings(engine, error) && handles_retry_unread(engine, error) &&
	       hide_removed_roots(engine, error) && plan_maintenance(engine, now_us, error);
}
