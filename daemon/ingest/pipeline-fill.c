/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/ingest/pipeline-private.h"

enum {
	MAX_IN_WORK = 12,
	MORE_IN_WORK = 12,
	LIGHT_FOR_ONE = 4, /* small files count as one: many of them go into one message */
	/* The files of a part of the backlog. It ends where it has enough bytes. */
	BATCH_LEAST = 64,
	BATCH_MOST = 1024,
	MOST_STARTS = 256, /* of one call, as hints and requests wait for its end */
};
#define BATCH_BYTES (UINT64_C(8) << 20)
/* The limit for the backlog. Files that were just saved may take as much again. */
#define MAX_BYTES_IN_WORK (UINT64_C(48) << 20)
/* If larger files take all room, MORE_IN_WORK files of at most this size are still read. */
#define SMALL_BYTES (UINT64_C(4) << 20)

/* The jobs in progress, small files together. */
static unsigned work_load(const Pipeline *p)
{
	return pipeline_in_work(p) - p->light + (p->light + LIGHT_FOR_ONE - 1) / LIGHT_FOR_ONE;
}

static bool pipeline_fill_has_room(const Pipeline *p, uint64_t bytes)
{
	return pipeline_in_work(p) == 0 || (work_load(p) < MAX_IN_WORK && p->bytes_in_work < bytes);
}

/* Returns the next file that was just saved; NULL: there is none, or no room. */
static PipelineJob *next_urgent(Pipeline *p)
{
	if (pipeline_fill_has_room(p, 2 * MAX_BYTES_IN_WORK))
		return g_queue_pop_head(&p->urgent);
	if (work_load(p) >= MAX_IN_WORK + MORE_IN_WORK)
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

/* The entry of a root that the file lies below, or the root itself; of a page, its source. Files of
 * one place share children of tarsier-extract (scope_of()). */
static int64_t place_of(const Pipeline *p, const Entry *entry)
{
	const Dir *dir = tree_find(p->crawl->tree, entry->parent);
	if (!dir)
		return entry->parent;
	while (dir->parent && dir->parent->parent)
		dir = dir->parent;
	return dir->node;
}

typedef struct {
	Entry entry;
	guint place; /* where its place came first */
} PlacedEntry;

static int compare_places(gconstpointer a, gconstpointer b)
{
	const PlacedEntry *x = a, *y = b;
	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return x->entry.stat.mtime_ns < y->entry.stat.mtime_ns   ? 1
	       : x->entry.stat.mtime_ns > y->entry.stat.mtime_ns ? -1
	                                                         : 0;
}

/* The places keep the order of their newest files. */
static GArray *order_by_place(const Pipeline *p, const GArray *entries)
{
	GArray *placed = g_array_sized_new(FALSE, FALSE, sizeof(PlacedEntry), entries->len);
	g_autoptr(GHashTable) places =
	        g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	uint64_t bytes = 0;
	for (guint i = 0; i < entries->len && (i < BATCH_LEAST || bytes < BATCH_BYTES); i++) {
		PlacedEntry item = {g_array_index(entries, Entry, i), i};
		int64_t place = place_of(p, &item.entry);
		gpointer first;
		if (g_hash_table_lookup_extended(places, &place, NULL, &first))
			item.place = GPOINTER_TO_UINT(first);
		else
			g_hash_table_insert(
			        places, g_memdup2(&place, sizeof place), GUINT_TO_POINTER(i));
		bytes += item.entry.stat.size;
		g_array_append_val(placed, item);
	}
	g_array_sort(placed, compare_places);
	return placed;
}

/* Only files of one place share a child of tarsier-extract, and a child costs more than the
 * conversion of a small file. So the backlog is taken in large parts, place by place. */
static bool fetch_batch(Pipeline *p, GError **error)
{
	g_autoptr(GArray) entries = NULL;
	bool all = p->backlog_after.mtime_ns == INT64_MAX;
	if (!writer_pending(
	            pipeline_writer(p), &p->backlog_after, BATCH_MOST, p->jobs, &entries, error))
		return false;
	if (entries->len == 0 && !all) { /* rows before that place may have become pending */
		pipeline_restart_backlog(p);
		return fetch_batch(p, error);
	}
	p->may_have_backlog = entries->len > 0;
	g_autoptr(GArray) placed = order_by_place(p, entries);
	if (placed->len > 0) {
		const Entry *last = &g_array_index(entries, Entry, placed->len - 1);
		p->backlog_after = (PendingPlace){last->stat.mtime_ns, last->inode};
	}
	for (guint i = 0; i < placed->len; i++)
		g_queue_push_tail(
		        &p->batch, pipeline_job_new(p, &g_array_index(placed, PlacedEntry, i).entry,
		                           JOB_QUEUED));
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

/* While a suspect is in progress, no other job is started. */
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
	unsigned n = 0;
	while (pipeline_fill_has_room(p, MAX_BYTES_IN_WORK) && !last_converter_is_reserved(p)) {
		p->backlog_cut = n++ == MOST_STARTS;
		if (p->backlog_cut)
			return true;
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
	p->rehash_cut = p->signs_cut = p->backlog_cut = false;
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
	if (p->rehash_cut || p->signs_cut || p->backlog_cut)
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
