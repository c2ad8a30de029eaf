/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/engine/engine-private.h"
#include "index/write/writer-changes.h"

static bool index_paths(Engine *engine, Request *request, int64_t now_us, GError **error)
{
	uint64_t n = 0;
	if (request->paths->len == 0) {
		crawl_mark_all(engine->crawl);
		rescan_policy_begin(engine->rescans, RESCAN_REQUEST, now_us);
	}
	for (guint i = 0; i < request->paths->len; i++) {
		bool covered;
		if (!crawl_mark_path(
		            engine->crawl, request->paths->pdata[i], now_us, &covered, error))
			return false;
		n += covered;
	}
	answer_post(request->reply, request->data, n, NULL);
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
	if (!writer_commit(engine->writer, error)) /* what is answered must not be lost later */
		return false;
	pipeline_note_backlog(engine->pipeline);
	answer_post(request->reply, request->data, n, NULL);
	return true;
}

static bool visit_urls(Engine *engine, Request *request, GError **error)
{
	uint64_t n = 0;
	for (guint i = 0; i < request->paths->len; i++) {
		bool known;
		if (!web_crawl_visit(
		            engine->web, engine->writer, request->paths->pdata[i], &known, error))
			return false;
		n += known;
	}
	if (!writer_commit(engine->writer, error))
		return false;
	answer_post(request->reply, request->data, n, NULL);
	return true;
}

static bool reserve_host(Engine *engine, const Request *request, GError **error)
{
	int64_t wait_ms;
	if (!web_crawl_reserve(engine->web, engine->writer, request->paths->pdata[0],
	            request->patience_ms, &wait_ms, error))
		return false;
	answer_post(
	        request->reply, request->data, wait_ms < 0 ? UINT64_MAX : (uint64_t)wait_ms, NULL);
	return true;
}

static bool release_host(Engine *engine, const Request *request, GError **error)
{
	if (!web_crawl_release(engine->web, engine->writer, request->paths->pdata[0], error))
		return false;
	answer_post(request->reply, request->data, 0, NULL);
	return true;
}

static bool verify_copies(Engine *engine, const Request *request, GError **error)
{
	unsigned n;
	if (!pipeline_verify_copies(engine->pipeline, &n, error) ||
	        !writer_commit(engine->writer, error))
		return false;
	answer_post(request->reply, request->data, n, NULL);
	return true;
}

static bool consume(Writer *writer, const EngineConsumer *told, int64_t *n_r, GError **error)
{
	const Consumer consumer = {.name = told->name,
	        .seq = told->seq,
	        .rereads = told->rereads,
	        .exposure_ms = told->exposure_ms};
	bool known = false, ok = false;
	*n_r = 0;
	switch (told->message) {
	case CONSUMER_REACHED:
		return writer_consume(writer, &consumer, n_r, error);
	case CONSUMER_FAILS:
		return writer_note_failure(writer, told->name, told->failure, error);
	case CONSUMER_FORGET:
		ok = writer_forget_consumer(writer, told->name, &known, error);
		*n_r = known;
	}
	return ok;
}

/* A request that is refused is not an error of the index. */
static bool requests_consume(Engine *engine, const Request *request, GError **error)
{
	g_autoptr(GError) why = NULL;
	int64_t n;
	if (consume(engine->writer, request->consumer, &n, &why)) {
		if (!writer_commit(engine->writer, error))
			return false;
	} else if (!writer_check(engine->writer, error)) {
		return false;
	}
	answer_post(request->reply, request->data, n, why);
	return true;
}

/* A client waits, so postponed work is done now. */
static void begin_sync(Engine *engine, const Request *request, int64_t now_us)
{
	sync_waiters_add(engine->waiters, request->number, request->reply, request->data);
	recovery_expedite(engine->recovery, now_us);
	if (!request->again) /* else directories without a watch are on the list since then, or were
	                        visited, and marking them anew would never end */
		crawl_mark_polled(engine->crawl);
	pipeline_retry_now(engine->pipeline);
	queue_flush(engine->crawl->queue, now_us);
}

static bool request_serve(Engine *engine, Request *request, int64_t now_us, GError **error)
{
	switch (request->kind) {
	case REQUEST_INDEX:
		return index_paths(engine, request, now_us, error);
	case REQUEST_RETRY:
		return requests_retry(engine, request, error);
	case REQUEST_VISIT:
		return visit_urls(engine, request, error);
	case REQUEST_RESERVE:
		return reserve_host(engine, request, error);
	case REQUEST_RELEASE:
		return release_host(engine, request, error);
	case REQUEST_PLUGINS:
		plugin_record_set(
		        engine->plugins, g_steal_pointer(&request->plugins), request->identity);
		break;
	case REQUEST_SYNC:
		begin_sync(engine, request, now_us);
		break;
	case REQUEST_COMPACT:
		maintenance_compact(
		        engine->maintenance, request->scrub, request->reply, request->data);
		break;
	case REQUEST_VERIFY:
		return verify_copies(engine, request, error);
	case REQUEST_CONSUME:
		return requests_consume(engine, request, error);
	case REQUEST_CANCEL:
		sync_waiters_cancel(engine->waiters, request->number);
		break;
	case REQUEST_CONFIGURE:
		status_publisher_answer_after(engine->publisher, request->reply, request->data);
		return handles_set_settings(engine, g_steal_pointer(&request->settings), error);
	}
	return true;
}

static bool request_needs_index(const Request *request)
{
	return request->kind == REQUEST_INDEX || request->kind == REQUEST_RETRY ||
	       request->kind == REQUEST_VISIT || request->kind == REQUEST_RESERVE ||
	       request->kind == REQUEST_RELEASE || request->kind == REQUEST_COMPACT ||
	       request->kind == REQUEST_VERIFY || request->kind == REQUEST_CONSUME;
}

/* If there is an error of the index, requests that need the index are answered with it. The others
 * only change what is in memory and outlasts the error. */
static bool request_try(
        Engine *engine, Request *request, bool recovering, int64_t now_us, GError **error)
{
	bool needs_index = request_needs_index(request);
	if (recovering && needs_index) {
		answer_post(request->reply, request->data, 0, recovery_error(engine->recovery));
		return true;
	}
	if ((!needs_index || handles_configure(engine, now_us, error)) &&
	        request_serve(engine, request, now_us, error))
		return true;
	if (needs_index)
		answer_post(request->reply, request->data, 0, *error);
	return false;
}

bool requests_serve(Engine *engine, bool recovering, int64_t now_us, GError **error)
{
	bool ok = true;
	for (Request *request; ok && (request = request_queue_pop(engine->requests));) {
		ok = request_try(engine, request, recovering, now_us, error);
		request_free(request);
	}
	return ok;
}
