/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/ingest/pipeline-private.h"
#include "daemon/ingest/journal.h"

/* Counts a failed try of a file that was in progress when the daemon died. It is counted once,
 * however often the file is read until it is done. After JOURNAL_TRIES the file is given up. */
static bool count_suspect(Pipeline *p, const PipelineJob *job, bool *give_up_r, GError **error)
{
	unsigned tries;
	gpointer counted;
	*give_up_r = false;
	if (!g_hash_table_lookup_extended(p->suspects, &job->inode, NULL, &counted) || counted)
		return true;
	g_hash_table_insert(
	        p->suspects, g_memdup2(&job->inode, sizeof job->inode), GINT_TO_POINTER(true));
	if (!writer_attempt(pipeline_writer(p), job->inode, &tries, error))
		return false;
	*give_up_r = tries > JOURNAL_TRIES;
	if (*give_up_r && job->adds_signs)
		return writer_end_signs(pipeline_writer(p), job->slow_content, false, error);
	if (*give_up_r && job->slow_content)
		return writer_forget_deferred(pipeline_writer(p), job->slow_content, error);
	return !*give_up_r || writer_set_inode_state(pipeline_writer(p), job->inode, INODE_FAILED,
	                              REASON_CRASHED, NULL, error);
}

/* The file's root or mount is missing; or its directory has moved and is not found yet, and the
 * file may have another name. */
static void postpone_away(Pipeline *p, PipelineJob *job, int64_t now_us)
{
	enum { DOUBLINGS = 9 };
	if (pipeline_job_retry_awaited(p, job, now_us))
		return;
	int64_t wait_us = (int64_t)G_USEC_PER_SEC << MIN(job->away, DOUBLINGS);
	job->away = MIN(job->away + 1, DOUBLINGS);
	pipeline_job_postpone(p, job, JOB_RETRY, now_us + wait_us);
}

/* A file whose directory has used up its day is read on the next one. */
static bool end_for_today(Pipeline *p, PipelineJob *job, int64_t now_us, GError **error)
{
	int64_t now_s = g_get_real_time() / G_USEC_PER_SEC;
	p->day_end_us = now_us + (day_budget_end_s(now_s) - now_s) * G_USEC_PER_SEC;
	if (job->slow_content) {
		pipeline_skip_slow(p, job, false);
		return true;
	}
	job->started_us = now_us;
	job->outdated = false;
	return pipeline_job_fail(p, job, REASON_LIMIT_DAY, NULL, now_us, error);
}

/* Finds a document of a source: *page_r NULL if the file is none. root and relative are for the day
 * budget: the source is a directory of its own. */
static bool locate_page(Pipeline *p, PipelineJob *job, char **root, char **relative,
        LoadPage **page_r, GError **error)
{
	g_auto(WebPageRow) row = {0};
	int found = writer_web_get_page(pipeline_writer(p), job->inode, &row, error);
	*page_r = NULL;
	if (found <= 0)
		return found == 0;
	g_autofree char *number = g_strdup_printf("%" G_GINT64_FORMAT, row.source);
	LoadPage *page = *page_r = g_new0(LoadPage, 1);
	page->store = g_build_filename(p->pages.stores, number, NULL);
	page->url = g_steal_pointer(&row.url);
	page->place = row.place;
	page->is_page = row.kind == WEB_PAGE_ANSWER;
	job->is_page = true;
	job->unread = page->is_page && !(row.flags & WEB_PAGE_READ) && !job->slow_content;
	*root = g_strdup(page->store);
	*relative = g_strdup("page");
	return true;
}

/* Its bytes are not kept, so what is in the index stays. */
static bool end_unkept(Pipeline *p, PipelineJob *job, GError **error)
{
	int64_t inode = job->inode;
	if (job->slow_content) {
		pipeline_skip_slow(p, job, false);
		return true;
	}
	pipeline_job_forget(p, job);
	return writer_set_inode_state(
	        pipeline_writer(p), inode, INODE_DONE, REASON_NONE, NULL, error);
}

static bool locate_job(Pipeline *p, PipelineJob *job, char **root, char **relative,
        SafeCrossings *crossings, LoadPage **page_r, GError **error)
{
	return locate_page(p, job, root, relative, page_r, error) &&
	       (*page_r || crawl_locate(p->crawl, job->node, root, relative, crossings, error));
}

/* Was another file saved in this directory a moment ago? One that is saved in two steps is read
 * twice. */
static bool pipeline_note_saved_dir(Pipeline *p, const Entry *row, int64_t now_us)
{
	SavedDir *dir = &p->saved_dirs[(uint64_t)row->parent % STREAM_DIRS];
	bool busy = dir->node == row->parent && dir->file != row->node &&
	            now_us - dir->last_us <= STREAM_GAP_US;
	*dir = (SavedDir){row->parent, row->node, now_us};
	return busy;
}

/* Only what was just saved makes a stream: the backlog has its own pauses. Of a long stream are
 * files in a directory that it fills, or has made: what a person saves in another one is not. */
static void pipeline_note_stream(Pipeline *p, PipelineJob *job, const Entry *row, int64_t now_us)
{
	SaveStream *stream = &p->streams[job->budget_dir];
	if (!job->urgent || job->slow_content)
		return;
	bool of_stream =
	        pipeline_note_saved_dir(p, row, now_us) || row->parent > stream->first_node;
	if (now_us - stream->last_us > STREAM_GAP_US) {
		stream->begun_us = now_us;
		stream->first_node = row->node;
	}
	stream->last_us = now_us;
	p->last_stream = job->budget_dir;
	job->in_stream = of_stream && now_us - stream->begun_us > LONG_STREAM_US;
}

/* Hands the file of the row to the loader. load: has root, relative, crossings and page; the loader
 * owns it then. */
static void pipeline_begin_loading(
        Pipeline *p, PipelineJob *job, const Entry *row, Load *load, int64_t now_us)
{
	job->stat = row->stat;
	job->outdated = job->touched = false;
	job->started_us = now_us;
	pipeline_note_stream(p, job, row, now_us);
	job->bytes = MIN((uint64_t)row->stat.size, (uint64_t)SAFE_COPY_BYTES);
	p->bytes_in_work += job->bytes;
	job->light = job->bytes <= WIRE_ENCLOSED_BYTES;
	pipeline_job_set_state(p, job, JOB_LOADING);
	g_debug("job: inode %" G_GINT64_FORMAT ": %s%s %s/%s", job->inode,
	        job->adds_signs ? "reads for signs" : "reads", job->in_stream ? " of a stream" : "",
	        load->root, load->relative);
	load->ino = entry_is_by_name(&row->stat) ? 0 : row->stat.ino;
	load->remote = !load->page && crawl_is_remote(p->crawl, load->root);
	load->urgent = job->urgent;
	load->large = job->bytes == SAFE_COPY_BYTES;
	load->max_bytes = p->limits.max_file_bytes;
	load->key = *writer_checksum_key(pipeline_writer(p));
	load->only_checksum = job->rehash;
	if (job->rehash && p->rehash.part) {
		load->part = g_steal_pointer(&p->rehash.part);
		load->part_bytes = p->rehash.part_bytes;
	}
	load->job = job;
	loader_push(p->loader, load);
}

bool pipeline_start(Pipeline *p, PipelineJob *job, int64_t now_us, GError **error)
{
	g_autofree char *root = NULL, *relative = NULL;
	g_autoptr(Load) load = load_new(NULL, NULL, 0);
	SafeCrossings crossings = {0};
	bool give_up = false;
	Entry row;
	int found = pipeline_job_check_row(p, job, &row, error);
	if (found < 0)
		return false;
	if (found == 0) {
		p->may_have_backlog = true; /* the inode may have another name */
		pipeline_job_forget(p, job);
		return true;
	}
	if ((!job->rehash && !count_suspect(p, job, &give_up, error)) ||
	        !locate_job(p, job, &root, &relative, &crossings, &load->page, error))
		return false;
	if (give_up) {
		pipeline_job_forget(p, job);
		return true;
	}
	if (load->page && load->page->place.file == 0)
		return end_unkept(p, job, error);
	if (!root) {
		if (job->slow_content)
			pipeline_skip_slow(p, job, job->adds_signs);
		else
			postpone_away(p, job, now_us);
		return true;
	}
	job->budget_dir = day_budget_dir(p->day, root, relative);
	if (!job->rehash && !job->adds_signs && day_budget_is_spent(p->day, job->budget_dir))
		return end_for_today(p, job, now_us, error);
	load->root = g_steal_pointer(&root);
	load->relative = g_steal_pointer(&relative);
	load->crossings = crossings;
	pipeline_begin_loading(p, job, &row, g_steal_pointer(&load), now_us);
	return true;
}
