/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/ingest/pipeline-private.h"
#include "daemon/ingest/cooldown.h"
#include <string.h>

static guint checksum_hash(gconstpointer key)
{
	guint hash;
	memcpy(&hash, key, sizeof(hash));
	return hash;
}

static gboolean checksum_equal(gconstpointer one, gconstpointer other)
{
	return memcmp(one, other, CHECKSUM_BYTES) == 0;
}

Pipeline *pipeline_new(Loader *loader, Pool *pool)
{
	Pipeline *p = g_new0(Pipeline, 1);
	p->loader = loader;
	p->pool = pool;
	p->jobs = g_hash_table_new(g_int64_hash, g_int64_equal);
	p->converting = g_hash_table_new(checksum_hash, checksum_equal);
	p->suspects = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	p->submits = g_ptr_array_new();
	p->skipped = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	p->cooldown = cooldown_new();
	p->day = day_budget_new();
	p->day_end_us = p->signs_due_us = INT64_MAX;
	p->may_have_deferred = p->may_lack_signs = true;
	pipeline_restart_backlog(p);
	pipeline_rehash_restart(p);
	return p;
}

void pipeline_set_crawl(Pipeline *p, Crawl *crawl)
{
	p->crawl = crawl;
}

void pipeline_reset(Pipeline *p)
{
	g_autoptr(GList) jobs = g_hash_table_get_values(p->jobs);
	g_queue_clear(&p->urgent);
	g_queue_clear(&p->batch);
	for (GList *item = jobs; item; item = item->next)
		g_clear_pointer(&((PipelineJob *)item->data)->waiting, g_ptr_array_unref);
	for (GList *item = jobs; item; item = item->next)
		pipeline_job_forget(p, item->data);
	g_hash_table_remove_all(p->skipped);
	pipeline_rehash_interrupt(p);
	p->may_have_deferred = p->may_lack_signs = true;
	pipeline_restart_backlog(p);
	p->signs_tried = p->signs_content = p->signs_left = 0;
	p->signs_due_us = INT64_MAX;
}

bool pipeline_drop_jobs(Pipeline *p, GError **error)
{
	bool ok = true;
	GHashTableIter iter;
	gpointer value;
	g_hash_table_iter_init(&iter, p->jobs);
	while (ok && g_hash_table_iter_next(&iter, NULL, &value))
		ok = pipeline_abandon(p, value, error);
	pipeline_reset(p);
	return ok;
}

static void forget_messages(gpointer inode, gpointer value, gpointer data)
{
	PipelineJob *job = value;
	if (job->state == JOB_LOADING || job->state == JOB_CONVERTING)
		pipeline_job_set_state(data, job, JOB_QUEUED);
}

void pipeline_free(Pipeline *p)
{
	g_hash_table_foreach(p->jobs, forget_messages, p);
	pipeline_reset(p);
	g_hash_table_unref(p->jobs);
	g_hash_table_unref(p->converting);
	g_hash_table_unref(p->suspects);
	g_hash_table_unref(p->skipped);
	g_assert(p->submits->len == 0);
	g_ptr_array_unref(p->submits);
	cooldown_free(p->cooldown);
	day_budget_free(p->day);
	g_free(p);
}

void pipeline_set_limits(Pipeline *p, const PipelineLimits *limits)
{
	p->limits = *limits;
	day_budget_set_limits(p->day, limits->daily_words, limits->daily_text);
}

bool pipeline_begin_day(Pipeline *p)
{
	bool waiting = p->day_end_us != INT64_MAX;
	int64_t now_us = g_get_monotonic_time(), now_s = g_get_real_time() / G_USEC_PER_SEC;
	if (day_budget_begin(p->day, now_s)) {
		p->day_end_us = INT64_MAX;
		if (waiting)
			g_hash_table_remove_all(p->skipped);
		p->may_have_deferred |= waiting;
		return waiting;
	}
	if (now_us >= p->day_end_us) /* the clock was set back */
		p->day_end_us = now_us + (day_budget_end_s(now_s) - now_s) * G_USEC_PER_SEC;
	return false;
}

void pipeline_set_journal(Pipeline *p, Journal *journal)
{
	p->journal = journal;
}

void pipeline_set_suspects(Pipeline *p, const GArray *inodes)
{
	for (guint i = 0; i < inodes->len; i++)
		g_hash_table_insert(p->suspects,
		        g_memdup2(&g_array_index(inodes, int64_t, i), sizeof(int64_t)), NULL);
}

void pipeline_note_backlog(Pipeline *p)
{
	p->may_have_deferred = true;
	pipeline_restart_backlog(p);
}

void pipeline_note_rehash(Pipeline *p)
{
	PipelineJob *job = g_hash_table_lookup(p->jobs, &p->rehash.last);
	if (job && job->rehash)
		pipeline_job_forget(p, job);
	pipeline_rehash_restart(p);
}

/* Contents were left because their files were away. */
void pipeline_on_return(void *data)
{
	Pipeline *p = data;
	pipeline_note_rehash(p);
	pipeline_retry_signs(p);
}

static PipelineJob *find_deferred(const Pipeline *p)
{
	GHashTableIter iter;
	gpointer value;
	g_hash_table_iter_init(&iter, p->jobs);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		PipelineJob *job = value;
		if (job->slow_content && !job->rehash)
			return job;
	}
	return NULL;
}

/* Gives up all deferred conversions; they start again later. */
static bool drop_deferred(Pipeline *p, GError **error)
{
	PipelineJob *job;
	if (p->slow > 0)
		pool_yield(p->pool);
	while ((job = find_deferred(p))) {
		if (!pipeline_abandon(p, job, error))
			return false;
		pipeline_skip_slow(p, job, true);
	}
	return true;
}

/* A deferred conversion would give the content a successor with a known checksum, so that its files
 * would not be compared with each other. */
bool pipeline_verify_copies(Pipeline *p, unsigned *n_r, GError **error)
{
	if (!drop_deferred(p, error) || !writer_rehash_shared(pipeline_writer(p), n_r, error))
		return false;
	pipeline_note_rehash(p);
	p->rehash_awaited = true;
	return true;
}

void pipeline_set_pages(Pipeline *p, const PipelinePages *pages)
{
	p->pages = *pages;
}

void pipeline_expedite(Pipeline *p, bool expedite)
{
	p->expedite = expedite;
}

/* ---- results */

void pipeline_discard(Pipeline *p, IngestResult *result)
{
	bool last = result->kind == INGEST_LOADED || result->kind == INGEST_CONVERTED;
	PipelineJob *job = result->job;
	if (last && job->cancelled) {
		pipeline_job_free(job);
	} else if (last) {
		if (job->state == JOB_CONVERTING)
			pipeline_job_leave_converter(p, job);
		pipeline_job_set_state(p, job, JOB_QUEUED);
		pipeline_job_forget(p, job);
	}
}

bool pipeline_take(Pipeline *p, IngestResult *result, int64_t now_us, GError **error)
{
	PipelineJob *job = result->job;
	result->unfinished = false;
	if (job->cancelled) {
		pipeline_discard(p, result);
		return true;
	}
	switch (result->kind) {
	case INGEST_LOADED:
		return pipeline_take_loaded(p, job, result->load, now_us, error);
	case INGEST_DOCUMENTS:
		return pipeline_take_documents(p, job, result, error);
	case INGEST_RESTARTED:
		return pipeline_abandon(p, job, error);
	case INGEST_CONVERTED:
		break;
	}
	return pipeline_take_converted(p, job, &result->end, now_us, error);
}

/* ---- counts and state */

static int64_t pipeline_stream_us(const Pipeline *p)
{
	const SaveStream *stream = &p->streams[p->last_stream];
	int64_t now_us = g_get_monotonic_time();
	return now_us - stream->last_us > STREAM_GAP_US ? 0 : now_us - stream->begun_us;
}

void pipeline_counts(const Pipeline *p, PipelineCounts *out)
{
	bool deferred = p->may_have_deferred || p->slow > p->adding_signs;
	bool rehash = p->may_have_rehash || p->rehashing > 0;
	*out = (PipelineCounts){p->loading, p->n_converting, p->urgent.length, p->postponed,
	        p->may_have_backlog || p->batch.length > 0, p->broken, p->done, p->text_bytes,
	        p->extractions, p->saved, p->saved_single, pipeline_stream_us(p),
	        p->urgent.length + p->saved_in_work, deferred, rehash, rehash && p->rehash_awaited,
	        p->may_lack_signs};
}

bool pipeline_is_idle(const Pipeline *p)
{
	return pipeline_in_work(p) == 0 && p->urgent.length == 0 && p->batch.length == 0 &&
	       p->awaited == 0 && !p->may_have_backlog;
}

bool pipeline_is_urgent(const Pipeline *p)
{
	return p->urgent.length > 0 || p->saved_in_work > 0;
}

bool pipeline_expects_saved(const Pipeline *p, const PipelineJob *except, int64_t now_us)
{
	GHashTableIter iter;
	gpointer value;
	if (!pipeline_is_urgent(p))
		return false;
	g_hash_table_iter_init(&iter, p->jobs);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		const PipelineJob *job = value;
		if (job->urgent && job != except && pipeline_job_is_in_work(job) &&
		        job->content == 0 && now_us - job->started_us < G_USEC_PER_SEC)
			return true;
	}
	return p->urgent.length > 0;
}

int64_t pipeline_current(const Pipeline *p)
{
	GHashTableIter iter;
	gpointer value;
	g_hash_table_iter_init(&iter, p->converting);
	if (!g_hash_table_iter_next(&iter, NULL, &value))
		return 0;
	return ((const PipelineJob *)value)->node;
}
