/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/crawl/place.h"
#include "daemon/ingest/pipeline-private.h"
#include <string.h>

/* Contents that one pipeline_fill() looks at without finding a file to read. */
enum { MOST_CONTENTS = 256 };

void pipeline_rehash_restart(Pipeline *p)
{
	p->rehash = (Rehash){0};
	p->may_have_rehash = true;
}

static void rehash_leave(Rehash *r)
{
	*r = (Rehash){.content = r->content};
}

static bool rehash_choose(Pipeline *p, GError **error)
{
	int found = writer_next_rehash(
	        pipeline_writer(p), p->rehash.content, &p->rehash.content, error);
	p->rehash.chosen = p->may_have_rehash = found > 0;
	return found >= 0;
}

static bool rehash_is_reading(const Pipeline *p)
{
	const PipelineJob *job = g_hash_table_lookup(p->jobs, &p->rehash.tried);
	return job && job->rehash;
}

static bool rehash_has_room(const Pipeline *p)
{
	return p->may_have_rehash && !rehash_is_reading(p) && pipeline_in_work(p) == 0 &&
	       p->urgent.length == 0 && p->batch.length == 0 && !p->may_have_backlog;
}

/* All files of the content were read. A content without a file that is done keeps its mark. */
static bool rehash_end(Pipeline *p, GError **error)
{
	Rehash *r = &p->rehash;
	if (r->verified && !writer_set_checksum(pipeline_writer(p), r->content, r->checksum, error))
		return false;
	p->may_have_deferred = true; /* a slow job needs the checksum */
	rehash_leave(r);
	return true;
}

static bool rehash_start(Pipeline *p, const Entry *entry, int64_t now_us, GError **error)
{
	p->rehash.tried = entry->inode;
	PipelineJob *job = pipeline_job_new(p, entry, JOB_QUEUED);
	job->slow_content = entry->content;
	job->rehash = true;
	return pipeline_start(p, job, now_us, error);
}

/* Takes one step: to the next content, to its next file, or to its end. A file that was tried and
 * not verified could not be read, so its content is left. */
static bool rehash_step(Pipeline *p, int64_t now_us, GError **error)
{
	Rehash *r = &p->rehash;
	Entry entry;
	if (!r->chosen)
		return rehash_choose(p, error);
	int found =
	        writer_next_of_content(pipeline_writer(p), r->content, r->verified, &entry, error);
	if (found < 0)
		return false;
	if (found == 0)
		return rehash_end(p, error);
	if (entry.inode != r->tried && !g_hash_table_contains(p->jobs, &entry.inode))
		return rehash_start(p, &entry, now_us, error);
	rehash_leave(r);
	return true;
}

bool pipeline_fill_rehash(Pipeline *p, int64_t now_us, GError **error)
{
	for (unsigned n = 0; n < 2 * MOST_CONTENTS && rehash_has_room(p); n++)
		if (!rehash_step(p, now_us, error))
			return false;
	p->rehash_cut = rehash_has_room(p);
	return true;
}

static bool rehash_is_unchanged(const PipelineJob *job, const Load *load)
{
	EntryStat now = place_stat(job->stat.filesystem, &load->st);
	return now.ino == job->stat.ino && now.birth_ns == job->stat.birth_ns &&
	       now.size == job->stat.size && now.mtime_ns == job->stat.mtime_ns &&
	       now.ctime_ns == job->stat.ctime_ns;
}

/* Notes the checksum of a file that the content still has. */
static bool rehash_verify(Pipeline *p, const PipelineJob *job, const Load *load, GError **error)
{
	Rehash *r = &p->rehash;
	if (r->verified && memcmp(r->checksum, load->checksum, CHECKSUM_BYTES) != 0) {
		g_message("%s/%s: was taken for equal to another file, but differs; both are "
		          "converted again",
		        load->root, load->relative);
		rehash_leave(r);
		p->may_have_backlog = true;
		return writer_separate(pipeline_writer(p), job->slow_content, error);
	}
	memcpy(r->checksum, load->checksum, CHECKSUM_BYTES);
	r->verified = job->inode;
	return true;
}

bool pipeline_take_rehashed(Pipeline *p, PipelineJob *job, const Load *load, GError **error)
{
	Entry row;
	bool expected = p->rehash.chosen && p->rehash.content == job->slow_content;
	int valid = pipeline_job_check_row(p, job, &row, error);
	bool ok = valid >= 0;
	if (expected && valid > 0 && load->outcome == LOAD_OK && rehash_is_unchanged(job, load))
		ok = rehash_verify(p, job, load, error);
	pipeline_job_forget(p, job);
	return ok;
}
