/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/ingest/pipeline-private.h"
#include "daemon/ingest/cooldown.h"

enum { MAX_URGENT = 4096, DEBOUNCE_SLACK_US = 1000 * 1000 };

/* Has all writing to the file ended, as far as events tell? */
static bool pipeline_is_quiet(const Entry *entry, const PipelineJob *job, unsigned what)
{
	if ((what & (HINT_CLOSED | HINT_MOVED)) || what == HINT_MODIFIED)
		return true;
	if (what & HINT_MODIFIED)
		return false;
	if (what & HINT_CREATED) /* a link or a clone is complete; an empty file is yet to be
	                            written */
		return entry->stat.size > 0;
	return !job || job->state != JOB_DEBOUNCED;
}

static void pipeline_unqueue(Pipeline *p, PipelineJob *job)
{
	g_queue_remove(&p->urgent, job);
	g_queue_remove(&p->batch, job);
}

/* An entry of the crawler's queue brings the file back. If the entry disappears with its name, the
 * inode may have another name; therefore the job is also queued at due_us. */
static void pipeline_debounce(Pipeline *p, const Entry *entry, PipelineJob *job, int64_t until_us)
{
	if (!job)
		job = pipeline_job_new(p, entry, JOB_DEBOUNCED);
	else if (job->state == JOB_QUEUED)
		pipeline_unqueue(p, job);
	pipeline_job_set_state(p, job, JOB_DEBOUNCED);
	job->due_us = until_us + DEBOUNCE_SLACK_US;
	g_debug("job: inode %" G_GINT64_FORMAT ": waits, for it is being written or cools down",
	        entry->inode);
}

void pipeline_enqueue(Pipeline *p, const Entry *entry, PipelineJob *job, uint64_t cooldown)
{
	if (!job && p->urgent.length >= MAX_URGENT) { /* the backlog has no limit */
		p->may_have_backlog = true;
		return;
	}
	if (!job)
		job = pipeline_job_new(p, entry, JOB_QUEUED);
	else if (job->state == JOB_QUEUED)
		pipeline_unqueue(p, job);
	pipeline_job_set_state(p, job, JOB_QUEUED);
	job->urgent = true;
	job->cooldown = cooldown;
	job->node = entry->node;
	job->stat = entry->stat;
	g_queue_push_tail(&p->urgent, job);
}

/* A visit at the start found what was saved a moment before its directory was watched. */
static bool was_just_saved(const Entry *entry, const Dir *dir)
{
	const int64_t moment_ns = INT64_C(60) * 1000 * 1000 * 1000;
	int64_t now_ns = g_get_real_time() * 1000;
	return (dir->flags & DIR_HOT) && entry->stat.mtime_ns > now_ns - moment_ns &&
	       entry->stat.mtime_ns <= now_ns;
}

void pipeline_on_content(
        const Entry *entry, const Dir *dir, const char *name, unsigned what, void *data)
{
	Pipeline *p = data;
	PipelineJob *job = g_hash_table_lookup(p->jobs, &entry->inode);
	int64_t now_us = g_get_monotonic_time();
	uint64_t cooldown = cooldown_key(dir->node, name);
	job = pipeline_preempt_slow(p, job);
	if (job && pipeline_job_is_in_work(job)) {
		job->touched |= what != 0;
		return;
	}
	if (what == 0) {
		if (job && job->state == JOB_RETRY && job->away > 0)
			pipeline_job_forget(p, job); /* the directory of the file is back */
		pipeline_restart_backlog(p);
		if (!job && was_just_saved(entry, dir))
			pipeline_enqueue(p, entry, NULL, cooldown);
		return;
	}
	if (!p->expedite && !pipeline_is_quiet(entry, job, what)) {
		pipeline_debounce(p, entry, job, now_us + QUEUE_OPEN_US);
		queue_push(p->crawl->queue, dir->node, name, HINT_MODIFIED, now_us);
		return;
	}
	int64_t due_us = p->expedite ? 0 : cooldown_not_before_us(p->cooldown, cooldown, now_us);
	if (due_us > 0) {
		pipeline_debounce(p, entry, job, due_us);
		queue_push_at(p->crawl->queue, dir->node, name, HINT_MODIFIED, due_us);
		return;
	}
	pipeline_enqueue(p, entry, job, cooldown);
}

void pipeline_on_change(int64_t inode, void *data)
{
	Pipeline *p = data;
	PipelineJob *job = pipeline_preempt_slow(p, g_hash_table_lookup(p->jobs, &inode));
	if (job && pipeline_job_is_in_work(job))
		job->outdated = true;
	else if (job && job->state != JOB_QUEUED)
		pipeline_job_forget(p, job);
}

void pipeline_queue_due(Pipeline *p, bool all, int64_t now_us)
{
	GHashTableIter iter;
	gpointer value;
	if (p->postponed == 0)
		return;
	g_hash_table_iter_init(&iter, p->jobs);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		PipelineJob *job = value;
		bool matches = all ? pipeline_job_is_postponed(job) : job->state == JOB_RETRY;
		if (!matches || job->due_us > now_us)
			continue;
		pipeline_job_set_state(p, job, JOB_QUEUED);
		g_queue_push_tail(&p->urgent, job);
	}
}

void pipeline_retry_now(Pipeline *p)
{
	pipeline_queue_due(p, true, INT64_MAX);
	pipeline_restart_backlog(p);
	p->retry_all = false;
}

void pipeline_note_orphans(Pipeline *p, uint64_t left)
{
	if (p->expedite && left != p->orphans)
		pipeline_queue_due(p, false, INT64_MAX);
	p->orphans = left;
}
