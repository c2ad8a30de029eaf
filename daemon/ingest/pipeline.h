/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pipeline.h - brings the contents of files into the index
 *
 *	crawl ==> jobs --> loader ----------.
 *	           ^  '-> pool <- converter  | INGEST_*
 *	           |       |                 v
 *	           |       '--------> result queue --> tick --> pipeline_take()
 *	           |                        ^            |       |- loaded:    link, or hand to pool
 *	           |                        '- finish ---'       |- documents: add to the content
 *	           |                                             |- restarted: abandon the content
 *	           '--- changed meanwhile: queued again <-- end <'- converted: end the content, link
 *
 * A result moves forward. Of 21 hand-overs between files 6 lead back (13 of 24 before there was a
 * queue): three callbacks of the converter, the queue that wakes the engine, result_queue_finish(),
 * which acknowledges a result, and pipeline_enqueue() for a file that changed while it was in work.
 * A job that cannot be finished ends as a failure with a reason in one place (pipeline-end.c), or
 *is postponed.
 *
 * Files that somebody just saved go before the backlog. The backlog is the set of PENDING rows of
 * the index, newest first. The number of files and bytes in work is bounded. If two jobs have the
 * same bytes, these are converted once.
 *
 * Text in pictures takes long: a conversion leaves it out and notes that (writer_add_deferred()).
 * When there is nothing else to do, a deferred conversion, here called a slow job, converts such a
 * content once more, as a whole. Slow jobs leave one converter to others, and are preempted if
 * others need theirs: they begin again later.
 *
 * Tries: a file that changed while it was read is read again after 2, 10 and 60 s, then it fails as
 * UNSTABLE. A converter that died is final (converter.h). A file that was in work when the daemon
 * died is tried alone, after all others, at most JOURNAL_TRIES times.
 *
 * The engine's thread alone calls these functions. */
#pragma once
#include "daemon/crawl/crawl.h"
#include "daemon/ingest/journal.h"
#include "daemon/ingest/loader.h"
#include "daemon/ingest/pool.h"

typedef struct Pipeline Pipeline;

typedef struct {
	uint64_t max_file_bytes;
	ExtractLimits limits;
	unsigned converters;
	bool cpu_limited; /* a CPU limit is set: no more in work than can be converted at once */
} PipelineLimits;

typedef struct {
	unsigned loading, converting; /* in work now */
	unsigned urgent; /* waiting before the backlog */
	unsigned postponed; /* debounced, or to be tried again */
	bool backlog; /* there may be PENDING rows without a job */
	bool broken; /* the converter does not start; its files are tried again later */
	uint64_t done; /* files brought up to date since the start */
	uint64_t text_bytes; /* of documents written since the start */
	uint64_t extractions; /* conversions since the start */
	uint64_t saved; /* of done: files that somebody had just saved */
	bool deferred; /* slow jobs may be left to do, or are in work */
} PipelineCounts;

Pipeline *pipeline_new(Loader *loader, Pool *pool);
/* Once, before all other calls. */
void pipeline_set_crawl(Pipeline *pipeline, Crawl *crawl);
/* Loader and pool have ended, and their results are discarded. */
void pipeline_free(Pipeline *pipeline);
void pipeline_set_limits(Pipeline *pipeline, const PipelineLimits *limits);
/* Another index, or a transaction was lost: forgets all jobs. Their results will be ignored. */
void pipeline_reset(Pipeline *pipeline);
/* Inodes that were in work when the last daemon died (GArray of int64_t). */
void pipeline_set_suspects(Pipeline *pipeline, const GArray *inodes);
/* Borrowed; NULL: none. */
void pipeline_set_journal(Pipeline *pipeline, Journal *journal);

/* ---- what there is to do */

/* Members of CrawlSink. */
void pipeline_on_content(
        const Entry *entry, const Dir *dir, const char *name, unsigned what, void *pipeline);
void pipeline_on_change(int64_t inode, void *pipeline);
/* Rows became PENDING by other ways than the crawler. */
void pipeline_note_backlog(Pipeline *pipeline);
/* Tries everything now that is postponed. */
void pipeline_retry_now(Pipeline *pipeline);
/* So many orphans are left. If others are gone, names were found again or forgotten: while somebody
 * waits, files that could not be read by these names are tried now, since they may have others. */
void pipeline_note_orphans(Pipeline *pipeline, uint64_t left);
/* While true, nothing is debounced: somebody waits for everything. */
void pipeline_expedite(Pipeline *pipeline, bool expedite);

/* ---- work */

/* Starts as many jobs as there is room for. backlog: rows of the backlog, too; urgent jobs are
 * always started. */
bool pipeline_fill(Pipeline *pipeline, bool backlog, int64_t now_us, GError **error);
/* When to call pipeline_fill() although nothing happened (monotonic); INT64_MAX: never. */
int64_t pipeline_next_us(const Pipeline *pipeline);
/* Brings a result into the index. The caller finishes it (result_queue_finish()). */
bool pipeline_take(Pipeline *pipeline, IngestResult *result, int64_t now_us, GError **error);
/* Ends the job of a result that nobody wants any more. The caller finishes the result. */
void pipeline_discard(Pipeline *pipeline, IngestResult *result);

/* ---- what is known of it */

void pipeline_counts(const Pipeline *pipeline, PipelineCounts *out);
/* Is nothing in work or queued, apart from postponed and slow jobs? */
bool pipeline_is_idle(const Pipeline *pipeline);
/* Is anything queued or in work that somebody just saved, or waits for? */
bool pipeline_is_urgent(const Pipeline *pipeline);
/* Node of a file in work, for the status; 0: none. */
int64_t pipeline_current(const Pipeline *pipeline);
