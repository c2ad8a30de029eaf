/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pipeline-private.h - the parts of the pipeline
 *
 * pipeline-want.c: which files are wanted, and which must become quiet first. pipeline-start.c: the
 * next to be read, from what was just saved and from the backlog. pipeline-loaded.c: what reading
 * gave. pipeline-deferred.c: what was left out because it takes long. pipeline-converted.c: what
 * the converter gave. pipeline-end.c: how a job ends. pipeline-job.c: the table of jobs.
 * pipeline.c: life, messages, counts. */
#pragma once
#include "daemon/ingest/cooldown.h"
#include "daemon/ingest/pipeline.h"

typedef enum {
	JOB_HELD, /* open or hot: the queue brings it back, or due_us if its name there goes */
	JOB_RETRY, /* to be tried again at due_us */
	JOB_SOON, /* the same, and somebody waits for it */
	JOB_QUEUED, /* wanted */
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
	bool again; /* its bytes changed while it was in work */
	bool touched; /* a hint came while it was in work */
	unsigned away; /* times that its directory was not there */
	unsigned unstable, expedited; /* tries in vain, at leisure and while somebody waited */
	uint64_t cooldown; /* key; 0: not from an event */
	int64_t due_us, started_us;
	uint64_t bytes; /* counted in bytes_in_work */
	uint8_t checksum[CHECKSUM_BYTES];
	uint64_t size;
	int64_t content; /* being written; 0: none yet */
	bool has_own; /* document in it, beside those of members */
	int64_t known; /* a slow job: the content that is in the index without what takes long; else
	                  0 */
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
	GHashTable *passed; /* int64_t content: slow jobs that are in work or did not come to
	                       anything */
	GQueue urgent; /* Job, QUEUED */
	GQueue batch; /* Job, QUEUED, from the backlog */
	Cooldown *cooldown;
	bool broken; /* the converter could not be used the last time */
	bool deferred_known; /* contents may be noted that something was left out of */
	bool expedite, backlog_known; /* backlog_known: may hold rows */
	unsigned loading, n_converting, held, soon;
	unsigned slow; /* of loading and n_converting */
	uint64_t bytes_in_work, done, saved, text_bytes, extractions;
	uint64_t orphans; /* when they were last counted */
};

static inline Writer *pipeline_writer(const Pipeline *p)
{
	return p->crawl->writer;
}

/* ---- pipeline-job.c */

bool pipeline_job_is_in_work(const Job *job);
bool pipeline_job_is_put_off(const Job *job);
/* The one place that counts jobs by state. */
void pipeline_job_set_state(Pipeline *p, Job *job, JobState state);
Job *pipeline_job_new(Pipeline *p, const Entry *entry, JobState state);
void pipeline_job_free(Job *job);
/* Its conversion is over. */
void pipeline_job_leave_converter(Pipeline *p, Job *job);
/* Out of the tables; freed, unless a message about it is on its way. Those that wait for it are
 * rows of the backlog again. */
void pipeline_job_forget(Pipeline *p, Job *job);
/* To be tried again; state: JOB_RETRY or JOB_SOON. */
void pipeline_job_put_off(Pipeline *p, Job *job, JobState state, int64_t due_us);
/* While somebody waits: a few times for less than a second in all. False: not (any more). */
bool pipeline_job_put_off_a_little(Pipeline *p, Job *job, int64_t now_us);
/* The row may have changed or gone since the job was made. 1: go on, 0: drop it, -1: error. */
int pipeline_job_check_row(Pipeline *p, Job *job, Entry *row, GError **error);
/* Jobs being read or converted. Slow jobs do not count: they give way. */
unsigned pipeline_in_work(const Pipeline *p);
/* Ends a slow job that came to nothing; again: it may be tried again in this run. */
void pipeline_pass_over(Pipeline *p, Job *job, bool again);
/* The file changed, its job is NULL or in work: a slow one gives way. Returns the job that is left.
 */
Job *pipeline_job_give_way(Pipeline *p, Job *job);

/* ---- pipeline-want.c */

/* To be read as soon as there is room; job: NULL if there is none yet. hot: its key, or 0. */
void pipeline_want(Pipeline *p, const Entry *entry, Job *job, uint64_t cooldown);
/* Queues all that was put off and is due, or only what is to be tried again. */
void pipeline_wake_due(Pipeline *p, bool all, int64_t now_us);

/* ---- pipeline-start.c */

bool pipeline_start(Pipeline *p, Job *job, int64_t now_us, GError **error);

/* ---- pipeline-deferred.c */

/* Starts slow jobs, as many as there are converters but one. Only when there is nothing else to do.
 */
bool pipeline_fill_deferred(Pipeline *p, int64_t now_us, GError **error);

/* ---- pipeline-end.c: the job is gone afterwards; what changed meanwhile is wanted again */

bool pipeline_job_fail(Pipeline *p, Job *job, DocReason reason, const char *detail, int64_t now_us,
        GError **error);
/* Its file has this content. */
bool pipeline_job_link(Pipeline *p, Job *job, int64_t content, int64_t now_us, GError **error);

/* ---- pipeline-loaded.c, pipeline-converted.c: results */

bool pipeline_take_loaded(Pipeline *p, Job *job, Load *load, int64_t now_us, GError **error);
bool pipeline_take_documents(Pipeline *p, Job *job, const IngestResult *result, GError **error);
/* What was delivered so far is void. */
bool pipeline_abandon(Pipeline *p, Job *job, GError **error);
bool pipeline_take_converted(
        Pipeline *p, Job *job, const ConversionEnd *end, int64_t now_us, GError **error);
