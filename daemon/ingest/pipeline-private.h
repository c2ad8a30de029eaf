/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pipeline-private.h - the files of the pipeline
 *
 * Each file calls only those above it:
 *	pipeline-job.c        the table of jobs and their states
 *	pipeline-enqueue.c    decides which files are read, and which are debounced first
 *	pipeline-end.c        ends a job
 *	pipeline-start.c      gives a job to the loader
 *	pipeline-deferred.c   chooses the next slow job
 *	pipeline-rehash.c     computes unknown checksums of contents, by slow jobs that only read
 *	pipeline-signs.c      adds words with signs to texts of an older index, by slow jobs
 *	pipeline-fill.c       chooses the next job: a file just saved, the backlog, a slow job
 *	pipeline-loaded.c     handles the answer of the loader
 *	pipeline-converted.c  handles the results of the conversion
 *	pipeline.c            life, results, counts */
#pragma once
#include "daemon/ingest/cooldown.h"
#include "daemon/ingest/day-budget.h"
#include "daemon/ingest/pipeline.h"

typedef enum {
	JOB_DEBOUNCED, /* the file is open or cools down, and an entry of the queue brings it back;
	                  if the entry disappears, the job is queued at due_us */
	JOB_RETRY, /* it is tried again at due_us */
	JOB_RETRY_AWAITED, /* the same, and a client waits: the pipeline is not idle until then */
	JOB_QUEUED,
	JOB_LOADING,
	JOB_WAITING, /* another job converts the same bytes */
	JOB_CONVERTING,
} JobState;

struct PipelineJob {
	int64_t inode; /* key of Pipeline.jobs */
	int64_t node;
	EntryStat stat; /* from the row, at the start of the job */
	EntryStat read; /* from the file, after its last byte was read */
	JobState state;
	bool urgent, cancelled;
	bool light; /* a small file, which counts a part of a job in progress */
	bool in_stream; /* a part of a long stream */
	bool outdated; /* the content changed while the job was in progress */
	bool touched; /* a hint came while the job was in progress */
	unsigned away; /* how often its directory was missing */
	unsigned unstable, expedited; /* failed tries: ordinary ones, and those made while a client
	                                 waited */
	uint64_t cooldown; /* from cooldown_key(); 0: no event led to this job */
	int64_t due_us, started_us;
	uint64_t bytes; /* its part of bytes_in_work */
	uint8_t checksum[CHECKSUM_BYTES];
	uint64_t size;
	unsigned budget_dir; /* from day_budget_dir() */
	int64_t content; /* that is being written; 0: none yet */
	bool has_own; /* the content has a document of the file itself, not only of members */
	unsigned excluded; /* members that the rules keep out */
	int64_t slow_content; /* of a slow job: the content in the index that lacks deferred text,
	                         or words with signs, or whose checksum is unknown; else 0 */
	bool rehash; /* a slow job that only reads the file, for its checksum */
	bool adds_signs; /* a slow job that only adds words with signs to its content */
	GPtrArray *waiting; /* of PipelineJob */
	bool is_page; /* a document of a source */
	bool unread; /* its links are not taken yet: it is converted though its content is known */
	bool unwanted; /* its row was removed meanwhile: its documents are not added */
};

enum { STREAM_GAP_US = 250 * 1000, LONG_STREAM_US = 1000 * 1000, STREAM_DIRS = 64 };
/* Files that are saved shortly after each other, below one entry of a root. */
typedef struct {
	int64_t begun_us, last_us; /* when its first and its last file were taken */
	int64_t first_node; /* of its first file; what has a greater number is newer */
} SaveStream;

/* A directory in which a file was saved. */
typedef struct {
	int64_t node, file, last_us; /* file: the node of the last one */
} SavedDir;

/* The content whose files are read for their checksum, one after the other. */
typedef struct {
	int64_t content; /* the last one that was chosen; 0: none yet */
	bool chosen; /* it is not done yet */
	bool located; /* no file of it is on a root that is away */
	int64_t last; /* inode of its file that was looked at last, or is being read; 0: none yet */
	bool read; /* a file of it was read */
	bool incomplete; /* a file of it could not be read, so that its checksum stays unknown */
	uint8_t checksum[CHECKSUM_BYTES]; /* of all files of it that were read */
	Checksum *part; /* of the first part_bytes bytes of the file after the last one; NULL: none
	                   were read; owned */
	uint64_t part_bytes;
	EntryStat part_stat; /* of that file */
} Rehash;

struct Pipeline {
	Crawl *crawl;
	Loader *loader;
	Pool *pool;
	Journal *journal;
	PipelineLimits limits;
	GHashTable *jobs; /* inode -> PipelineJob */
	GHashTable *converting; /* checksum -> PipelineJob */
	GHashTable *suspects; /* int64_t inode -> whether its try was counted */
	GHashTable *skipped; /* set of int64_t: contents whose slow job is in progress or was given
	                        up */
	GQueue urgent; /* of PipelineJob in state QUEUED */
	GQueue batch; /* of PipelineJob in state QUEUED, from the backlog */
	GPtrArray *submits; /* of PoolTask that is not submitted yet; of jobs in state CONVERTING */
	PipelinePages pages;
	Cooldown *cooldown;
	DayBudget *day;
	SaveStream streams[DAY_BUDGET_DIRS + 1]; /* by number from day_budget_dir() */
	unsigned last_stream; /* the one of the last saved file */
	SavedDir saved_dirs[STREAM_DIRS]; /* by node; a later one takes the place of another */
	int64_t day_end_us; /* when the day ends for which files wait (monotonic); INT64_MAX: none
	                       waits */
	bool broken; /* the converter could not be used at the last try */
	bool retry_all; /* the converter can be used again: all postponed jobs are due */
	Rehash rehash;
	bool may_have_rehash; /* there may be contents whose checksum is unknown */
	bool rehash_awaited; /* a client asked for the rehash and waits for its end */
	bool rehash_cut; /* pipeline_fill() ended with work that it could begin at once */
	bool may_have_deferred; /* there may be contents for slow jobs */
	bool may_lack_signs; /* there may be texts that lack their words with signs */
	int64_t signs_tried; /* the content whose file is converted for these words; 0: none */
	int64_t signs_content; /* the content that signs_after is about */
	int64_t signs_after; /* its last document that was taken; 0: none yet */
	int64_t signs_left; /* the last content that was found to be away; 0: none yet */
	int64_t signs_due_us; /* when they are looked for again; INT64_MAX: nothing waits */
	unsigned signs_taken; /* documents of the conversion so far */
	bool signs_differ; /* one of them is not the text in the index */
	bool signs_cut; /* pipeline_fill() ended with such work that it could begin at once */
	bool expedite;
	bool may_have_backlog; /* there may be PENDING rows without a job */
	PendingPlace backlog_after; /* of the last row that became a job; so the rows of files that
	                               are away are not read again for each part of the backlog */
	bool backlog_cut; /* pipeline_fill() ended with files of the backlog that it could begin
	                     at once */
	unsigned loading, n_converting, postponed, awaited;
	unsigned light; /* the part of pipeline_in_work() that are small files */
	unsigned saved_in_work; /* urgent jobs that are in progress */
	unsigned slow; /* slow jobs that convert, which loading and n_converting include */
	unsigned adding_signs; /* those of them that add words with signs: 0 or 1 */
	unsigned rehashing; /* jobs of the rehash, which loading includes: 0 or 1 */
	uint64_t bytes_in_work, done, saved, saved_single, text_bytes, extractions;
	uint64_t orphans; /* number of orphans at the last count */
};

static inline Writer *pipeline_writer(const Pipeline *p)
{
	return p->crawl->writer;
}

/* Newer rows may have been added to the backlog. */
static inline void pipeline_restart_backlog(Pipeline *p)
{
	p->may_have_backlog = true;
	p->backlog_after = PENDING_NEWEST;
}

/* ---- pipeline-job.c */

bool pipeline_job_is_in_work(const PipelineJob *job);
bool pipeline_job_is_postponed(const PipelineJob *job);
/* All changes of state go through this function, which keeps the counts. */
void pipeline_job_set_state(Pipeline *p, PipelineJob *job, JobState state);
PipelineJob *pipeline_job_new(Pipeline *p, const Entry *entry, JobState state);
void pipeline_job_free(PipelineJob *job);
/* Its conversion is over. */
void pipeline_job_leave_converter(Pipeline *p, PipelineJob *job);
/* Removes the job from the tables and frees it. If a result is still to come, the job is freed
 * then. Jobs that wait for it become rows of the backlog again. */
void pipeline_job_forget(Pipeline *p, PipelineJob *job);
/* Tries the job again at due_us. state: JOB_RETRY or JOB_RETRY_AWAITED. */
void pipeline_job_postpone(Pipeline *p, PipelineJob *job, JobState state, int64_t due_us);
/* If a client waits, postpones the job a few times, for less than a second in all. False: it was
 * not postponed. */
bool pipeline_job_retry_awaited(Pipeline *p, PipelineJob *job, int64_t now_us);
/* Checks the row, which may have changed or disappeared since the job was made. 1: go on, 0: drop
 * the job, -1: error. */
int pipeline_job_check_row(Pipeline *p, PipelineJob *job, Entry *row, GError **error);
/* Returns the number of jobs being read or converted. Slow jobs do not count, because other jobs
 * preempt them. */
unsigned pipeline_in_work(const Pipeline *p);
/* Ends a slow job without a result. again: it may be tried again before the next start. */
void pipeline_skip_slow(Pipeline *p, PipelineJob *job, bool again);
/* The file changed: preempts its slow job if that is in progress. job: may be NULL. Returns the job
 * that is left, or NULL. */
PipelineJob *pipeline_preempt_slow(Pipeline *p, PipelineJob *job);

/* ---- pipeline-enqueue.c */

/* Queues the file before the backlog. job: its job, NULL if there is none yet. cooldown: its key,
 * or 0. */
void pipeline_enqueue(Pipeline *p, const Entry *entry, PipelineJob *job, uint64_t cooldown);
/* Queues the postponed jobs that are due: all of them, or only those in state JOB_RETRY. */
void pipeline_queue_due(Pipeline *p, bool all, int64_t now_us);

/* ---- pipeline-start.c */

bool pipeline_start(Pipeline *p, PipelineJob *job, int64_t now_us, GError **error);

/* ---- pipeline-deferred.c */

/* Starts slow jobs if there is nothing else to do, on all children but one. */
bool pipeline_fill_deferred(Pipeline *p, int64_t now_us, GError **error);

/* ---- pipeline-rehash.c */

/* Begins to read the next file whose checksum is needed if there is nothing else to do. */
bool pipeline_fill_rehash(Pipeline *p, int64_t now_us, GError **error);
/* The file, or a slice of it, was read, or could not be read. Frees the job. */
bool pipeline_take_rehashed(Pipeline *p, PipelineJob *job, Load *load, GError **error);
/* Begins again with the first content. */
void pipeline_rehash_restart(Pipeline *p);
/* The jobs are dropped: the content in progress, if there is one, is read again from its start. */
void pipeline_rehash_interrupt(Pipeline *p);
/* The job that reads a file is dropped: the file is read again if it is still done. */
void pipeline_rehash_preempt(Pipeline *p, PipelineJob *job);

/* ---- pipeline-signs.c */

/* Takes the next contents of an older index if there is nothing else to do. */
bool pipeline_fill_signs(Pipeline *p, int64_t now_us, GError **error);
/* Takes the next document of the conversion. */
bool pipeline_take_signs(Pipeline *p, PipelineJob *job, IngestResult *result, GError **error);
/* The converter cannot be used: nothing is taken before due_us. */
void pipeline_postpone_signs(Pipeline *p, int64_t due_us);
/* The conversion begins again with the first document. */
void pipeline_restart_signs(Pipeline *p);
/* Looks now for the contents that were left. */
void pipeline_retry_signs(Pipeline *p);
/* The conversion has ended. Frees the job. */
bool pipeline_end_signs(Pipeline *p, PipelineJob *job, GError **error);

/* ---- pipeline-end.c: these functions free the job; a file that changed meanwhile is queued
 * again */

bool pipeline_job_fail(Pipeline *p, PipelineJob *job, DocReason reason, const char *detail,
        int64_t now_us, GError **error);
/* The content of the file is known: links it. */
bool pipeline_job_link(
        Pipeline *p, PipelineJob *job, int64_t content, int64_t now_us, GError **error);

/* ---- pipeline-loaded.c, pipeline-converted.c: results */

bool pipeline_take_loaded(
        Pipeline *p, PipelineJob *job, Load *load, int64_t now_us, GError **error);
/* Adds the next document, or a piece of it. */
bool pipeline_take_documents(Pipeline *p, PipelineJob *job, IngestResult *result, GError **error);
/* Drops the documents received so far. */
bool pipeline_abandon(Pipeline *p, PipelineJob *job, GError **error);
bool pipeline_take_converted(
        Pipeline *p, PipelineJob *job, const ConversionEnd *end, int64_t now_us, GError **error);
