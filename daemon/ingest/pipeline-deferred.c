/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/ingest/pipeline-private.h"

/* Nothing else is to be done, and a converter is left to what comes. */
static bool pipeline_deferred_has_room(const Pipeline *p)
{
	return p->deferred_known && p->slow < MAX(2, p->limits.converters) - 1 &&
	       pipeline_in_work(p) == 0 && p->urgent.length == 0 && p->batch.length == 0 &&
	       !p->backlog_known;
}

bool pipeline_fill_deferred(Pipeline *p, int64_t now_us, GError **error)
{
	while (pipeline_deferred_has_room(p)) {
		Entry entry;
		int found = writer_next_deferred(pipeline_writer(p), p->passed, &entry, error);
		p->deferred_known = found != 0;
		if (found <= 0)
			return found == 0;
		g_hash_table_add(p->passed, g_memdup2(&entry.content, sizeof(entry.content)));
		if (g_hash_table_contains(p->jobs, &entry.inode)) /* held: it has changed */
			continue;
		Job *job = pipeline_job_new(p, &entry, JOB_QUEUED);
		job->known = entry.content;
		if (!pipeline_start(p, job, now_us, error))
			return false;
	}
	return true;
}
