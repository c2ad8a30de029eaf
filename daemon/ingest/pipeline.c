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
	p->skipped = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	p->cooldown = cooldown_new();
	p->may_have_backlog = p->may_have_deferred = true;
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
	pipeline_rehash_restart(p);
	p->may_have_backlog = p->may_have_deferred = true;
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
	cooldown_free(p->cooldown);
	g_free(p);
}

void pipeline_set_limits(Pipeline *p, const PipelineLimits *limits)
{
	p->limits = *limits;
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
	p->may_have_backlog = p->may_have_deferred = true;
}

void pipeline_note_rehash(Pipeline *p)
{
	PipelineJob *job = g_hash_table_lookup(p->jobs, &p->rehash.tried);
	if (job && job->rehash)
		pipeline_job_forget(p, job);
	pipeline_rehash_restart(p);
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

void pipeline_counts(const Pipeline *p, PipelineCounts *out)
{
	*out = (PipelineCounts){p->loading, p->n_converting, p->urgent.length, p->postponed,
	        p->may_have_backlog || p->batch.length > 0, p->broken, p->done, p->text_bytes,
	        p->extractions, p->saved,
	        p->may_have_deferred || p->may_have_rehash || p->slow > 0};
}

bool pipeline_is_idle(const Pipeline *p)
{
	return pipeline_in_work(p) == 0 && p->urgent.length == 0 && p->batch.length == 0 &&
	       p->awaited == 0 && !p->may_have_backlog;
}

bool pipeline_is_urgent(const Pipeline *p)
{
	GHashTableIter iter;
	gpointer value;
	if (p->urgent.length > 0)
		return true;
	g_hash_table_iter_init(&iter, p->jobs);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		const PipelineJob *job = value;
		if (job->urgent && pipeline_job_is_in_work(job))
			return true;
	}
	return false;
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
