/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/ingest/pipeline-private.h"
#include "daemon/ingest/cooldown.h"

/* Ends the job. A file that changed meanwhile is queued again. */
static bool pipeline_finish(Pipeline *p, PipelineJob *job, int64_t now_us, GError **error)
{
	bool outdated = job->outdated;
	Entry entry = {.inode = job->inode, .node = job->node, .stat = job->stat};
	uint64_t cooldown = job->cooldown;
	g_debug("job: inode %" G_GINT64_FORMAT ": %s", job->inode,
	        outdated ? "changed meanwhile, reads it again" : "is up to date");
	p->done++;
	if (cooldown)
		cooldown_note(p->cooldown, cooldown, now_us - job->started_us, now_us);
	g_hash_table_remove(p->suspects, &job->inode);
	pipeline_job_forget(p, job);
	if (!outdated)
		return true;
	if (!writer_set_inode_state(
	            pipeline_writer(p), entry.inode, INODE_PENDING, REASON_NONE, NULL, error))
		return false;
	pipeline_enqueue(p, &entry, NULL, cooldown);
	return true;
}

/* Drops the job because the row is gone, is an orphan, or was reached by another name. If the row
 * is still PENDING, it is part of the backlog. */
static bool pipeline_drop(Pipeline *p, PipelineJob *job)
{
	p->may_have_backlog = true;
	pipeline_job_forget(p, job);
	return true;
}

bool pipeline_job_fail(Pipeline *p, PipelineJob *job, DocReason reason, const char *detail,
        int64_t now_us, GError **error)
{
	Entry row;
	int valid = pipeline_job_check_row(p, job, &row, error);
	if (valid <= 0)
		return valid == 0 && pipeline_drop(p, job);
	return writer_set_inode_state(
	               pipeline_writer(p), job->inode, INODE_FAILED, reason, detail, error) &&
	       pipeline_finish(p, job, now_us, error);
}

bool pipeline_job_link(
        Pipeline *p, PipelineJob *job, int64_t content, int64_t now_us, GError **error)
{
	Entry row;
	int valid = pipeline_job_check_row(p, job, &row, error);
	if (valid <= 0)
		return valid == 0 && pipeline_drop(p, job);
	job->outdated |= row.stat.size != job->read.size || row.stat.mtime_ns != job->read.mtime_ns;
	p->saved += job->urgent;
	p->saved_single += job->urgent && !job->in_stream;
	return writer_link(pipeline_writer(p), job->inode, content, error) &&
	       (!job->is_page || job->outdated || !p->pages.done ||
	               p->pages.done(job->inode, p->pages.data, error)) &&
	       pipeline_finish(p, job, now_us, error);
}
