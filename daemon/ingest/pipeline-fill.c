/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/ingest/pipeline-private.h"

enum { MAX_IN_WORK = 12, MORE_IN_WORK = 12, BATCH = 64, PAGES_OF_BATCH = 512 };
/* The limit for the backlog. Files that were just saved may take as much again. */
#define MAX_BYTES_IN_WORK (UINT64_C(48) << 20)
/* If larger files take all room, MORE_IN_WORK files of at most this size are still read. */
#define SMALL_BYTES (UINT64_C(4) << 20)

static bool pipeline_fill_has_room(const Pipeline *p, uint64_t bytes)
{
	return pipeline_in_work(p) == 0 ||
	       (pipeline_in_work(p) < MAX_IN_WORK && p->bytes_in_work < bytes);
}

/* Returns the next file that was just saved; NULL: there is none, or no room. */
static PipelineJob *next_urgent(Pipeline *p)
{
	if (pipeline_fill_has_room(p, 2 * MAX_BYTES_IN_WORK))
		return g_queue_pop_head(&p->urgent);
	if (pipeline_in_work(p) >= MAX_IN_WORK + MORE_IN_WORK)
		return NULL;
	for (GList *link = p->urgent.head; link; link = link->next) {
		PipelineJob *job = link->data;
		if ((uint64_t)job->stat.size > SMALL_BYTES)
			continue;
		g_queue_delete_link(&p->urgent, link);
		return job;
	}
	return NULL;
}

/* Under a CPU limit children may be suspended. One child is then reserved for files that are saved
 * meanwhile. */
static bool last_converter_is_reserved(const Pipeline *p)
{
	return p->limits.cpu_limited && pipeline_in_work(p) >= MAX(2, p->limits.converters) - 1;
}

static int compare_places(gconstpointer a, gconstpointer b, gpointer data)
{
	const Entry *x = a, *y = b;
	guint i = GPOINTER_TO_UINT(g_hash_table_lookup(data, &x->parent));
	guint j = GPOINTER_TO_UINT(g_hash_table_lookup(data, &y->parent));
	if (i != j)
		return i < j ? -1 : 1;
	return x->stat.mtime_ns < y->stat.mtime_ns   ? 1
	       : x->stat.mtime_ns > y->stat.mtime_ns ? -1
	                                             : 0;
}

/* The sites keep the order of their newest pages. */
static void order_by_site(GArray *entries)
{
	g_autoptr(GHashTable) places =
	        g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	for (guint i = 0; i < entries->len; i++) {
		int64_t parent = g_array_index(entries, Entry, i).parent;
		if (!g_hash_table_contains(places, &parent))
			g_hash_table_insert(
			        places, g_memdup2(&parent, sizeof parent), GUINT_TO_POINTER(i));
	}
	g_array_sort_with_data(entries, compare_places, places);
}

/* Only pages of one site share a child of tarsier-extract, and a child costs more than the
 * conversion of a page. So a backlog of pages is taken in large parts, site by site. */
static bool fetch_pages(Pipeline *p, GArray **entries, GError **error)
{
	g_auto(WebPageRow) page = {0};
	int found = (*entries)->len == BATCH
	                    ? writer_web_get_page(pipeline_writer(p),
	                              g_array_index(*entries, Entry, 0).inode, &page, error)
	                    : 0;
	if (found <= 0)
		return found == 0;
	g_clear_pointer(entries, g_array_unref);
	if (!writer_pending(pipeline_writer(p), PAGES_OF_BATCH, p->jobs, entries, error))
		return false;
	order_by_site(*entries);
	return true;
}

static bool fetch_batch(Pipeline *p, GError **error)
{
	g_autoptr(GArray) entries = NULL;
	if (!writer_pending(pipeline_writer(p), BATCH, p->jobs, &entries, error) ||
	        !fetch_pages(p, &entries, error))
		return false;
	p->may_have_backlog = entries->len > 0;
	for (guint i = 0; i < entries->len; i++)
		g_queue_push_tail(&p->batch,
		        pipeline_job_new(p, &g_array_index(entries, Entry, i), JOB_QUEUED));
	return true;
}

static bool is_suspect(const Pipeline *p, const PipelineJob *job)
{
	return g_hash_table_contains(p->suspects, &job->inode);
}

/* Returns the next file of the backlog, suspects last and one at a time. NULL: there is none
 * now. */
static PipelineJob *next_of_batch(Pipeline *p)
{
	for (guint i = p->batch.length; i > 0; i--) {
		PipelineJob *job = g_queue_pop_head(&p->batch);
		if (!is_suspect(p, job) || pipeline_in_work(p) == 0)
			return job;
		g_queue_push_tail(&p->batch, job);
	}
	return NULL;
}

/* While a suspect is in work, no other job is started. */
static bool suspect_in_work(const Pipeline *p)
{
	GHashTableIter iter;
	gpointer value;
	if (g_hash_table_size(p->suspects) == 0 || pipeline_in_work(p) != 1)
		return false;
	g_hash_table_iter_init(&iter, p->jobs);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		if (pipeline_job_is_in_work(value) && is_suspect(p, value))
			return true;
	}
	return false;
}

static bool fill_from_backlog(Pipeline *p, int64_t now_us, GError **error)
{
	while (pipeline_fill_has_room(p, MAX_BYTES_IN_WORK) && !last_converter_is_reserved(p)) {
		if (p->batch.length == 0 && (!p->may_have_backlog || !fetch_batch(p, error)))
			return !p->may_have_backlog;
		PipelineJob *job = next_of_batch(p);
		if (!job)
			return true;
		if (!pipeline_start(p, job, now_us, error))
			return false;
		if (suspect_in_work(p))
			return true;
	}
	return true;
}

bool pipeline_fill(Pipeline *p, bool backlog, int64_t now_us, GError **error)
{
	p->rehash_cut = p->signs_cut = false;
	if (p->retry_all)
		pipeline_retry_now(p);
	pipeline_queue_due(p, true, now_us);
	if (suspect_in_work(p))
		return true;
	for (PipelineJob *job; (job = next_urgent(p));)
		if (!pipeline_start(p, job, now_us, error))
			return false;
	if (!backlog || p->urgent.length > 0)
		return true;
	return fill_from_backlog(p, now_us, error) && pipeline_fill_rehash(p, now_us, error) &&
	       pipeline_fill_deferred(p, now_us, error) && pipeline_fill_signs(p, now_us, error);
}

int64_t pipeline_next_us(const Pipeline *p)
{
	int64_t next_us = MIN(p->day_end_us, p->signs_due_us);
	GHashTableIter iter;
	gpointer value;
	if (p->rehash_cut || p->signs_cut)
		return 0;
	if (p->postponed == 0)
		return next_us;
	g_hash_table_iter_init(&iter, p->jobs);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		const PipelineJob *job = value;
		if (pipeline_job_is_postponed(job))
			next_us = MIN(next_us, job->due_us);
	}
	return next_us;
}
