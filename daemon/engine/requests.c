/* SPDX-License-Identifier: GPL-3.0-or-later */
/* requests.c - what the main thread asks of the engine */
#include <config.h>
#include "daemon/engine/engine-private.h"
#include <glib/gstdio.h>

static void requests_set_limits(Engine *engine)
{
	const Settings *s = engine->settings;
	PipelineLimits limits = {
	        .max_file_bytes = settings_int(s, "limits", "file", NULL),
	        .limits = settings_limits(s),
	        .converters = settings_int(s, "daemon", "converters", NULL),
	};
	cpu_limit_set(&engine->cpu_limit, settings_int(s, "daemon", "cpu", NULL));
	limits.paced = engine->cpu_limit.percent > 0;
	pipeline_set_limits(engine->pipeline, &limits);
	recovery_budget_cache(engine);
	watcher_set_limits(engine->crawl->watcher, settings_int(s, "daemon", "poll", NULL),
	        settings_int(s, "daemon", "watch-share", NULL));
}

int64_t requests_next_verify_us(const Engine *engine, int64_t now_us)
{
	if (!engine->watch)
		return INT64_MAX;
	return now_us + settings_int(engine->settings, "daemon", "verify", NULL) * G_USEC_PER_SEC;
}

bool requests_retry_unread(Engine *engine, GError **error)
{
	unsigned queued;
	if (!writer_retry_unread(engine->writer, &queued, error))
		return false;
	if (queued > 0)
		pipeline_look_for_backlog(engine->pipeline);
	return true;
}

bool requests_configure(Engine *engine, int64_t now_us, GError **error)
{
	if (engine->configured)
		return true;
	crawl_reset(engine->crawl, engine->writer);
	g_clear_pointer(&engine->rules, rules_free);
	engine->rules = rules_new(engine->settings, engine->index_dir);
	requests_set_limits(engine);
	if (!crawl_configure(engine->crawl, settings_roots(engine->settings), engine->rules, error))
		return false;
	engine->verify_us = requests_next_verify_us(engine, now_us);
	engine->configured = engine->comparing = true;
	if (!requests_retry_unread(engine, error))
		return false;
	maintenance_note(engine, 0, now_us);
	if (engine->crawl->purged) /* nobody should have to ask for it */
		maintenance_compact(engine, true, NULL, NULL);
	engine->crawl->purged = false;
	return maintenance_plan(engine, now_us, error);
}

static bool index_paths(Engine *engine, Request *request, int64_t now_us, GError **error)
{
	uint64_t n = 0;
	if (request->paths->len == 0) {
		crawl_mark_all(engine->crawl);
		engine->comparing = true;
	}
	for (guint i = 0; i < request->paths->len; i++) {
		bool covered;
		if (!crawl_mark_path(
		            engine->crawl, request->paths->pdata[i], now_us, &covered, error))
			return false;
		n += covered;
	}
	report_answer(request->reply, request->data, n, NULL);
	return true;
}

static bool retry_path(Engine *engine, const char *path, uint64_t *n, GError **error)
{
	Entry row;
	unsigned queued = 0;
	int found = crawl_find(engine->crawl, path, &row, error);
	if (found < 0 || (found > 0 && !writer_retry(engine->writer, row.inode, &queued, error)))
		return false;
	*n += queued;
	return true;
}

static bool requests_retry(Engine *engine, Request *request, GError **error)
{
	uint64_t n = 0;
	unsigned queued;
	if (request->paths->len == 0) {
		if (!writer_retry(engine->writer, 0, &queued, error))
			return false;
		n = queued;
	}
	for (guint i = 0; i < request->paths->len; i++) {
		if (!retry_path(engine, request->paths->pdata[i], &n, error))
			return false;
	}
	pipeline_look_for_backlog(engine->pipeline);
	report_answer(request->reply, request->data, n, NULL);
	return true;
}

static bool use_plugins(Engine *engine, Request *request, GError **error)
{
	unsigned total = 0, queued;
	for (guint i = 0; i < request->plugins->len; i++) {
		const EnginePlugin *plugin = &g_array_index(request->plugins, EnginePlugin, i);
		if (!writer_requeue_outdated(
		            engine->writer, plugin->name, plugin->version, &queued, error))
			return false;
		total += queued;
		for (char **mime = plugin->mime_types; *mime; mime++) {
			if (!writer_requeue_unsupported(engine->writer, *mime, &queued, error))
				return false;
			total += queued;
		}
	}
	if (total > 0) {
		g_message("converters have changed: %u files are converted again", total);
		pipeline_look_for_backlog(engine->pipeline);
	}
	engine->converters = request->identity;
	engine->to_note_converters = true;
	return true;
}

static void make_cookie(Engine *engine)
{
	g_autofree char *path =
	        g_strdup_printf("%s/%" G_GUINT64_FORMAT, engine->cookie_dir, ++engine->cookie_made);
	g_autoptr(GError) error = NULL;
	g_unlink(path); /* of one that was killed in here: only what is new makes an event */
	if (!g_file_set_contents_full(path, "", 0, G_FILE_SET_CONTENTS_NONE, 0600, &error)) {
		g_debug("sync: %s", error->message);
		engine->cookie_seen =
		        engine->cookie_made; /* as with a full disk: do not wait for it */
	}
	g_unlink(path);
}

/* One that waits may have been among the events that were lost. */
void requests_renew_cookies(Engine *engine)
{
	if (engine->cookies && engine->cookie_seen < engine->cookie_made)
		make_cookie(engine);
}

static void begin_sync(Engine *engine, const Request *request, int64_t now_us)
{
	Sync sync = {.number = request->number, .reply = request->reply, .data = request->data};
	if (engine->cookies) {
		make_cookie(engine);
		sync.cookie = engine->cookie_made;
	}
	recovery_expedite(engine, now_us);
	crawl_mark_polled(engine->crawl);
	pipeline_wake(engine->pipeline);
	queue_flush(engine->crawl->queue, now_us);
	g_array_append_val(engine->syncs, sync);
}

static void cancel_sync(Engine *engine, uint64_t number)
{
	for (guint i = engine->syncs->len; i-- > 0;) {
		Sync sync = g_array_index(engine->syncs, Sync, i);
		if (sync.number != number)
			continue;
		report_answer(sync.reply, sync.data, 0, NULL);
		g_array_remove_index(engine->syncs, i);
	}
}

static bool requests_serve(Engine *engine, Request *request, int64_t now_us, GError **error)
{
	switch (request->kind) {
	case REQUEST_INDEX:
		return index_paths(engine, request, now_us, error);
	case REQUEST_RETRY:
		return requests_retry(engine, request, error);
	case REQUEST_PLUGINS:
		return use_plugins(engine, request, error);
	case REQUEST_SYNC:
		begin_sync(engine, request, now_us);
		break;
	case REQUEST_COMPACT:
		maintenance_compact(engine, request->number, request->reply, request->data);
		break;
	case REQUEST_CANCEL:
		cancel_sync(engine, request->number);
		break;
	case REQUEST_CONFIGURE:
		settings_free(engine->settings);
		engine->settings = g_steal_pointer(&request->settings);
		pipeline_reset(engine->pipeline);
		engine->configured = false;
		break;
	}
	return true;
}

static Request *pop_request(Engine *engine)
{
	g_mutex_lock(&engine->lock);
	Request *request = g_queue_pop_head(&engine->requests);
	g_mutex_unlock(&engine->lock);
	return request;
}

/* While the index cannot be written, what needs it is answered by the reason. */
static void requests_refuse(Engine *engine, const Request *request)
{
	if (request->reply)
		report_answer(request->reply, request->data, 0, engine->last_error);
}

static bool needs_index(const Request *request)
{
	return request->kind == REQUEST_INDEX || request->kind == REQUEST_RETRY ||
	       request->kind == REQUEST_PLUGINS || request->kind == REQUEST_COMPACT;
}

bool requests_take(Engine *engine, bool in_recovery, int64_t now_us, GError **error)
{
	bool ok = true;
	for (Request *request; ok && (request = pop_request(engine));) {
		if (in_recovery && needs_index(request)) {
			requests_refuse(engine, request);
		} else {
			ok = (in_recovery || requests_configure(engine, now_us, error)) &&
			     requests_serve(engine, request, now_us, error);
			if (!ok && needs_index(request) && request->reply)
				report_answer(request->reply, request->data, 0, *error);
		}
		request_free(request);
	}
	return ok;
}
