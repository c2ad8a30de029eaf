/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pipeline-private.h - the files of the pipeline
 *
 * Each calls only those above it:
 *	pipeline-job.c        the table of jobs and their states
 *	pipeline-enqueue.c    which files are to be read, and which are debounced first
 *	pipeline-end.c        how a job ends
 *	pipeline-start.c      a job goes to the loader
 *	pipeline-deferred.c   the next slow job
 *	pipeline-fill.c       the next job: what was just saved, the backlog, slow jobs
 *	pipeline-loaded.c     what the loader found
 *	pipeline-converted.c  what the converter made of it
 *	pipeline.c            life, results, counts */
#pragma once
#include "daemon/ingest/cooldown.h"
#include "daemon/ingest/pipeline.h"

typedef enum {
	JOB_DEBOUNCED, /* open, or cooling down: the queue brings it back; if its name there goes,
	                  due_us does */
	JOB_RETRY, /* to be tried again at due_us */
	JOB_RETRY_AWAITED, /* the same, and somebody waits: not idle until then */
	JOB_QUEUED,
	JOB_LOADING,
	JOB_WAITING, /* another job converts the same bytes */
	JOB_CONVERTING,
} JobState;

struct Job {
	int64_t inode; /* key of Pipeline.jobs */
	int64_t node;
	EntryStat stat; /* as the row said when it was started */
	EntryStat read; /* as the file was when its last byte was read */
	JobState state;
	bool urgent, cancelled;
	bool again; /* its content changed while it was in work */
	bool touched; /* a hint came while it was in work */
	unsigned away; /* times that its directory was not there */
	unsigned unstable, expedited; /* failed tries, ordinary ones and while somebody waited */
	uint64_t cooldown; /* of cooldown_key(); 0: no event led here */
	int64_t due_us, started_us;
	uint64_t bytes; /* counted in bytes_in_work */
	uint8_t checksum[CHECKSUM_BYTES];
	uint64_t size;
	int64_t content; /* being written; 0: none yet */
	bool has_own; /* document in it, beside those of members */
	int64_t slow_content; /* a slow job: its content in the index, from which something was left
	                         out; else 0 */
	GPtrArray *waiting; /* Job */
};

struct Pipeline {
	Crawl *crawl;
	Loader *loader;
	Pool *pool;
	Journal *journal;
	PipelineLimits limits;
	GHashTable *jobs; /* Job by inode */
	GHashTable *converting; /* Job by checksum */
	GHashTable *suspects; /* int64_t inode -> whether it was counted */
	GHashTable *skipped; /* int64_t content of slow jobs in work, or that came to nothing */
	GQueue urgent; /* Job, QUEUED */
	GQueue batch; /* Job, QUEUED, from the backlog */
	Cooldown *cooldown;
	bool broken; /* the converter could not be used the last time */
	bool retry_all; /* it can be used again: nothing need be postponed for it */
	bool may_have_deferred; /* contents may be left for slow jobs */
	bool expedite;
	bool may_have_backlog; /* there may be PENDING rows without a job */
	unsigned loading, n_converting, postponed, awaited;
	unsigned slow; /* jobs, of loading and n_converting */
	uint64_t bytes_in_work, done, saved, text_bytes, extractions;
	uint64_t orphans; /* when they were last counted */
};

static inline Writer *pipeline_writer(const Pipeline *p)
{
	return p->crawl->writer;
}

/* ---- pipeline-job.c */

bool pipeline_job_is_in_work(const Job *job);
bool pipeline_job_is_postponed(const Job *job);
/* The one place that counts jobs by state. */
void pipeline_job_set_state(Pipeline *p, Job *job, JobState state);
Job *pipeline_job_new(Pipeline *p, const Entry *entry, JobState state);
void pipeline_job_free(Job *job);
/* Its conversion is over. */
void pipeline_job_leave_converter(Pipeline *p, Job *job);
/* Removes it from the tables and frees it; if a result of it is still to come, that frees it. Jobs
 * that wait for it become rows of the backlog again. */
void pipeline_job_forget(Pipeline *p, Job *job);
/* It is to be tried again at due_us. state: JOB_RETRY or JOB_RETRY_AWAITED. */
void pipeline_job_postpone(Pipeline *p, Job *job, JobState state, int64_t due_us);
/* While somebody waits, postpones it a few times, for less than a second in all. False: not, or not
 * any more. */
bool pipeline_job_retry_awaited(Pipeline *p, Job *job, int64_t now_us);
/* The row may have changed or gone since the job was made. 1: go on, 0: drop it, -1: error. */
int pipeline_job_check_row(Pipeline *p, Job *job, Entry *row, GError **error);
/* Jobs being read or converted. Slow jobs do not count, since they are preempted. */
unsigned pipeline_in_work(const Pipeline *p);
/* Ends a slow job that came to nothing. again: it may be tried again before the next start. */
void pipeline_skip_slow(Pipeline *p, Job *job, bool again);
/* The file changed. job: may be NULL. A slow job in work is preempted. Returns the job that is
 * left, or NULL. */
Job *pipeline_preempt_slow(Pipeline *p, Job *job);

/* ---- pipeline-enqueue.c */

/* The file is to be read before the backlog. job: NULL if there is none yet. cooldown: its key, or
 * 0. */
void pipeline_enqueue(Pipeline *p, const Entry *entry, Job *job, uint64_t cooldown);
/* Queues postponed jobs that are due: all, or only those in state JOB_RETRY. */
void pipeline_queue_due(Pipeline *p, bool all, int64_t now_us);

/* ---- pipeline-start.c */

bool pipeline_start(Pipeline *p, Job *job, int64_t now_us, GError **error);

/* ---- pipeline-deferred.c */

/* Starts slow jobs if there is nothing else to do, on all converters but one. */
bool pipeline_fill_deferred(Pipeline *p, int64_t now_us, GError **error);

/* ---- pipeline-end.c: the job is gone afterwards; a file that changed meanwhile is queued again */

bool pipeline_job_fail(Pipeline *p, Job *job, DocReason reason, const char *detail, int64_t now_us,
        GError **error);
/* Its file has this content: links it. */
bool pipeline_job_link(Pipeline *p, Job *job, int64_t content, int64_t now_us, GError **error);

/* ---- pipeline-loaded.c, pipeline-converted.c: results */

bool pipeline_take_loaded(Pipeline *p, Job *job, Load *load, int64_t now_us, GError **error);
bool pipeline_take_documents(Pipeline *p, Job *job, const IngestResult *result, GError **error);
/* The documents so far are void. */
bool pipeline_abandon(Pipeline *p, Job *job, GError **error);
bool pipeline_take_converted(
        Pipeline *p, Job *job, const ConversionEnd *end, int64_t now_us, GError **error);
