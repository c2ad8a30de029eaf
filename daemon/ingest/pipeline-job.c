/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/ingest/pipeline-private.h"

bool pipeline_job_is_in_work(const PipelineJob *job)
{
	return job->state == JOB_LOADING || job->state == JOB_WAITING ||
	       job->state == JOB_CONVERTING;
}

bool pipeline_job_is_postponed(const PipelineJob *job)
{
	return job->state == JOB_DEBOUNCED || job->state == JOB_RETRY ||
	       job->state == JOB_RETRY_AWAITED;
}

void pipeline_job_free(PipelineJob *job)
{
	g_clear_pointer(&job->waiting, g_ptr_array_unref);
	g_free(job);
}

static bool is_slow_work(const PipelineJob *job)
{
	return job->slow_content != 0 && !job->rehash &&
	       (job->state == JOB_LOADING || job->state == JOB_CONVERTING);
}

static bool is_signs_work(const PipelineJob *job)
{
	return job->adds_signs && is_slow_work(job);
}

static bool is_rehash_work(const PipelineJob *job)
{
	return job->rehash && job->state == JOB_LOADING;
}

static bool is_light_work(const PipelineJob *job)
{
	return job->light && (job->state == JOB_LOADING || job->state == JOB_CONVERTING) &&
	       !job->rehash && job->slow_content == 0;
}

void pipeline_job_set_state(Pipeline *p, PipelineJob *job, JobState state)
{
	p->postponed -= pipeline_job_is_postponed(job);
	p->loading -= job->state == JOB_LOADING;
	p->n_converting -= job->state == JOB_CONVERTING;
	p->awaited -= job->state == JOB_RETRY_AWAITED;
	p->slow -= is_slow_work(job);
	p->light -= is_light_work(job);
	p->adding_signs -= is_signs_work(job);
	p->rehashing -= is_rehash_work(job);
	p->saved_in_work -= job->urgent && pipeline_job_is_in_work(job);
	job->state = state;
	p->saved_in_work += job->urgent && pipeline_job_is_in_work(job);
	p->rehashing += is_rehash_work(job);
	p->adding_signs += is_signs_work(job);
	p->slow += is_slow_work(job);
	p->light += is_light_work(job);
	p->awaited += job->state == JOB_RETRY_AWAITED;
	p->postponed += pipeline_job_is_postponed(job);
	p->loading += job->state == JOB_LOADING;
	p->n_converting += job->state == JOB_CONVERTING;
}

PipelineJob *pipeline_job_new(Pipeline *p, const Entry *entry, JobState state)
{
	PipelineJob *job = g_new0(PipelineJob, 1);
	job->inode = entry->inode;
	job->node = entry->node;
	job->stat = entry->stat;
	job->state = JOB_QUEUED;
	pipeline_job_set_state(p, job, state);
	g_hash_table_insert(p->jobs, &job->inode, job);
	return job;
}

void pipeline_job_leave_converter(Pipeline *p, PipelineJob *job)
{
	g_hash_table_remove(p->converting, job->checksum);
	if (p->journal)
		journal_remove(p->journal, job->inode);
	pipeline_job_set_state(p, job, JOB_QUEUED);
}

/* The jobs that wait for this one become rows of the backlog again. */
static void forget_waiting(Pipeline *p, PipelineJob *job)
{
	g_autoptr(GPtrArray) waiting = g_steal_pointer(&job->waiting);
	for (guint i = 0; waiting && i < waiting->len; i++)
		pipeline_job_forget(p, waiting->pdata[i]);
	p->may_have_backlog |= waiting != NULL;
}

void pipeline_job_forget(Pipeline *p, PipelineJob *job)
{
	forget_waiting(p, job);
	bool pending = job->state == JOB_LOADING || job->state == JOB_CONVERTING;
	if (job->state == JOB_CONVERTING)
		pipeline_job_leave_converter(p, job);
	p->bytes_in_work -= job->bytes;
	job->bytes = 0;
	pipeline_job_set_state(p, job, JOB_QUEUED);
	g_hash_table_remove(p->jobs, &job->inode);
	job->cancelled = true;
	if (!pending)
		pipeline_job_free(job);
}

void pipeline_job_postpone(Pipeline *p, PipelineJob *job, JobState state, int64_t due_us)
{
	p->bytes_in_work -= job->bytes;
	job->bytes = 0;
	job->due_us = due_us;
	pipeline_job_set_state(p, job, state);
}

int pipeline_job_check_row(Pipeline *p, PipelineJob *job, Entry *row, GError **error)
{
	int found = writer_get(pipeline_writer(p), job->node, row, error);
	if (found < 0)
		return -1;
	if (!found || row->inode != job->inode || row->stat.kind != ENTRY_FILE)
		return 0;
	if (job->slow_content)
		return row->state == INODE_DONE && row->content == job->slow_content;
	return row->state == INODE_PENDING;
}

bool pipeline_job_retry_awaited(Pipeline *p, PipelineJob *job, int64_t now_us)
{
	static const int64_t waits_us[] = {20000, 100000, 500000};
	if (!p->expedite || job->expedited >= G_N_ELEMENTS(waits_us))
		return false;
	pipeline_job_postpone(p, job, JOB_RETRY_AWAITED, now_us + waits_us[job->expedited++]);
	return true;
}

unsigned pipeline_in_work(const Pipeline *p)
{
	return p->loading + p->n_converting - p->slow - p->rehashing;
}

void pipeline_skip_slow(Pipeline *p, PipelineJob *job, bool again)
{
	if (again && job->adds_signs) {
		p->signs_tried = 0;
	} else if (again) {
		g_hash_table_remove(p->skipped, &job->slow_content);
		p->may_have_deferred = true;
	}
	pipeline_job_forget(p, job);
}

PipelineJob *pipeline_preempt_slow(Pipeline *p, PipelineJob *job)
{
	bool slow = job && job->slow_content && pipeline_job_is_in_work(job);
	if (slow && job->rehash) {
		pipeline_rehash_preempt(p, job);
		return NULL;
	}
	if (!slow || job->content) /* its documents have arrived, so it is about to end */
		return job;
	pipeline_skip_slow(p, job, true);
	pool_yield(p->pool);
	return NULL;
}
