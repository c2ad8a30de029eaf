/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/ingest/pipeline-private.h"
#include "common/base/autofd.h"
#include "common/base/media-type.h"
#include "common/base/page-name.h"
#include "daemon/ingest/cooldown.h"
#include "daemon/ingest/journal.h"
#include "daemon/crawl/place.h"
#include <errno.h>
#include <string.h>

enum { SUBMIT_TOGETHER = 16 };

static const int64_t unstable_waits_us[] = {2000000, 10000000, 60000000};

static bool read_again(Pipeline *p, PipelineJob *job)
{
	p->bytes_in_work -= job->bytes;
	job->bytes = 0;
	g_queue_push_tail(&p->urgent, job);
	return true;
}

static bool try_later(Pipeline *p, PipelineJob *job, DocReason reason, const char *detail,
        int64_t now_us, GError **error)
{
	if (job->outdated || job->touched) /* the hint of the change was used up, and no other will
	                                   come */
		return read_again(p, job);
	if (job->cooldown)
		cooldown_note(p->cooldown, job->cooldown, now_us - job->started_us, now_us);
	if (pipeline_job_retry_awaited(p, job, now_us))
		return true;
	if (now_us < job->due_us) { /* an early try, made because a client waits, does not count */
		pipeline_job_postpone(p, job, JOB_RETRY, job->due_us);
		return true;
	}
	if (job->unstable >= G_N_ELEMENTS(unstable_waits_us))
		return pipeline_job_fail(p, job, reason, detail, now_us, error);
	pipeline_job_postpone(p, job, JOB_RETRY, now_us + unstable_waits_us[job->unstable++]);
	return true;
}

/* The file is not the one in its row. If the row has moved since, the file is read at its new path.
 * Otherwise its directory is compared, and if that changes nothing, the file is tried later. */
static bool not_there(
        Pipeline *p, PipelineJob *job, const Load *load, int64_t now_us, GError **error)
{
	Entry row;
	g_autofree char *root = NULL, *relative = NULL;
	SafeCrossings crossings;
	int found = pipeline_job_check_row(p, job, &row, error);
	if (found < 0 ||
	        (found && !crawl_locate(p->crawl, job->node, &root, &relative, &crossings, error)))
		return false;
	if (found == 0) {
		p->may_have_backlog = true;
		pipeline_job_forget(p, job);
		return true;
	}
	if (root && (strcmp(root, load->root) != 0 || strcmp(relative, load->relative) != 0))
		return read_again(p, job);
	g_autofree char *name = g_path_get_basename(load->relative);
	queue_push(p->crawl->queue, row.parent, name, HINT_FACTS, now_us);
	return try_later(p, job, REASON_IO, NULL, now_us, error);
}

/* Downloads are usually in other directories below the root than the user's own files, and files of
 * other users have another owner. The scope keeps them apart: a hostile file that takes over a
 * child cannot forge the text of files in another such directory, or of another owner. */
static char *scope_of(const Load *load)
{
	if (load->page)
		return g_strdup(load->page->store);
	return converter_file_scope(load->st.stx_uid, load->root, load->relative);
}

void pipeline_submit_all(Pipeline *p)
{
	if (p->journal)
		journal_write(p->journal);
	for (guint i = 0; i < p->submits->len; i++)
		pool_submit(p->pool, p->submits->pdata[i]);
	g_ptr_array_set_size(p->submits, 0);
}

static bool pipeline_submit(Pipeline *p, PipelineJob *job, Load *load)
{
	PoolTask *task = g_new0(PoolTask, 1);
	task->fd = autofd_steal(&load->fd);
	task->bytes = g_steal_pointer(&load->bytes);
	task->size = load->size;
	task->name = load->page ? page_file_name(load->page->url, load->page->media_type)
	                        : g_path_get_basename(load->relative);
	task->scope = scope_of(load);
	task->limits = p->limits.limits;
	task->urgent = job->urgent;
	task->slow = job->slow_content != 0;
	task->job = job;
	if (load->page) {
		task->purpose = load->page->is_page ? JOB_PAGE : JOB_FILE;
		task->url = g_strdup(load->page->url);
		task->charset = media_charset(load->page->media_type);
	}
	pipeline_job_set_state(p, job, JOB_CONVERTING);
	g_hash_table_insert(p->converting, job->checksum, job);
	if (p->journal)
		journal_add(p->journal, job->inode);
	p->extractions += !job->adds_signs;
	if (job->urgent)
		g_debug("job: inode %" G_GINT64_FORMAT ": is to be converted", job->inode);
	g_ptr_array_add(p->submits, task);
	if (job->urgent || p->submits->len >= SUBMIT_TOGETHER)
		pipeline_submit_all(p);
	return true;
}

static void pipeline_wait_for(Pipeline *p, PipelineJob *job, PipelineJob *first)
{
	if (!first->waiting)
		first->waiting = g_ptr_array_new();
	g_ptr_array_add(first->waiting, job);
	p->bytes_in_work -= job->bytes;
	job->bytes = 0;
	pipeline_job_set_state(p, job, JOB_WAITING);
}

static bool pipeline_same_facts(const EntryStat *a, const EntryStat *b)
{
	return a->size == b->size && a->mtime_ns == b->mtime_ns && a->ctime_ns == b->ctime_ns &&
	       a->mode == b->mode && a->uid == b->uid && a->gid == b->gid;
}

/* The file may be newer than its row. A row that changed since the job began is newer still. */
static bool update_facts(Pipeline *p, PipelineJob *job, const Load *load, GError **error)
{
	Entry row;
	job->read = load->page ? job->stat : place_stat_again(&job->stat, &load->st);
	if (pipeline_same_facts(&job->read, &job->stat))
		return true;
	int valid = pipeline_job_check_row(p, job, &row, error);
	if (valid <= 0 || !pipeline_same_facts(&row.stat, &job->stat))
		return valid >= 0;
	return writer_update_stat(pipeline_writer(p), job->inode, &job->read, error);
}

static bool is_same_file(const PipelineJob *job, const Load *load)
{
	if (load->page)
		return true;
	EntryStat now = place_stat_again(&job->stat, &load->st);
	return now.ino == job->stat.ino && now.birth_ns == job->stat.birth_ns;
}

static bool use_bytes(Pipeline *p, PipelineJob *job, Load *load, int64_t now_us, GError **error)
{
	int64_t content;
	if (!is_same_file(job, load))
		return not_there(p, job, load, now_us, error);
	if (!update_facts(p, job, load, error))
		return false;
	memcpy(job->checksum, load->checksum, CHECKSUM_BYTES);
	job->size = load->size;
	PipelineJob *first = g_hash_table_lookup(p->converting, job->checksum);
	if (first && (first->slow_content == 0 || first->content != 0)) {
		pipeline_wait_for(p, job, first);
		return true;
	}
	int known = writer_find_content(pipeline_writer(p), job->checksum, &content, error);
	if (known < 0)
		return false;
	if (known && !job->unread)
		return pipeline_job_link(p, job, content, now_us, error);
	if (!first)
		return pipeline_submit(p, job, load);
	pipeline_wait_for(p, job, first);
	return true;
}

/* Skips a slow job if its file is not the expected one: then an ordinary job follows. */
static bool use_slowly(Pipeline *p, PipelineJob *job, Load *load)
{
	if (load->outcome != LOAD_OK || !is_same_file(job, load) ||
	        g_hash_table_contains(p->converting, load->checksum)) {
		pipeline_skip_slow(p, job, false);
		return true;
	}
	job->read = load->page ? job->stat : place_stat_again(&job->stat, &load->st);
	memcpy(job->checksum, load->checksum, CHECKSUM_BYTES);
	job->size = load->size;
	return pipeline_submit(p, job, load);
}

/* The page is fetched again; until then its old text, if it has one, stays. */
static bool take_lost(
        Pipeline *p, PipelineJob *job, const Load *load, int64_t now_us, GError **error)
{
	if (p->pages.lost && !p->pages.lost(job->inode, &load->page->place, p->pages.data, error))
		return false;
	return pipeline_job_fail(p, job, REASON_IO, g_strerror(EIO), now_us, error);
}

/* The permissions may have changed while the file was read, and their event was handled already:
 * then no other will come. */
static bool take_unreadable(Pipeline *p, PipelineJob *job, int64_t now_us, GError **error)
{
	Entry row;
	int valid = pipeline_job_check_row(p, job, &row, error);
	if (valid < 0)
		return false;
	if (valid > 0 && (job->touched || !pipeline_same_facts(&row.stat, &job->stat)))
		return read_again(p, job);
	return pipeline_job_fail(p, job, REASON_UNREADABLE, NULL, now_us, error);
}

bool pipeline_take_loaded(Pipeline *p, PipelineJob *job, Load *load, int64_t now_us, GError **error)
{
	pipeline_job_set_state(p, job, JOB_QUEUED); /* no result can come for it any more */
	if (job->rehash)
		return pipeline_take_rehashed(p, job, load, error);
	if (job->slow_content)
		return use_slowly(p, job, load);
	switch (load->outcome) {
	case LOAD_OK:
		return use_bytes(p, job, load, now_us, error);
	case LOAD_AWAY:
		crawl_note_mounts(p->crawl); /* check that the root still exists */
		return not_there(p, job, load, now_us, error);
	case LOAD_GONE:
		return not_there(p, job, load, now_us, error);
	case LOAD_UNSTABLE:
		return try_later(p, job, REASON_UNSTABLE, NULL, now_us, error);
	case LOAD_IO:
		if (load->error_number == ETIMEDOUT)
			crawl_note_mounts(p->crawl); /* check that the root still answers */
		return try_later(p, job, REASON_IO, g_strerror(load->error_number), now_us, error);
	case LOAD_LOST:
		return take_lost(p, job, load, now_us, error);
	case LOAD_UNREADABLE:
		return take_unreadable(p, job, now_us, error);
	case LOAD_TOO_LARGE:
		return pipeline_job_fail(p, job, REASON_LIMIT_FILE, NULL, now_us, error);
	case LOAD_OURS:
		break;
	}
	return pipeline_job_fail(p, job, REASON_UNSUPPORTED, NULL, now_us, error);
}
