/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/ingest/pipeline-private.h"

static bool begin_content(Pipeline *p, PipelineJob *job, GError **error)
{
	return job->content || writer_begin_content(pipeline_writer(p), job->checksum, job->size,
	                               &job->content, error);
}

/* A piece counts as a part of the text, the last one as the rest. */
static void pipeline_count_text(Pipeline *p, IngestResult *result, uint64_t text, bool done)
{
	uint64_t bytes = text - result->counted;
	if (!done)
		bytes = MIN(bytes, WRITER_PIECE_BYTES);
	p->text_bytes += bytes;
	result->counted = done ? 0 : result->counted + bytes;
}

static bool is_page_wanted(Pipeline *p, PipelineJob *job, const Document *doc, GError **error)
{
	g_auto(WebPageRow) page = {0};
	int found = writer_web_get_page(pipeline_writer(p), job->inode, &page, error);
	job->unwanted = found == 0 || (found > 0 && p->pages.wants && !p->pages.wants(&page, doc));
	return found >= 0;
}

/* Shows a document of a page to those who take its links. print: NULL if it was not added. */
static bool show_page(Pipeline *p, const PipelineJob *job, const Document *doc,
        const Fingerprint *print, GError **error)
{
	g_auto(WebPageRow) page = {0};
	int found = writer_web_get_page(pipeline_writer(p), job->inode, &page, error);
	return found == 0 ||
	       (found > 0 && (!p->pages.document ||
	                             p->pages.document(&page, doc, print, p->pages.data, error)));
}

/* Takes a document of a page, all of it at once, if it is not to be added to the index. */
static bool pass_page(
        Pipeline *p, PipelineJob *job, IngestResult *result, bool *passed_r, GError **error)
{
	const Document *doc = result->documents->pdata[result->taken];
	int64_t content;
	*passed_r = false;
	if (!job->is_page || job->adds_signs)
		return true;
	if (result->counted == 0 && !job->unwanted && !is_page_wanted(p, job, doc, error))
		return false;
	int known =
	        job->unwanted || job->slow_content || job->content
	                ? 0
	                : writer_find_content(pipeline_writer(p), job->checksum, &content, error);
	*passed_r = job->unwanted || known > 0;
	if (*passed_r)
		result->taken++;
	result->unfinished = result->taken < result->documents->len;
	return known >= 0 && (!*passed_r || show_page(p, job, doc, NULL, error));
}

/* Leaves out a file in a container that the rules keep out. */
static bool pass_excluded(Pipeline *p, PipelineJob *job, IngestResult *result)
{
	const Document *doc = result->documents->pdata[result->taken];
	if (!doc->member || result->counted > 0 ||
	        !rules_member_excluded(p->crawl->rules, doc->member))
		return false;
	job->excluded++;
	result->taken++;
	result->unfinished = result->taken < result->documents->len;
	return true;
}

bool pipeline_take_documents(Pipeline *p, PipelineJob *job, IngestResult *result, GError **error)
{
	const Document *doc = result->documents->pdata[result->taken];
	bool done, passed;
	if (pass_excluded(p, job, result))
		return true;
	if (!pass_page(p, job, result, &passed, error))
		return false;
	if (passed)
		return true;
	if (job->adds_signs)
		return pipeline_take_signs(p, job, result, error);
	writer_count_words(pipeline_writer(p), day_budget_words(p->day, job->budget_dir));
	bool ok = begin_content(p, job, error) && writer_add_piece(pipeline_writer(p), job->content,
	                                                  doc, result->expensive, &done, error);
	writer_count_words(pipeline_writer(p), NULL);
	if (!ok)
		return false;
	pipeline_count_text(p, result, doc->text->len, done);
	if (done && job->is_page &&
	        !show_page(p, job, doc, writer_last_print(pipeline_writer(p), job->content), error))
		return false;
	if (done) {
		day_budget_add_text(p->day, job->budget_dir, ingest_indexed_bytes(doc));
		result->taken++;
		job->has_own |= !doc->member;
	}
	result->unfinished = result->taken < result->documents->len;
	return true;
}

bool pipeline_abandon(Pipeline *p, PipelineJob *job, GError **error)
{
	int64_t content = job->content;
	if (job->adds_signs)
		pipeline_restart_signs(p);
	job->content = 0;
	job->has_own = false;
	job->excluded = 0;
	return content == 0 || writer_abandon_content(pipeline_writer(p), content, error);
}

/* *valid_r: the row of the job, or of one that waits for it, still needs this content. */
static bool any_valid(Pipeline *p, PipelineJob *job, bool *valid_r, GError **error)
{
	Entry row;
	*valid_r = false;
	for (guint i = 0; i <= (job->waiting ? job->waiting->len : 0); i++) {
		PipelineJob *one = i == 0 ? job : job->waiting->pdata[i - 1];
		int valid = pipeline_job_check_row(p, one, &row, error);
		if (valid < 0)
			return false;
		*valid_r |= valid == 1;
	}
	return true;
}

static bool link_all(Pipeline *p, PipelineJob *job, int64_t content, int64_t now_us, GError **error)
{
	g_autoptr(GPtrArray) waiting = g_steal_pointer(&job->waiting);
	for (guint i = 0; waiting && i < waiting->len; i++) {
		PipelineJob *one = waiting->pdata[i];
		if (one->unread)
			pipeline_job_postpone(p, one, JOB_RETRY, now_us);
		else if (!pipeline_job_link(p, one, content, now_us, error))
			return false;
	}
	job->unread = false;
	return pipeline_job_link(p, job, content, now_us, error);
}

static bool drop_all(Pipeline *p, PipelineJob *job)
{
	pipeline_job_forget(p, job);
	p->may_have_backlog = true;
	return true;
}

/* If the conversion failed after some members, the file itself gets a document as well. */
static bool add_own(Pipeline *p, PipelineJob *job, const ConversionEnd *end, GError **error)
{
	if (job->content == 0 || job->has_own)
		return true;
	g_autoptr(Document) own = document_new(NULL);
	own->state = STATE_FAILED;
	own->reason = end->reason;
	own->detail = g_strdup(end->detail);
	own->mime = g_strdup(end->mime);
	return writer_add_document(pipeline_writer(p), job->content, own, false, error);
}

/* Notes that a slow job is left to do for the content. */
static bool note_left_out(Pipeline *p, const PipelineJob *job, GError **error)
{
	p->may_have_deferred = true;
	return writer_add_deferred(pipeline_writer(p), job->content, error);
}

/* A page that one source must not keep may be kept by others: their jobs begin again without this
 * one. */
static bool end_unwanted(Pipeline *p, PipelineJob *job, int64_t now_us, GError **error)
{
	g_autoptr(GPtrArray) waiting = g_steal_pointer(&job->waiting);
	for (guint i = 0; waiting && i < waiting->len; i++)
		pipeline_job_postpone(p, waiting->pdata[i], JOB_RETRY, now_us);
	return pipeline_abandon(p, job, error) && drop_all(p, job);
}

static bool pipeline_store(
        Pipeline *p, PipelineJob *job, const ConversionEnd *end, int64_t now_us, GError **error)
{
	bool whole = end->state == STATE_OK && end->reason == REASON_NONE;
	g_autofree char *excluded =
	        whole && job->excluded > 0 ? g_strdup_printf("%u", job->excluded) : NULL;
	ContentEnd stored = {end->mime, end->extractor, whole ? excluded : end->detail,
	        end->version, end->state, end->reason};
	bool valid;
	int64_t known;
	if (!any_valid(p, job, &valid, error))
		return false;
	int found = job->is_page && job->content == 0 && !job->slow_content
	                    ? writer_find_content(pipeline_writer(p), job->checksum, &known, error)
	                    : 0;
	if (found < 0)
		return false;
	if (found > 0 && valid)
		return link_all(p, job, known, now_us, error);
	if (job->unwanted)
		return end_unwanted(p, job, now_us, error);
	if (!valid)
		return pipeline_abandon(p, job, error) && drop_all(p, job);
	if (!add_own(p, job, end, error) || !begin_content(p, job, error) ||
	        !writer_end_content(pipeline_writer(p), job->content, &stored, error) ||
	        (end->left_out && !note_left_out(p, job, error)))
		return false;
	job->slow_content = job->slow_content ? job->content : 0; /* its files now have the new
	                                                             content */
	return link_all(p, job, job->content, now_us, error);
}

/* Ignores the result of a slow job; the content in the index stays. */
static bool skip_slow(Pipeline *p, PipelineJob *job, bool again, GError **error)
{
	bool ok = pipeline_abandon(p, job, error);
	pipeline_skip_slow(p, job, again);
	return ok;
}

/* Each file becomes a job by itself, because the bytes of the files may differ later. */
static void postpone_all(Pipeline *p, PipelineJob *job, int64_t due_us)
{
	g_autoptr(GPtrArray) waiting = g_steal_pointer(&job->waiting);
	for (guint i = 0; waiting && i < waiting->len; i++)
		pipeline_job_postpone(p, waiting->pdata[i], JOB_RETRY, due_us);
	pipeline_job_postpone(p, job, JOB_RETRY, due_us);
}

/* If the program or the sandbox does not start, that tells nothing about the file. */
static bool is_our_fault(const ConversionEnd *end)
{
	return end->state == STATE_FAILED &&
	       (end->reason == REASON_MISSING || end->reason == REASON_SANDBOX) && !end->mime;
}

bool pipeline_take_converted(
        Pipeline *p, PipelineJob *job, const ConversionEnd *end, int64_t now_us, GError **error)
{
	enum { BROKEN_US = 300 * 1000 * 1000 };
	bool was_broken = p->broken;
	pipeline_job_leave_converter(p, job);
	if (end->given_up)
		return skip_slow(p, job, true, error);
	p->broken = is_our_fault(end);
	if (was_broken && !p->broken)
		p->retry_all = p->may_have_backlog = true;
	if (!p->broken && job->adds_signs)
		return pipeline_end_signs(p, job, error);
	if (!p->broken)
		return pipeline_store(p, job, end, now_us, error);
	if (job->adds_signs)
		pipeline_postpone_signs(p, now_us + BROKEN_US);
	if (job->slow_content)
		return skip_slow(p, job, job->adds_signs, error);
	postpone_all(p, job, now_us + BROKEN_US);
	return pipeline_abandon(p, job, error);
}
