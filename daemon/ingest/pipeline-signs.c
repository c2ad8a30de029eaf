/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/ingest/pipeline-private.h"

/* Contents that one pipeline_fill() takes without a conversion. */
enum { MOST_WITHOUT_CONVERSION = 16 };

static bool signs_has_room(const Pipeline *p)
{
	return p->may_lack_signs && p->slow == 0 && p->rehashing == 0 && !p->may_have_deferred &&
	       !p->may_have_rehash && pipeline_in_work(p) == 0 && p->urgent.length == 0 &&
	       p->batch.length == 0 && !p->may_have_backlog;
}

static bool signs_end(Pipeline *p, int64_t content, bool again, GError **error)
{
	p->signs_tried = 0;
	p->may_have_backlog |= again;
	return writer_end_signs(pipeline_writer(p), content, again, error);
}

static bool signs_convert(Pipeline *p, const Entry *entry, int64_t now_us, GError **error)
{
	PipelineJob *job = pipeline_job_new(p, entry, JOB_QUEUED);
	job->slow_content = p->signs_tried = entry->content;
	job->adds_signs = true;
	p->signs_taken = 0;
	p->signs_differ = false;
	return pipeline_start(p, job, now_us, error);
}

/* Takes the next content. If its file was tried in vain, it is queued; a content without a file
 * that is done is converted anyway. */
static bool signs_step(Pipeline *p, int64_t now_us, GError **error)
{
	int64_t content;
	Entry entry;
	bool all;
	int found = writer_next_signs(pipeline_writer(p), &content, error);
	p->may_lack_signs = found > 0;
	if (found <= 0)
		return found == 0;
	if (content == p->signs_tried)
		return signs_end(p, content, true, error);
	if (!writer_add_cached_signs(pipeline_writer(p), content, &all, error))
		return false;
	if (all)
		return signs_end(p, content, false, error);
	found = writer_next_of_content(pipeline_writer(p), content, 0, &entry, error);
	if (found < 0)
		return false;
	if (found == 0 || g_hash_table_contains(p->jobs, &entry.inode))
		return signs_end(p, content, found > 0, error);
	return signs_convert(p, &entry, now_us, error);
}

bool pipeline_fill_signs(Pipeline *p, int64_t now_us, GError **error)
{
	bool had_room = signs_has_room(p);
	for (unsigned n = 0; n < MOST_WITHOUT_CONVERSION && signs_has_room(p); n++)
		if (!signs_step(p, now_us, error))
			return false;
	p->signs_cut = had_room && (signs_has_room(p) || p->may_have_backlog);
	return true;
}

bool pipeline_take_signs(Pipeline *p, PipelineJob *job, IngestResult *result, GError **error)
{
	const Document *doc = result->documents->pdata[result->taken++];
	bool fit;
	if (!writer_add_signs(
	            pipeline_writer(p), job->slow_content, p->signs_taken++, doc, &fit, error))
		return false;
	p->signs_differ |= !fit;
	result->unfinished = result->taken < result->documents->len;
	return true;
}

void pipeline_restart_signs(Pipeline *p)
{
	p->signs_taken = 0;
	p->signs_differ = false;
}

bool pipeline_end_signs(Pipeline *p, PipelineJob *job, GError **error)
{
	Entry row;
	unsigned n;
	int valid = pipeline_job_check_row(p, job, &row, error);
	int64_t content = job->slow_content;
	if (valid < 0 || !writer_count_documents(pipeline_writer(p), content, &n, error))
		return false;
	pipeline_job_forget(p, job);
	return signs_end(p, content, valid == 0 || p->signs_differ || n != p->signs_taken, error);
}
