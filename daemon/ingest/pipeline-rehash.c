/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/crawl/place.h"
#include "daemon/ingest/pipeline-private.h"
#include <string.h>

/* Steps that one pipeline_fill() takes without finding a file to read. */
enum { MOST_STEPS = 512 };

/* after: the content after which the next one is looked for. */
static void rehash_clear(Rehash *r, int64_t after)
{
	g_free(r->part);
	*r = (Rehash){.content = after};
}

void pipeline_rehash_restart(Pipeline *p)
{
	rehash_clear(&p->rehash, 0);
	p->may_have_rehash = true;
}

void pipeline_rehash_interrupt(Pipeline *p)
{
	rehash_clear(&p->rehash, p->rehash.content - p->rehash.chosen);
}

void pipeline_rehash_preempt(Pipeline *p, PipelineJob *job)
{
	p->rehash.last = job->inode - 1;
	pipeline_job_forget(p, job);
}

static void rehash_leave(Rehash *r)
{
	rehash_clear(r, r->content);
}

static bool rehash_choose(Pipeline *p, GError **error)
{
	int found = writer_next_rehash(
	        pipeline_writer(p), p->rehash.content, &p->rehash.content, error);
	p->rehash.chosen = p->may_have_rehash = found > 0;
	p->rehash_awaited &= p->may_have_rehash;
	return found >= 0;
}

static bool rehash_has_room(const Pipeline *p)
{
	return p->may_have_rehash && p->rehashing == 0 && pipeline_in_work(p) == 0 &&
	       p->urgent.length == 0 && p->batch.length == 0 && !p->may_have_backlog;
}

/* Looks where the file is, before any file of the content is read: if a root is away, reading the
 * others would be in vain. */
static bool rehash_locate(Pipeline *p, const Entry *entry, GError **error)
{
	g_autofree char *root = NULL, *relative = NULL;
	SafeCrossings crossings;
	if (!crawl_locate(p->crawl, entry->node, &root, &relative, &crossings, error))
		return false;
	if (root)
		p->rehash.last = entry->inode;
	else
		rehash_leave(&p->rehash);
	return true;
}

static bool rehash_is_version(const EntryStat *one, const EntryStat *other)
{
	return one->ino == other->ino && one->birth_ns == other->birth_ns &&
	       one->size == other->size && one->mtime_ns == other->mtime_ns &&
	       one->ctime_ns == other->ctime_ns;
}

static bool rehash_read(Pipeline *p, const Entry *entry, int64_t now_us, GError **error)
{
	Rehash *r = &p->rehash;
	r->last = entry->inode;
	if (!rehash_is_version(&r->part_stat, &entry->stat))
		g_clear_pointer(&r->part, g_free);
	r->part_stat = entry->stat;
	if (!g_hash_table_contains(p->jobs, &entry->inode)) {
		PipelineJob *job = pipeline_job_new(p, entry, JOB_QUEUED);
		job->slow_content = entry->content;
		job->rehash = true;
		if (!pipeline_start(p, job, now_us, error))
			return false;
	}
	r->incomplete |= p->rehashing == 0;
	return true;
}

/* There are no more files: the next step reads them, or they have been read. */
static bool rehash_end(Pipeline *p, GError **error)
{
	Rehash *r = &p->rehash;
	bool pending = false;
	if (!r->located) {
		r->located = true;
		r->last = 0;
		return true;
	}
	if (r->read && !r->incomplete &&
	        !writer_set_checksum(pipeline_writer(p), r->content, r->checksum, &pending, error))
		return false;
	p->may_have_backlog |= pending;
	p->may_have_deferred = true; /* a slow job needs the checksum */
	rehash_leave(r);
	return true;
}

/* Takes one step: to the next content, to its next file, or to its end. */
static bool rehash_step(Pipeline *p, int64_t now_us, GError **error)
{
	const Rehash *r = &p->rehash;
	Entry entry;
	if (!r->chosen)
		return rehash_choose(p, error);
	int found = writer_next_of_content(pipeline_writer(p), r->content, r->last, &entry, error);
	if (found < 0)
		return false;
	if (found == 0)
		return rehash_end(p, error);
	return r->located ? rehash_read(p, &entry, now_us, error) : rehash_locate(p, &entry, error);
}

bool pipeline_fill_rehash(Pipeline *p, int64_t now_us, GError **error)
{
	bool had_room = rehash_has_room(p);
	for (unsigned n = 0; n < MOST_STEPS && rehash_has_room(p); n++)
		if (!rehash_step(p, now_us, error))
			return false;
	p->rehash_cut = had_room && (rehash_has_room(p) || p->may_have_backlog);
	return true;
}

static bool rehash_is_unchanged(const PipelineJob *job, const Load *load)
{
	EntryStat now = load->page ? job->stat : place_stat_again(&job->stat, &load->st);
	return rehash_is_version(&now, &job->stat);
}

/* Notes the checksum of a file that the content still has. */
static bool rehash_verify(Pipeline *p, const PipelineJob *job, const Load *load, GError **error)
{
	Rehash *r = &p->rehash;
	if (r->read && memcmp(r->checksum, load->checksum, CHECKSUM_BYTES) != 0) {
		g_message("%s/%s: was taken for equal to another file, but differs; both are "
		          "converted again",
		        load->root, load->relative);
		rehash_leave(r);
		p->may_have_backlog = true;
		return writer_separate(pipeline_writer(p), job->slow_content, error);
	}
	memcpy(r->checksum, load->checksum, CHECKSUM_BYTES);
	r->read = true;
	return true;
}

/* The next step reads on if there is nothing else to do. */
static void rehash_keep_part(Rehash *r, const PipelineJob *job, Load *load)
{
	r->part = g_steal_pointer(&load->part);
	r->part_bytes = load->part_bytes;
	r->last = job->inode - 1;
}

bool pipeline_take_rehashed(Pipeline *p, PipelineJob *job, Load *load, GError **error)
{
	Entry row;
	int valid = pipeline_job_check_row(p, job, &row, error);
	bool ok = valid >= 0;
	if (valid <= 0 || load->outcome != LOAD_OK || !rehash_is_unchanged(job, load))
		p->rehash.incomplete = true;
	else if (load->more)
		rehash_keep_part(&p->rehash, job, load);
	else
		ok = rehash_verify(p, job, load, error);
	pipeline_job_forget(p, job);
	return ok;
}
