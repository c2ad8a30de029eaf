/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/ingest/pipeline-private.h"

/* A slow job runs only if there is nothing else to do, and it leaves one child to other jobs. */
static bool pipeline_deferred_has_room(const Pipeline *p)
{
	return p->may_have_deferred && p->slow < MAX(2, p->limits.converters) - 1 &&
	       pipeline_in_work(p) == 0 && p->urgent.length == 0 && p->batch.length == 0 &&
	       !p->may_have_backlog;
}

bool pipeline_fill_deferred(Pipeline *p, int64_t now_us, GError **error)
{
	while (pipeline_deferred_has_room(p)) {
		Entry entry;
		int found = writer_next_deferred(pipeline_writer(p), p->skipped, &entry, error);
		p->may_have_deferred = found != 0;
		if (found <= 0)
			return found == 0;
		g_hash_table_add(p->skipped, g_memdup2(&entry.content, sizeof(entry.content)));
		if (g_hash_table_contains(p->jobs, &entry.inode)) /* the file has changed */
			continue;
		PipelineJob *job = pipeline_job_new(p, &entry, JOB_QUEUED);
		job->slow_content = entry.content;
		if (!pipeline_start(p, job, now_us, error))
			return false;
	}
	return true;
}
