/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/ingest/pool.h"
#include "common/base/autofd.h"

#define RETRY_US (10 * G_USEC_PER_SEC)
#define EXPENSIVE_US (30 * 1000)

enum {
	MAX_STARTS = 5,
	FIRST_WAIT_MS = 100,
	EXPENSIVE_BYTES = 2 << 20, /* so many documents are expensive to convert again */
	URGENT_BYTES = 1 << 20, /* a file with more documents no longer goes before others */
};

struct Pool {
	Converter *converter; /* NULL: it could not be started yet */
	int64_t retry_us; /* earliest time of the next try */
	unsigned failed_starts;
	GSource *retry_timer; /* of the next try, or NULL */
	GMutex lock;
	GQueue submitted; /* of Work that the main thread has not seen yet; protected by lock */
	GQueue waiting; /* of Work that waits for the converter to start */
	char *last_error; /* the last error */
	ConverterOptions options;
	char *first_name; /* of options.first_name; NULL: none */
	ResultQueue *results;
	GMainContext *context;
	GPtrArray *tasks; /* of Work that is submitted and not done */
};

typedef struct {
	Pool *pool;
	PoolTask *task;
	GPtrArray *documents; /* of Document, not delivered yet */
	size_t bytes;
	uint64_t delivered; /* bytes */
	int64_t started_us;
} Work;

static void task_free(PoolTask *task)
{
	autofd_close(&task->fd);
	g_clear_pointer(&task->bytes, g_bytes_unref);
	g_free(task->name);
	g_free(task->scope);
	g_free(task->url);
	g_free(task->charset);
	g_free(task);
}

static void work_free(gpointer data)
{
	Work *work = data;
	g_clear_pointer(&work->documents, g_ptr_array_unref);
	g_clear_pointer(&work->task, task_free);
	g_free(work);
}

static GPtrArray *documents_new(void)
{
	return g_ptr_array_new_with_free_func((GDestroyNotify)document_free);
}

static bool pool_is_urgent(const Work *work)
{
	return work->task->urgent && work->delivered <= URGENT_BYTES;
}

/* Waits while the engine has too many unprocessed results. */
static void pool_deliver(Work *work, bool expensive)
{
	work->delivered += work->bytes;
	IngestResult part = {.kind = INGEST_DOCUMENTS,
	        .job = work->task->job,
	        .urgent = pool_is_urgent(work),
	        .documents = g_steal_pointer(&work->documents),
	        .expensive = expensive};
	work->documents = documents_new();
	work->bytes = 0;
	result_queue_push(work->pool->results, &part);
}

/* Is it known already that the file is expensive to convert? No part is delivered before: either
 * all texts of a file are kept or none, because one snippet would convert the whole file again. */
static bool pool_is_expensive(const Work *work)
{
	return work->delivered > 0 || work->bytes >= EXPENSIVE_BYTES ||
	       g_get_monotonic_time() - work->started_us > EXPENSIVE_US;
}

static void pool_on_document(Document *doc, void *data)
{
	Work *work = data;
	g_ptr_array_add(work->documents, doc);
	work->bytes += ingest_document_bytes(doc);
	if (work->task->job && work->bytes >= POOL_PART_BYTES && pool_is_expensive(work))
		pool_deliver(work, true);
}

static void pool_on_restart(void *data)
{
	Work *work = data;
	g_ptr_array_set_size(work->documents, 0);
	work->bytes = 0;
	if (!work->task->job)
		return;
	result_queue_push(work->pool->results, &(IngestResult){.kind = INGEST_RESTARTED,
	                                               .job = work->task->job,
	                                               .urgent = pool_is_urgent(work)});
}

static void pool_end(Work *work, ConversionEnd *end)
{
	if (!work->task->job) {
		work->task->done(work->documents, end, work->task->data);
		conversion_end_clear(end);
		g_ptr_array_remove_fast(work->pool->tasks, work);
		return;
	}
	result_queue_push(work->pool->results, &(IngestResult){.kind = INGEST_CONVERTED,
	                                               .job = work->task->job,
	                                               .urgent = pool_is_urgent(work),
	                                               .end = *end});
	g_ptr_array_remove_fast(work->pool->tasks, work);
}

static void pool_on_done(const ConvertResult *result, void *data)
{
	Work *work = data;
	if (work->documents->len > 0 && work->task->job)
		pool_deliver(work, work->delivered > 0 || result->cpu_us > EXPENSIVE_US);
	pool_end(work, &(ConversionEnd){result->state, result->reason, g_strdup(result->detail),
	                       g_strdup(result->mime), g_strdup(result->extractor), result->version,
	                       result->left_out, result->given_up});
}

static void pool_fail(Work *work, const char *why)
{
	pool_end(work,
	        &(ConversionEnd){
	                .state = STATE_FAILED, .reason = REASON_MISSING, .detail = g_strdup(why)});
}

static void pool_submit_job(Work *work)
{
	static const ConvertCallbacks callbacks = {pool_on_document, pool_on_restart, pool_on_done};
	PoolTask *task = work->task;
	ConvertRequest request = {autofd_steal(&task->fd), task->bytes, task->size, task->name,
	        task->scope, task->limits, task->slow, task->urgent, NULL, task->purpose, task->url,
	        task->charset};
	converter_submit(work->pool->converter, &request, &callbacks, work);
}

static gboolean pool_retry_start(gpointer data);

static void pool_give_up(Pool *pool, const GError *error)
{
	g_warning("the converter does not start: %s", error->message);
	pool->retry_us = g_get_monotonic_time() + RETRY_US;
	g_free(pool->last_error);
	pool->last_error = g_strdup(error->message);
	for (Work *work; (work = g_queue_pop_head(&pool->waiting));)
		pool_fail(work, pool->last_error);
}

/* The program is to load what the first file probably needs, and no more: often that is one file
 * that was just saved. */
static void pool_guess_plugins(Pool *pool)
{
	const Work *first = g_queue_peek_head(&pool->waiting);
	bool is_file = first && first->task->purpose == JOB_FILE;
	g_free(pool->first_name);
	pool->first_name = g_strdup(is_file ? first->task->name : "");
	pool->options.first_name = pool->first_name;
}

/* A program that does not start may have been killed by chance, so the start is tried again soon,
 * but not once for every file. */
static void pool_start_converter(Pool *pool)
{
	g_autoptr(GError) error = NULL;
	pool_guess_plugins(pool);
	pool->converter = converter_start(&pool->options, &error);
	if (pool->converter) {
		pool->failed_starts = 0;
		for (Work *work; (work = g_queue_pop_head(&pool->waiting));)
			pool_submit_job(work);
	} else if (++pool->failed_starts >= MAX_STARTS) {
		pool_give_up(pool, error);
	} else {
		pool->retry_timer =
		        g_timeout_source_new(FIRST_WAIT_MS << (pool->failed_starts - 1));
		g_source_set_callback(pool->retry_timer, pool_retry_start, pool, NULL);
		g_source_attach(pool->retry_timer, pool->context);
	}
}

static gboolean pool_retry_start(gpointer data)
{
	Pool *pool = data;
	g_clear_pointer(&pool->retry_timer, g_source_unref);
	pool_start_converter(pool);
	return G_SOURCE_REMOVE;
}

static void pool_run_task(Pool *pool, Work *work)
{
	g_ptr_array_add(pool->tasks, work);
	work->documents = documents_new();
	work->started_us = g_get_monotonic_time();
	if (pool->converter) {
		pool_submit_job(work);
	} else if (g_get_monotonic_time() < pool->retry_us) {
		pool_fail(work, pool->last_error);
	} else {
		g_queue_push_tail(&pool->waiting, work);
		if (!pool->retry_timer)
			pool_start_converter(pool);
	}
}

static gboolean pool_run_tasks(gpointer data)
{
	Pool *pool = data;
	Converter *converter = pool->converter;
	g_mutex_lock(&pool->lock);
	g_auto(GQueue) submitted = pool->submitted;
	g_queue_init(&pool->submitted);
	g_mutex_unlock(&pool->lock);
	if (converter)
		converter_collect(converter, true);
	for (Work *work; (work = g_queue_pop_head(&submitted));)
		pool_run_task(pool, work);
	if (converter)
		converter_collect(converter, false);
	return G_SOURCE_REMOVE;
}

/* Calls the function in the pool's thread, even before the main loop runs there;
 * g_main_context_invoke() would call it at once. */
static void pool_call(Pool *pool, GSourceFunc function, void *data, GDestroyNotify free_data)
{
	g_autoptr(GSource) source = g_idle_source_new();
	g_source_set_priority(source, G_PRIORITY_DEFAULT);
	g_source_set_callback(source, function, data, free_data);
	g_source_attach(source, pool->context);
}

void pool_submit(Pool *pool, PoolTask *task)
{
	Work *work = g_new0(Work, 1);
	work->pool = pool;
	work->task = task;
	g_mutex_lock(&pool->lock);
	bool first = pool->submitted.length == 0;
	g_queue_push_tail(&pool->submitted, work);
	g_mutex_unlock(&pool->lock);
	if (first)
		pool_call(pool, pool_run_tasks, pool, NULL);
}

typedef struct {
	Pool *pool;
	bool hold;
} Hold;

static gboolean run_hold(gpointer data)
{
	const Hold *hold = data;
	if (hold->pool->converter)
		converter_hold(hold->pool->converter, hold->hold);
	return G_SOURCE_REMOVE;
}

void pool_hold(Pool *pool, bool hold)
{
	Hold *request = g_new(Hold, 1);
	*request = (Hold){pool, hold};
	pool_call(pool, run_hold, request, g_free);
}

static gboolean run_yield(gpointer data)
{
	Pool *pool = data;
	if (pool->converter)
		converter_yield(pool->converter);
	return G_SOURCE_REMOVE;
}

void pool_yield(Pool *pool)
{
	pool_call(pool, run_yield, pool, NULL);
}

void pool_set_options(Pool *pool, const ConverterOptions *options)
{
	pool->options = *options; /* used from the next start on */
}

const ConverterInfo *pool_info(const Pool *pool)
{
	return pool->converter ? converter_info(pool->converter) : NULL;
}

Pool *pool_new(Converter *converter, const ConverterOptions *options, ResultQueue *results)
{
	Pool *pool = g_new0(Pool, 1);
	pool->converter = converter;
	pool->options = *options;
	pool->results = results;
	pool->context = g_main_context_default();
	pool->tasks = g_ptr_array_new_with_free_func(work_free);
	g_mutex_init(&pool->lock);
	g_queue_init(&pool->submitted);
	return pool;
}

void pool_free(Pool *pool)
{
	if (pool->retry_timer)
		g_source_destroy(pool->retry_timer);
	g_clear_pointer(&pool->retry_timer, g_source_unref);
	g_queue_clear(&pool->waiting);
	g_queue_clear_full(&pool->submitted, work_free);
	g_mutex_clear(&pool->lock);
	g_clear_pointer(&pool->converter, converter_free);
	g_ptr_array_unref(pool->tasks);
	g_free(pool->last_error);
	g_free(pool->first_name);
	g_free(pool);
}
