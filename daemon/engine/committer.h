/* SPDX-License-Identifier: GPL-3.0-or-later */
/* committer.h - decides when a transaction ends and readers see its changes
 *
 * If no other work is under way, the commit follows at once. Otherwise the pause between two
 * commits grows with the waiting work, up to 1 s (8 s in a first index) and up to ten times the
 * duration of a commit. A burst is thus written as a few large transactions. A file that was just
 * saved does not wait that long if few others are in progress, and while directories are read,
 * names are committed in parts of some 10 ms of CPU.
 *
 * Each commit writes some thirty pages, whatever it holds. So three commits may follow each other
 * at once, and after them one in 100 ms: a save that stands alone is found at once, and a stream of
 * saved files shares its commits. When a stream has gone on for more than a second below one entry
 * of a root, the pause is a quarter of its time, up to 500 ms. A file that is saved elsewhere, or
 * in a directory there which the stream neither fills nor has made, does not wait for it, and a
 * client that waits ends the pause. The commit of a full transaction is none of these: it follows
 * at once, and what is saved after it waits no longer for it. Commits of other changes, such as a
 * removal of many files in parts, have a rate of their own, so that a saved file never waits for
 * theirs.
 *
 * Until a saved file that is not part of a long stream is committed, no other documents are added,
 * but for a piece of them every 100 ms.
 *
 * The CPU times of a commit and of tokenising large documents are remembered for each MiB of text.
 * The highest value counts and decays slowly. Under a CPU limit a commit cannot be interrupted, so
 * its expected cost is reserved before the work that leads to it begins (cpu-limit.h). */
#pragma once
#include "daemon/ingest/pipeline.h"

typedef struct Committer Committer;

/* The facts that a decision depends on. */
typedef struct {
	PipelineCounts counts;
	unsigned changes; /* rows changed since the last commit */
	bool scanning; /* directories or entries wait to be compared */
	bool limited; /* a CPU limit is set */
	bool throttled; /* the CPU limit is used up at the moment */
	bool awaited; /* a client waits for the transaction */
	bool urgent; /* a file that was just saved is in progress */
} CommitFacts;

Committer *committer_new(void);
void committer_free(Committer *committer);
/* The transaction was lost. Bulk mode ends with the next committer_choose_bulk(), if the writer is
 * still in it. */
void committer_forget(Committer *committer);

/* May more text go into this transaction? Its size determines the size of the write-ahead log, and
 * how long a file that is saved meanwhile waits. text_bytes: from PipelineCounts. */
bool committer_has_room(const Committer *committer, uint64_t text_bytes, bool limited);
/* Returns when the next commit is due, even if it is held back; INT64_MAX: there is nothing to
 * commit. */
int64_t committer_due_us(const Committer *committer, const CommitFacts *facts);
/* Is a commit due but held back because the CPU limit is used up? A commit is not held back if a
 * client waits for it, or if a file that was just saved is in it or in progress. */
bool committer_is_held_back(const Committer *committer, const CommitFacts *facts, int64_t now_us);
/* Is it time to commit? Also notes the time of the first change of a transaction. */
bool committer_is_due(Committer *committer, const CommitFacts *facts, int64_t now_us);
bool committer_commit(Committer *committer, Writer *writer, const CommitFacts *facts,
        int64_t now_us, GError **error);

/* Must documents of files that were not just saved wait? expected: a file that was just saved is
 * about to be done. They wait until *until_us at most. */
bool committer_yields(const Committer *committer, const CommitFacts *facts, bool expected,
        int64_t now_us, int64_t *until_us);
/* Such documents, or a piece of them, were added. */
void committer_note_others(Committer *committer, int64_t now_us);

/* ---- the cost model */

/* Returns text (in bytes) if adding so much is a piece of work by itself, else 0. */
uint64_t committer_large_text(uint64_t text);
/* Announces large documents with this much text, of which the next piece is added; 0: there are
 * none. */
void committer_announce(Committer *committer, uint64_t text);
/* Documents or pieces of them were added to the transaction, which took this much CPU time. */
void committer_note_work(Committer *committer, int64_t cpu_us);
/* Large documents with this much text were added in one or many pieces, which took this much CPU
 * time together. text: 0: they were not large. */
void committer_note_cost(Committer *committer, uint64_t text, int64_t cpu_us);
/* Returns the CPU time that a commit of the written and the announced text is likely to take. */
int64_t committer_expected_us(const Committer *committer, uint64_t text_bytes);
/* Returns the CPU time of the calling thread. */
int64_t committer_thread_cpu_us(void);

/* ---- bulk mode: a first index, written in larger segments and without syncing (writer.h) */

bool committer_is_bulk(const Committer *committer);
/* Begins bulk mode if most of the index is missing, and ends it once everything is finished. */
bool committer_choose_bulk(Committer *committer, Writer *writer, const WriterCounts *counts,
        bool finished, GError **error);
