/* SPDX-License-Identifier: GPL-3.0-or-later */
/* round.c - one round of the engine's loop */
#include <config.h>
#include "common/i18n.h"
#include "daemon/engine-private.h"
#include <glib/gstdio.h>
#include <sys/statvfs.h>

enum {
	ENTRIES = 512, /* due entries a round */
	VISITED = 512, /* entries visited a round */
	MESSAGES = 64,
	CHANGES = 20000, /* rows in one transaction */
	TEXT_BYTES = 8 << 20, /* text in one transaction: the log of the database stays short */
};

enum {
	COMMIT_FEW_US = 15 * 1000,
	COMMIT_SOME_US = 100 * 1000,
	COMMIT_MANY_US = 1000 * 1000,
	COMMIT_BULK_US = 3 * 1000 * 1000,
	COMMIT_SCAN_US = 300 * 1000,
	COMMIT_SHARE = 10, /* between two commits passes ten times what one takes */
	DISK_CHECK_US = 1000 * 1000,
	GUEST_CHECK_US = 10 * 1000 * 1000,
	COUNT_US = 1000 * 1000,
	BULK_FILES = 500,
};
#define TROUBLE_MIN_US (5 * G_GINT64_CONSTANT(1000000))
#define TROUBLE_MAX_US (300 * G_GINT64_CONSTANT(1000000))

/* ---- trouble */

/* The transaction is lost and memory does not match the rows any more: forget it, look at
 * everything again. */
static void forget_all(Engine *engine)
{
	pipeline_reset(engine->pipeline);
	crawl_reset(engine->crawl, engine->writer);
	engine->configured = engine->bulk = false;
	engine->change_us = 0;
}

static void run_into_trouble(Engine *engine, GError *error, int64_t now_us)
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
}

static void end_trouble(Engine *engine)
{
	if (!engine->trouble)
		return;
	g_message("the index can be written again");
	g_clear_error(&engine->trouble);
	engine->trouble_wait_us = 0;
}

static void budget_cache(Engine *engine)
{
	if (engine->writer)
		writer_set_cache_budget(engine->writer,
		        settings_int(engine->settings, "daemon", "text-cache", NULL));
}

static bool reopen(Engine *engine, GError **error)
{
	if (engine->writer)
		return true;
	engine->writer = writer_open(engine->index_dir, engine->cache_dir, error);
	budget_cache(engine);
	crawl_reset(engine->crawl, engine->writer);
	return engine->writer != NULL;
}

/* ---- configuration */

static void set_limits(Engine *engine)
{
	const Settings *s = engine->settings;
	PipelineLimits limits = {
	        .max_file_bytes = settings_int(s, "limits", "file", NULL),
	        .limits = settings_limits(s),
	        .converters = settings_int(s, "daemon", "converters", NULL),
	        .cpu_percent = settings_int(s, "daemon", "cpu", NULL),
	};
	pipeline_set_limits(engine->pipeline, &limits);
	budget_cache(engine);
	watcher_set_limits(engine->crawl->watcher, settings_int(s, "daemon", "poll", NULL),
	        settings_int(s, "daemon", "watch-share", NULL));
}

static int64_t next_verify_us(const Engine *engine, int64_t now_us)
{
	if (!engine->watch)
		return INT64_MAX;
	return now_us + settings_int(engine->settings, "daemon", "verify", NULL) * G_USEC_PER_SEC;
}

static bool configure(Engine *engine, int64_t now_us, GError **error)
{
	if (engine->configured)
		return true;
	crawl_reset(engine->crawl, engine->writer);
	g_clear_pointer(&engine->rules, rules_free);
	engine->rules = rules_new(engine->settings, engine->index_dir);
	set_limits(engine);
	if (!crawl_configure(engine->crawl, settings_roots(engine->settings), engine->rules, error))
		return false;
	engine->verify_us = next_verify_us(engine, now_us);
	engine->configured = true;
	care_note(engine, 0, now_us);
	return true;
}

/* ---- requests */

static bool index_paths(Engine *engine, Request *request, int64_t now_us, GError **error)
{
	uint64_t n = 0;
	if (request->paths->len == 0)
		crawl_mark_all(engine->crawl);
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

static bool retry(Engine *engine, Request *request, GError **error)
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
	return true;
}

static void make_cookie(Engine *engine)
{
	g_autofree char *path =
	        g_strdup_printf("%s/%" G_GUINT64_FORMAT, engine->cookie_dir, ++engine->cookie_made);
	g_autoptr(GError) error = NULL;
	if (!g_file_set_contents_full(path, "", 0, G_FILE_SET_CONTENTS_NONE, 0600, &error)) {
		g_debug("sync: %s", error->message);
		engine->cookie_seen =
		        engine->cookie_made; /* as with a full disk: do not wait for it */
	}
	g_unlink(path);
}

static void begin_sync(Engine *engine, const Request *request, int64_t now_us)
{
	Sync sync = {request->number, 0, request->reply, request->data};
	if (engine->cookies) {
		make_cookie(engine);
		sync.cookie = engine->cookie_made;
	}
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

static bool serve(Engine *engine, Request *request, int64_t now_us, GError **error)
{
	switch (request->kind) {
	case REQUEST_INDEX:
		return index_paths(engine, request, now_us, error);
	case REQUEST_RETRY:
		return retry(engine, request, error);
	case REQUEST_PLUGINS:
		return use_plugins(engine, request, error);
	case REQUEST_SYNC:
		begin_sync(engine, request, now_us);
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
static void refuse(Engine *engine, const Request *request)
{
	if (request->reply)
		report_answer(request->reply, request->data, 0, engine->trouble);
}

static bool needs_index(const Request *request)
{
	return request->kind == REQUEST_INDEX || request->kind == REQUEST_RETRY ||
	       request->kind == REQUEST_PLUGINS;
}

static bool take_requests(Engine *engine, bool in_trouble, int64_t now_us, GError **error)
{
	bool ok = true;
	for (Request *request; ok && (request = pop_request(engine));) {
		if (in_trouble && needs_index(request)) {
			refuse(engine, request);
		} else {
			ok = (in_trouble || configure(engine, now_us, error)) &&
			     serve(engine, request, now_us, error);
			if (!ok && needs_index(request) && request->reply)
				report_answer(request->reply, request->data, 0, *error);
		}
		request_free(request);
	}
	return ok;
}

/* ---- input */

static void take_hints(Engine *engine, int64_t now_us)
{
	g_auto(HintBatch) batch = {0};
	hints_take(engine->hints, &batch);
	if (engine->configured)
		crawl_take_hints(engine->crawl, &batch, now_us);
	if (batch.cookie <= engine->cookie_seen)
		return;
	/* Somebody waits for all that came before it: nothing of that rests until it is quiet. */
	engine->cookie_seen = batch.cookie;
	queue_flush(engine->crawl->queue, now_us);
}

static uint64_t uncommitted_text(const Engine *engine)
{
	PipelineCounts counts;
	pipeline_counts(engine->pipeline, &counts);
	return counts.text_bytes - engine->committed_text;
}

static bool take_messages(Engine *engine, bool discard, int64_t now_us, GError **error)
{
	for (unsigned i = 0; i < MESSAGES && uncommitted_text(engine) < TEXT_BYTES; i++) {
		g_mutex_lock(&engine->lock);
		PipelineMessage *message = g_queue_pop_head(&engine->messages);
		g_mutex_unlock(&engine->lock);
		if (!message)
			return true;
		if (discard)
			pipeline_discard(engine->pipeline, message);
		else if (!pipeline_take(engine->pipeline, message, now_us, error))
			return false;
	}
	engine->more = true;
	return true;
}

/* ---- conversions */

static void check_disk(Engine *engine, int64_t now_us)
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

static void check_guest(Engine *engine, int64_t now_us)
{
	if (now_us < engine->guest_check_us)
		return;
	engine->guest_check_us = now_us + GUEST_CHECK_US;
	engine->guest =
	        guest_ask(settings_int(engine->settings, "daemon", "pause-on-battery", NULL));
}

/* Names first: while directories are being visited, only what was just saved is converted. */
static bool fill(Engine *engine, int64_t now_us, GError **error)
{
	PipelineCounts counts;
	pipeline_counts(engine->pipeline, &counts);
	if (!counts.backlog && counts.urgent == 0 && counts.held == 0)
		return true;
	check_disk(engine, now_us);
	if (engine->low_disk || g_atomic_int_get(&engine->paused))
		return true;
	if (counts.backlog)
		check_guest(engine, now_us);
	bool backlog = crawl_is_clean(engine->crawl, now_us) && engine->guest == GUEST_WELCOME;
	return pipeline_fill(engine->pipeline, backlog, now_us, error);
}

/* ---- commits */

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

static int64_t commit_due_us(const Engine *engine, int64_t now_us)
{
	if (!engine->writer || writer_changes(engine->writer) == 0)
		return INT64_MAX;
	if (writer_changes(engine->writer) >= CHANGES || uncommitted_text(engine) >= TEXT_BYTES)
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
	end_trouble(engine);
	return true;
}

static bool commit_if_due(Engine *engine, int64_t now_us, GError **error)
{
	if (writer_changes(engine->writer) > 0 && engine->change_us == 0)
		engine->change_us = now_us;
	return commit_due_us(engine, now_us) > now_us || commit(engine, now_us, error);
}

/* ---- the round */

static bool verify(Engine *engine, int64_t now_us)
{
	if (now_us >= engine->verify_us) {
		crawl_mark_all(engine->crawl);
		engine->verify_us = next_verify_us(engine, now_us);
	}
	return true;
}

static bool reconcile(Engine *engine, int64_t now_us, GError **error)
{
	unsigned n;
	bool more = false;
	if (!crawl_poll(engine->crawl, now_us, error))
		return false;
	if (!crawl_entries(engine->crawl, ENTRIES, now_us, &n, error))
		return false;
	/* What events point at goes first. */
	if (n < ENTRIES && !crawl_visit(engine->crawl, VISITED, now_us, &more, error))
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

/* Orphans go when nothing is left that could tell where they are. */
static bool bury(Engine *engine, int64_t now_us, GError **error)
{
	if (!crawl_is_clean(engine->crawl, now_us))
		return true;
	int64_t patience_us = knows_what_they_wait_for(engine) ? 0 : CRAWL_ORPHAN_US;
	return crawl_bury(engine->crawl, now_us - patience_us, error);
}

static void hurry(Engine *engine, int64_t now_us)
{
	bool wanted = report_has_syncs(engine);
	if (wanted != engine->hurried)
		pipeline_hurry(engine->pipeline, engine->hurried = wanted);
}

static bool note_clean(Engine *engine, int64_t now_us)
{
	if (crawl_is_clean(engine->crawl, now_us))
		engine->last_reconcile_s = g_get_real_time() / G_USEC_PER_SEC;
	return true;
}

static bool care(Engine *engine, int64_t now_us, GError **error)
{
	bool more;
	if (engine->more || !crawl_is_clean(engine->crawl, now_us) ||
	        !pipeline_is_idle(engine->pipeline))
		return true;
	crawl_rest(engine->crawl);
	if (!care_run(engine, now_us, &more, error))
		return false;
	engine->more |= more;
	return true;
}

static bool count(Engine *engine, int64_t now_us, GError **error)
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
	if (clean && counts->pending >= BULK_FILES && counts->pending > counts->files / 2)
		bulk = true;
	else if (clean && pipeline_is_idle(engine->pipeline))
		bulk = false;
	if (bulk == engine->bulk)
		return true;
	engine->bulk = bulk;
	return writer_set_bulk(engine->writer, bulk, error);
}

static bool work(Engine *engine, int64_t now_us, GError **error)
{
	hurry(engine, now_us);
	return take_messages(engine, false, now_us, error) && verify(engine, now_us) &&
	       reconcile(engine, now_us, error) && bury(engine, now_us, error) &&
	       fill(engine, now_us, error) && commit_if_due(engine, now_us, error) &&
	       note_clean(engine, now_us) && count(engine, now_us, error) &&
	       choose_bulk(engine, now_us, error) && care(engine, now_us, error);
}

static bool try_round(Engine *engine, int64_t now_us, GError **error)
{
	bool in_trouble = engine->trouble && now_us < engine->trouble_until_us;
	if (!in_trouble && !reopen(engine, error))
		return false;
	if (in_trouble)
		return take_messages(engine, true, now_us, error) &&
		       take_requests(engine, true, now_us, error);
	if (!configure(engine, now_us, error))
		return false;
	take_hints(engine, now_us);
	return take_requests(engine, false, now_us, error) && configure(engine, now_us, error) &&
	       work(engine, now_us, error);
}

void round_run(Engine *engine)
{
	g_autoptr(GError) error = NULL;
	int64_t now_us = g_get_monotonic_time();
	engine->more = false;
	if (!try_round(engine, now_us, &error))
		run_into_trouble(engine, error, now_us);
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
	if (orphan_us != INT64_MAX)
		next_us = MIN(next_us, orphan_us + CRAWL_ORPHAN_US);
	next_us = MIN(next_us, MIN(commit_due_us(engine, now_us), engine->verify_us));
	if (may_fill)
		next_us = MIN(next_us, pipeline_next_us(engine->pipeline));
	PipelineCounts counts;
	pipeline_counts(engine->pipeline, &counts);
	if (counts.backlog && engine->guest != GUEST_WELCOME)
		next_us = MIN(next_us, engine->guest_check_us);
	if (engine->low_disk)
		next_us = MIN(next_us, MAX(engine->disk_check_us, now_us));
	if (pipeline_is_idle(engine->pipeline))
		next_us = MIN(next_us, engine->care_us);
	return next_us;
}

int64_t round_next_us(const Engine *engine)
{
	if (engine->more)
		return 0;
	if (engine->trouble && engine->trouble_until_us > g_get_monotonic_time())
		return engine->trouble_until_us;
	if (!engine->configured)
		return 0;
	return working_next_us(engine);
}
