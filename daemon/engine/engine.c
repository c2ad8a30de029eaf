/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/engine/engine-private.h"
#include "common/base/autofd.h"
#include "common/base/paths.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>

/* ---- waking */

static void engine_wake(void *data)
{
	Engine *engine = data;
	if (g_atomic_int_compare_and_exchange(&engine->woken, 0, 1))
		eventfd_write(engine->wake_fd, 1);
}

static void sleep_until(Engine *engine, int64_t due_us)
{
	struct pollfd fds[] = {{engine->wake_fd, POLLIN, 0}, {engine->mounts_fd, POLLPRI, 0}};
	int64_t wait_us = due_us == INT64_MAX ? -1 : due_us - g_get_monotonic_time();
	struct timespec time = {wait_us / G_USEC_PER_SEC, wait_us % G_USEC_PER_SEC * 1000};
	if (due_us != INT64_MAX && wait_us <= 0)
		time = (struct timespec){0, 0};
	eventfd_t count;
	if (ppoll(fds, engine->mounts_fd >= 0 ? 2 : 1, due_us == INT64_MAX ? NULL : &time, NULL) <=
	        0)
		return;
	if (fds[0].revents)
		eventfd_read(engine->wake_fd, &count);
	if (engine->mounts_fd >= 0 && fds[1].revents)
		crawl_note_mounts(engine->crawl);
}

static gpointer engine_run(gpointer data)
{
	Engine *engine = data;
	while (!g_atomic_int_get(&engine->stop)) {
		g_atomic_int_set(&engine->woken, 0);
		sleep_until(engine, tick_run(engine));
	}
	return NULL;
}

ResultQueue *engine_results(Engine *engine)
{
	return engine->results;
}

/* ---- requests from the main thread */

static void engine_ask(Engine *engine, const Request *request)
{
	request_queue_push(engine->requests, request);
	engine_wake(engine);
}

void engine_configure(Engine *engine, Settings *settings, EngineReply reply, void *data)
{
	engine_ask(engine, &(Request){.kind = REQUEST_CONFIGURE,
	                           .settings = settings,
	                           .reply = reply,
	                           .data = data});
}

void engine_index(Engine *engine, GPtrArray *paths, EngineReply reply, void *data)
{
	engine_ask(engine,
	        &(Request){.kind = REQUEST_INDEX, .paths = paths, .reply = reply, .data = data});
}

void engine_retry(Engine *engine, GPtrArray *paths, EngineReply reply, void *data)
{
	engine_ask(engine,
	        &(Request){.kind = REQUEST_RETRY, .paths = paths, .reply = reply, .data = data});
}

void engine_compact(Engine *engine, bool scrub, EngineReply reply, void *data)
{
	engine_ask(engine,
	        &(Request){.kind = REQUEST_COMPACT, .scrub = scrub, .reply = reply, .data = data});
}

void engine_verify(Engine *engine, EngineReply reply, void *data)
{
	engine_ask(engine, &(Request){.kind = REQUEST_VERIFY, .reply = reply, .data = data});
}

void engine_visit(Engine *engine, GPtrArray *urls, EngineReply reply, void *data)
{
	engine_ask(engine,
	        &(Request){.kind = REQUEST_VISIT, .paths = urls, .reply = reply, .data = data});
}

static GPtrArray *one_text(const char *text)
{
	GPtrArray *texts = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(texts, g_strdup(text));
	return texts;
}

void engine_reserve(
        Engine *engine, const char *origin, int64_t patience_ms, EngineReply reply, void *data)
{
	engine_ask(engine, &(Request){.kind = REQUEST_RESERVE,
	                           .paths = one_text(origin),
	                           .patience_ms = patience_ms,
	                           .reply = reply,
	                           .data = data});
}

void engine_release(Engine *engine, const char *origin, EngineReply reply, void *data)
{
	engine_ask(engine, &(Request){.kind = REQUEST_RELEASE,
	                           .paths = one_text(origin),
	                           .reply = reply,
	                           .data = data});
}

void engine_consume(Engine *engine, EngineConsumer *consumer, EngineReply reply, void *data)
{
	engine_ask(engine, &(Request){.kind = REQUEST_CONSUME,
	                           .consumer = consumer,
	                           .reply = reply,
	                           .data = data});
}

uint64_t engine_sync(Engine *engine, bool again, EngineReply reply, void *data)
{
	uint64_t number = ++engine->last_sync;
	engine_ask(engine, &(Request){.kind = REQUEST_SYNC,
	                           .number = number,
	                           .again = again,
	                           .reply = reply,
	                           .data = data});
	return number;
}

void engine_cancel_sync(Engine *engine, uint64_t number)
{
	engine_ask(engine, &(Request){.kind = REQUEST_CANCEL, .number = number});
}

void engine_set_plugins(Engine *engine, const ConverterInfo *info, int64_t identity)
{
	engine_ask(engine, &(Request){.kind = REQUEST_PLUGINS,
	                           .plugins = engine_plugins_of(info),
	                           .identity = info->level == SANDBOX_FULL ? identity : 0});
}

bool engine_knows_converters(const Engine *engine, int64_t identity)
{
	return engine->writer && plugin_record_matches(engine->writer, identity);
}

void engine_pause(Engine *engine, bool pause)
{
	g_atomic_int_set(&engine->paused, pause);
	engine_wake(engine);
}

/* ---- life */

static char *cookie_dir_of(const Engine *engine)
{
	return g_build_filename(engine->index_dir, "cookies", NULL);
}

/* Cookies are made in a directory of our own that is watched like any other (sync-waiters.h). */
static void watch_cookies(Engine *engine)
{
	g_autofree char *dir = cookie_dir_of(engine);
	if (!engine->notify || g_mkdir_with_parents(dir, 0700) != 0)
		return;
	int watch = watcher_add_private(engine->crawl->watcher, dir);
	if (watch < 0)
		g_message("no watch for the directory of cookies: %s", g_strerror(errno));
	notify_set_cookie_watch(engine->notify, watch);
	if (watch >= 0)
		sync_waiters_use_cookies(engine->waiters);
}

static void open_journal(Engine *engine)
{
	g_autoptr(GArray) suspects = NULL;
	engine->journal = journal_open(engine->index_dir, &suspects);
	pipeline_set_suspects(engine->pipeline, suspects);
	pipeline_set_journal(engine->pipeline, engine->journal);
}

static void make_owners(Engine *engine)
{
	g_autofree char *cookie_dir = cookie_dir_of(engine);
	engine->committer = committer_new();
	engine->maintenance = maintenance_new(engine->watch, "");
	engine->recovery = recovery_new();
	engine->waiters = sync_waiters_new(cookie_dir);
	engine->rescans = rescan_policy_new();
	engine->plugins = plugin_record_new();
	engine->first = first_index_new();
	engine->coverage = coverage_cache_new();
	engine->publisher = status_publisher_new();
}

static void free_owners(Engine *engine)
{
	committer_free(engine->committer);
	maintenance_free(engine->maintenance);
	recovery_free(engine->recovery);
	sync_waiters_free(engine->waiters);
	rescan_policy_free(engine->rescans);
	plugin_record_free(engine->plugins);
	first_index_free(engine->first);
	coverage_cache_free(engine->coverage);
	status_publisher_free(engine->publisher);
}

Engine *engine_new(const EngineOptions *options, Settings *settings, GError **error)
{
	Writer *writer = writer_open(options->index_dir, options->cache_dir, error);
	if (!writer) {
		settings_free(settings);
		return NULL;
	}
	Engine *engine = g_new0(Engine, 1);
	engine->writer = writer;
	engine->index_dir = g_strdup(options->index_dir);
	engine->cache_dir = g_strdup(options->cache_dir);
	engine->watch = options->watch;
	engine->purge = options->purge;
	engine->no_room = options->no_room;
	engine->settings = settings;
	engine->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	engine->mounts_fd =
	        options->watch ? open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC) : -1;
	g_autofree char *socket = paths_socket(engine->index_dir);
	g_autofree char *socket_dir = g_path_get_dirname(socket);
	engine->own = own_new(
	        (const char *const[]){engine->index_dir, engine->cache_dir, socket_dir, NULL});
	engine->hints = hints_new();
	engine->results = result_queue_new(engine_wake, engine);
	engine->requests = request_queue_new();
	engine->web = web_crawl_new(engine->index_dir);
	make_owners(engine);
	return engine;
}

static bool engine_compact_stores(void *data, bool all, bool *more_r, bool *whole_r, GError **error)
{
	const Engine *engine = data;
	return web_crawl_compact(engine->web, all, more_r, whole_r, error);
}

void engine_start(Engine *engine, Pool *pool)
{
	g_autoptr(GError) error = NULL;
	const Settings *s = engine->settings;
	engine->pool = pool;
	engine->gate = load_gate_new(pool, engine->index_dir);
	if (engine->watch)
		engine->notify = notify_new(engine->hints, engine_wake, engine, &error);
	if (error)
		g_warning("changes are found by visits only: %s", error->message);
	engine->loader = loader_new(engine->own, engine->results);
	engine->pipeline = pipeline_new(engine->loader, pool);
	CrawlSink sink = {
	        pipeline_on_content, pipeline_on_change, pipeline_on_return, engine->pipeline};
	engine->crawl = crawl_new(engine->notify, engine->own, &sink,
	        settings_int(s, "daemon", "poll", NULL),
	        settings_int(s, "daemon", "watch-share", NULL), &engine->stop);
	pipeline_set_crawl(engine->pipeline, engine->crawl);
	web_crawl_start(engine->web, pool, engine_wake, engine);
	maintenance_set_stores(engine->maintenance, engine_compact_stores, engine);
	PipelinePages pages = {web_crawl_stores(engine->web), web_crawl_wants, web_crawl_document,
	        web_crawl_lost, web_crawl_done, engine->web};
	pipeline_set_pages(engine->pipeline, &pages);
	crawl_reset(engine->crawl, engine->writer);
	watch_cookies(engine);
	open_journal(engine);
	int64_t now_us = g_get_monotonic_time();
	status_publisher_publish(engine->publisher, engine_status_of(engine, now_us), now_us);
	engine->thread = g_thread_new("engine", engine_run, engine);
}

static void discard_results(Engine *engine)
{
	for (IngestResult *result; (result = result_queue_take(engine->results, false));) {
		pipeline_discard(engine->pipeline, result);
		result_queue_finish(engine->results, result);
	}
}

static void stop_threads(Engine *engine)
{
	g_atomic_int_set(&engine->stop, 1);
	g_atomic_int_set(&engine->woken, 0);
	engine_wake(engine);
	g_thread_join(engine->thread);
	notify_free(engine->notify);
	loader_free(engine->loader);
	discard_results(engine);
	pipeline_free(engine->pipeline);
	crawl_free(engine->crawl);
	journal_close(engine->journal);
	load_gate_free(engine->gate);
}

void engine_free(Engine *engine)
{
	if (engine->thread)
		stop_threads(engine);
	web_crawl_free(engine->web);
	writer_close(engine->writer);
	g_clear_pointer(&engine->rules, rules_free);
	settings_free(engine->settings);
	hints_free(engine->hints);
	own_free(engine->own);
	free_owners(engine);
	result_queue_free(engine->results);
	request_queue_free(engine->requests);
	autofd_close(&engine->wake_fd);
	autofd_close(&engine->mounts_fd);
	g_free(engine->index_dir);
	g_free(engine->cache_dir);
	g_free(engine);
}
