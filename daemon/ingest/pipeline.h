/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pipeline.h - the way of a file's content into the index
 *
 *	wanted -> loader: bytes and checksum -> known? linked, done
 *	                                     -> new: converter (pool) -> documents -> index ->
 *linked, done
 *
 * One direction; what cannot be finished goes back to "wanted" or ends as a failure with a reason,
 *in one place (finish()). What somebody just saved goes before the backlog, which is read from the
 *index itself (rows in state PENDING), newest first. The number of files and bytes in work is
 *bounded. A file that two jobs would convert at the same time is converted once.
 *
 * What takes long (text in pictures) is left out and noted (writer_add_deferred()). When there is
 *nothing else to do, such a content is converted once more, wholly: a slow job. One converter is
 *left to others, to whom it gives way if they want more, and begins again later.
 *
 * Tries: changed while read: again after 2, 10 and 60 s, then UNSTABLE. Deaths of a converter are
 *converter.h's affair and final. In work when the daemon itself died: alone, after all others, at
 *most JOURNAL_TRIES times. Engine only; results come as PipelineMessage. */
#pragma once
#include "daemon/crawl/crawl.h"
#include "daemon/ingest/journal.h"
#include "daemon/ingest/loader.h"
#include "daemon/ingest/pool.h"
#include "daemon/ingest/result-queue.h"

typedef struct Pipeline Pipeline;
typedef struct {
	uint64_t max_file_bytes;
	ExtractLimits limits;
	unsigned converters;
	bool paced; /* a ceiling of processor time holds: no more in work than can be converted */
} PipelineLimits;

typedef struct {
	unsigned loading, converting; /* in work now */
	unsigned urgent; /* waiting before the backlog */
	unsigned held; /* still being written, or to be tried again later */
	bool backlog; /* there may be rows to do in the index */
	bool broken; /* the converter does not start; its files are tried again later */
	uint64_t done; /* files brought up to date since the start */
	uint64_t text_bytes; /* of documents written since the start */
	uint64_t extractions; /* conversions since the start */
	uint64_t saved; /* of done, what somebody had just saved */
	bool deferred; /* something that takes long may have been left out, or is in work */
} PipelineCounts;

Pipeline *pipeline_new(Loader *loader, Pool *pool);
/* Before anything else. */
void pipeline_set_crawl(Pipeline *pipeline, Crawl *crawl);
/* No message may come any more: loader and pool have ended or will not be heard. */
void pipeline_free(Pipeline *pipeline);
void pipeline_set_limits(Pipeline *pipeline, const PipelineLimits *limits);
/* Another index, or a transaction was lost: forgets all jobs; their results will be ignored. */
void pipeline_reset(Pipeline *pipeline);
/* Inodes that were in work when the last daemon died (GArray of int64_t). */
void pipeline_set_suspects(Pipeline *pipeline, const GArray *inodes);
/* Borrowed; NULL: none. */
void pipeline_set_journal(Pipeline *pipeline, Journal *journal);

/* As CrawlSink wants them. */
void pipeline_content(
        const Entry *entry, const Dir *dir, const char *name, unsigned what, void *pipeline);
void pipeline_changed(int64_t inode, void *pipeline);
/* Rows became PENDING by other ways than the crawler. */
void pipeline_look_for_backlog(Pipeline *pipeline);

/* What is held or to be tried later is tried now. */
void pipeline_wake(Pipeline *pipeline);
/* So many orphans are left. If others are gone, names were found again or forgotten: while somebody
 * waits, what could not be read by them is tried now, for its inode may have others. */
void pipeline_note_orphans(Pipeline *pipeline, uint64_t left);
/* While true, nothing waits to become quiet or cool: somebody waits for all. */
void pipeline_expedite(Pipeline *pipeline, bool expedite);
/* Starts what there is room for. backlog: may rows of the backlog be started too? urgent work
 * always may. */
bool pipeline_fill(Pipeline *pipeline, bool backlog, int64_t now_us, GError **error);
/* Brings a result into the index. The caller finishes it (result_queue_finish()). */
bool pipeline_take(Pipeline *pipeline, IngestResult *result, int64_t now_us, GError **error);
/* Ends the job of a result that nobody wants any more. The caller finishes the result. */
void pipeline_discard(Pipeline *pipeline, IngestResult *result);
/* Is it of what was just saved, or wanted? */
bool pipeline_result_is_urgent(const IngestResult *result);
/* When pipeline_fill() should be called although nothing happened; INT64_MAX: never. */
int64_t pipeline_next_us(const Pipeline *pipeline);
void pipeline_counts(const Pipeline *pipeline, PipelineCounts *out);
/* Nothing in work, nothing wanted, but for what is held and what takes long. */
bool pipeline_is_idle(const Pipeline *pipeline);
/* Is anything in work that was just saved, or wanted? */
bool pipeline_is_urgent(const Pipeline *pipeline);
/* Node of a file in work, 0: none; for the status. */
int64_t pipeline_current(const Pipeline *pipeline);
