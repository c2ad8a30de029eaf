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
 * A result moves forward. Only these calls lead back: the callbacks of the converter, the queue
 * that wakes the engine, result_queue_finish(), which acknowledges a result, and
 * pipeline_enqueue() for a file that changed while it was in progress. If a job cannot be
 * finished, it is postponed, or pipeline-end.c ends it as a failure with a reason.
 *
 * Files that were just saved go before the backlog. The backlog is the set of PENDING rows of the
 * index, in parts, the newest first; a part is ordered by the place of its files. The number of
 * files and bytes in progress is bounded. If two jobs have the same bytes, the bytes are converted
 * once.
 *
 * Recognising text in pictures takes long, so an ordinary conversion leaves it out and notes that
 * (writer_add_deferred()). When there is nothing else to do, a deferred conversion, here called a
 * slow job, converts the whole content once more. Slow jobs leave one child to other jobs. If
 * others need more children, slow jobs are preempted and start again later.
 *
 * The checksums of an older index are not known any more. When there is nothing else to do, slow
 * jobs read the files of one content after the other, and large files in slices (LOAD_SLICE_US). If
 * the files are equal, the content gets their checksum. If they differ, each is converted by
 * itself. If one of them cannot be read, or changes, the others are compared, and the checksum
 * stays unknown until the next start. If one is on a root that is away, none is read until that is
 * back. Only a client that asked for it waits for the end (pipeline_verify_copies()).
 *
 * Texts of an older index lack words with signs (index/text/word-signs.h). When there is nothing
 * else to do, one content after the other gets them from the cache of texts, or by a slow job that
 * converts a file of it once more and adds these words alone. If the result is another text than
 * the index has, or no file can be read, the content is queued like an outdated one.
 *
 * Tries: if a file changes while it is read, it is read again after 2, 10 and 60 s; then it fails
 * as UNSTABLE. If its child died, that is final (converter.h). If a file was in progress when the
 * daemon died, it is tried alone, after all others, at most JOURNAL_TRIES times.
 *
 * Only the engine's thread calls these functions. */
#pragma once
#include "daemon/crawl/crawl.h"
#include "daemon/ingest/journal.h"
#include "daemon/ingest/loader.h"
#include "daemon/ingest/pool.h"
#include "index/write/writer-web.h"

typedef struct Pipeline Pipeline;

typedef struct {
	uint64_t max_file_bytes;
	ExtractLimits limits;
	unsigned converters;
	uint64_t daily_words, daily_text; /* day-budget.h */
	bool cpu_limited; /* a CPU limit is set: only as many jobs are in progress as can be
	                     converted at once */
} PipelineLimits;

typedef struct {
	unsigned loading, converting; /* in progress now */
	unsigned urgent; /* jobs that wait before the backlog */
	unsigned postponed; /* jobs that are debounced, or tried again later */
	bool backlog; /* there may be PENDING rows without a job */
	bool broken; /* the converter does not start; its files are tried again later */
	uint64_t done; /* files brought up to date since the start */
	uint64_t text_bytes; /* size of the documents written since the start */
	uint64_t extractions; /* conversions since the start, without those that only add words
	                         with signs */
	uint64_t saved; /* the part of done that had just been saved */
	uint64_t saved_single; /* the part of saved that was not part of a long stream: of files
	                          that are saved shortly after each other below one entry of a root,
	                          in the same directories or in new ones */
	int64_t stream_us; /* how long the stream has gone on to which the last saved file belongs;
	                      0: it has ended */
	unsigned saved_in_work; /* files in progress, or waiting for it, that were just saved */
	bool deferred; /* deferred conversions may be left to do, or are in progress */
	bool rehash; /* files may be left to read for their checksum, or are being read */
	bool rehash_awaited; /* the same, because a client asked for it */
	bool signs; /* texts of an older index may lack words with signs, which nobody waits for */
} PipelineCounts;

/* The reader of links of pages (daemon/web). wants: whether a document of a page is to be added to
 * the index. document: called for each document of a page, its own last, when it has been added, or
 * is not added, since the page is not wanted or its bytes are known; the row of a page that is not
 * wanted is removed. print: of a document that has been added, borrowed; else NULL. lost: the
 * record at that place is damaged or gone. done: the page is in the index as it is in its row. All
 * but wants fail with INDEX_ERROR. */
typedef struct {
	const char *stores; /* the directory of the stores of all sources; borrowed */
	bool (*wants)(const WebPageRow *page, const Document *doc);
	bool (*document)(const WebPageRow *page, const Document *doc, const Fingerprint *print,
	        void *data, GError **error);
	bool (*lost)(int64_t inode, const WarcPlace *place, void *data, GError **error);
	bool (*done)(int64_t inode, void *data, GError **error);
	void *data;
} PipelinePages;

Pipeline *pipeline_new(Loader *loader, Pool *pool);
void pipeline_set_pages(Pipeline *pipeline, const PipelinePages *pages);
/* Call it once, before all other functions. */
void pipeline_set_crawl(Pipeline *pipeline, Crawl *crawl);
/* Call it after loader and pool have ended and their results are discarded. */
void pipeline_free(Pipeline *pipeline);
void pipeline_set_limits(Pipeline *pipeline, const PipelineLimits *limits);
/* Forgets all jobs because the index was replaced or a transaction was lost. Their results will be
 * ignored. */
void pipeline_reset(Pipeline *pipeline);
/* The same while the index stays as it is: the contents that are being written are abandoned. */
bool pipeline_drop_jobs(Pipeline *pipeline, GError **error);
/* Sets the inodes that were in progress when the last daemon died (GArray of int64_t). */
void pipeline_set_suspects(Pipeline *pipeline, const GArray *inodes);
/* journal: borrowed; NULL: there is none. */
void pipeline_set_journal(Pipeline *pipeline, Journal *journal);

/* ---- work to do */

/* Begins a new day if midnight has passed. Returns whether files waited for it (REASON_LIMIT_DAY),
 * which may be read again. */
bool pipeline_begin_day(Pipeline *pipeline);

/* The members of CrawlSink; data is the pipeline. */
void pipeline_on_content(
        const Entry *entry, const Dir *dir, const char *name, unsigned what, void *data);
void pipeline_on_change(int64_t inode, void *data);
void pipeline_on_return(void *data);
/* Rows became PENDING in another way than through the crawler. */
void pipeline_note_backlog(Pipeline *pipeline);
/* Contents whose checksum is unknown may have been passed over: looks for them from the first one
 * on. */
void pipeline_note_rehash(Pipeline *pipeline);
/* Makes the checksums of all contents unknown that several files share. *n_r: their number. */
bool pipeline_verify_copies(Pipeline *pipeline, unsigned *n_r, GError **error);
/* Tries everything now that is postponed. */
void pipeline_retry_now(Pipeline *pipeline);
/* left: number of orphans taken or removed so far. If it has changed, names were found again or
 * forgotten: while a client waits, files that could not be read by these names are tried now, since
 * they may have other names. */
void pipeline_note_orphans(Pipeline *pipeline, uint64_t left);
/* expedite: a client waits for everything, so nothing is debounced. */
void pipeline_expedite(Pipeline *pipeline, bool expedite);

/* ---- work */

/* Starts as many jobs as there is room for. backlog: also rows of the backlog. Urgent jobs are
 * always started. */
bool pipeline_fill(Pipeline *pipeline, bool backlog, int64_t now_us, GError **error);
/* Returns when to call pipeline_fill() although nothing happened (monotonic); INT64_MAX: never. */
int64_t pipeline_next_us(const Pipeline *pipeline);
/* Brings a result into the index; of documents only a piece of work. The caller then calls
 * result_queue_finish(), or result_queue_return() if the result is unfinished. */
bool pipeline_take(Pipeline *pipeline, IngestResult *result, int64_t now_us, GError **error);
/* Hands over the conversions that results led to, after the journal. Call it after some calls of
 * pipeline_take(), also of one that failed. */
void pipeline_submit_all(Pipeline *pipeline);
/* Ends the job of a result that is no longer needed. The caller then calls
 * result_queue_finish(). */
void pipeline_discard(Pipeline *pipeline, IngestResult *result);

/* ---- counts and state */

void pipeline_counts(const Pipeline *pipeline, PipelineCounts *out);
/* Is nothing in progress or queued, except postponed and slow jobs? */
bool pipeline_is_idle(const Pipeline *pipeline);
/* Is a job in progress or queued for a file that was just saved, or that a client waits for? */
bool pipeline_is_urgent(const Pipeline *pipeline);
/* Is a file in progress that was just saved, and likely to be done in a moment? It has no documents
 * yet, and its job began less than a second ago. except: a job that does not count, or NULL. */
bool pipeline_expects_saved(const Pipeline *pipeline, const PipelineJob *except, int64_t now_us);
/* Returns the node of a file in progress, for the status; 0: there is none. */
int64_t pipeline_current(const Pipeline *pipeline);
