/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/ingest/pipeline-private.h"

/* Contents that one pipeline_fill() takes without a conversion. */
enum { MOST_WITHOUT_CONVERSION = 16 };
#define AWAY_US (INT64_C(3600) * G_USEC_PER_SEC)

static bool signs_has_room(const Pipeline *p)
{
	return p->may_lack_signs && p->slow == 0 && p->rehashing == 0 && !p->may_have_deferred &&
	       !p->may_have_rehash && pipeline_in_work(p) == 0 && p->urgent.length == 0 &&
	       p->batch.length == 0 && !p->may_have_backlog;
}

static bool signs_end(Pipeline *p, int64_t content, bool again, GError **error)
{
	p->signs_tried = p->signs_content = 0;
	p->may_have_backlog |= again;
	return writer_end_signs(pipeline_writer(p), content, again, error);
}

static bool signs_convert(Pipeline *p, const Entry *entry, int64_t now_us, GError **error)
{
	PipelineJob *job = pipeline_job_new(p, entry, JOB_QUEUED);
	job->slow_content = p->signs_tried = entry->content;
	job->adds_signs = true;
	pipeline_restart_signs(p);
	return pipeline_start(p, job, now_us, error);
}

/* Finds a file of the content whose root is not away. *away_r: there are only others. Returns 1, 0
 * if there is none, or -1. */
static int signs_find_file(Pipeline *p, int64_t content, Entry *entry, bool *away_r, GError **error)
{
	enum { MOST_FILES = 16 };
	int64_t after = 0;
	*away_r = false;
	for (unsigned n = 0; n < MOST_FILES; n++) {
		g_autofree char *root = NULL, *relative = NULL;
		SafeCrossings crossings;
		int found =
		        writer_next_of_content(pipeline_writer(p), content, after, entry, error);
		if (found <= 0)
			return found;
		if (!crawl_locate(p->crawl, entry->node, &root, &relative, &crossings, error))
			return -1;
		*away_r = !root;
		if (root)
			return 1;
		after = entry->inode;
	}
	return 0;
}

static bool signs_leave(Pipeline *p, int64_t content, GError **error)
{
	p->signs_content = 0;
	p->signs_left = content;
	return writer_leave_signs(pipeline_writer(p), content, error);
}

/* Contents that are away are looked for again when their root is back; after a while, because a
 * file system that was mounted below a root may be away too. */
static void signs_end_pass(Pipeline *p, int64_t now_us)
{
	if (p->signs_left != 0)
		pipeline_postpone_signs(p, now_us + AWAY_US);
	p->signs_left = 0;
}

static bool signs_take_file(Pipeline *p, int64_t content, int64_t now_us, GError **error)
{
	Entry entry;
	bool away;
	int found = signs_find_file(p, content, &entry, &away, error);
	if (found < 0)
		return false;
	if (found == 0 && away)
		return signs_leave(p, content, error);
	if (found == 0 || g_hash_table_contains(p->jobs, &entry.inode))
		return signs_end(p, content, found > 0, error);
	return signs_convert(p, &entry, now_us, error);
}

/* Takes the next content. If its file was tried in vain, it is queued; a content without a file
 * that is done is converted anyway. */
static bool signs_step(Pipeline *p, int64_t now_us, GError **error)
{
	int64_t content;
	CachedSigns state;
	int found = writer_next_signs(pipeline_writer(p), p->signs_left, &content, error);
	p->may_lack_signs = found > 0;
	if (found == 0)
		signs_end_pass(p, now_us);
	if (found <= 0)
		return found == 0;
	if (content == p->signs_tried)
		return signs_end(p, content, true, error);
	if (content != p->signs_content)
		p->signs_after = 0;
	p->signs_content = content;
	if (!writer_add_cached_signs(pipeline_writer(p), content, &p->signs_after, &state, error))
		return false;
	if (state == SIGNS_ALL)
		return signs_end(p, content, false, error);
	return state == SIGNS_CUT || signs_take_file(p, content, now_us, error);
}

bool pipeline_fill_signs(Pipeline *p, int64_t now_us, GError **error)
{
	if (now_us >= p->signs_due_us) {
		p->signs_due_us = INT64_MAX;
		p->may_lack_signs = true;
	}
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
	            pipeline_writer(p), job->slow_content, &p->signs_after, doc, &fit, error))
		return false;
	p->signs_taken++;
	p->signs_differ |= !fit;
	result->unfinished = result->taken < result->documents->len;
	return true;
}

void pipeline_restart_signs(Pipeline *p)
{
	p->signs_taken = 0;
	p->signs_after = 0;
	p->signs_differ = false;
}

void pipeline_postpone_signs(Pipeline *p, int64_t due_us)
{
	p->may_lack_signs = false;
	p->signs_due_us = MIN(p->signs_due_us, due_us);
}

void pipeline_retry_signs(Pipeline *p)
{
	p->signs_left = 0;
	if (p->signs_due_us != INT64_MAX)
		p->signs_due_us = 0;
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
