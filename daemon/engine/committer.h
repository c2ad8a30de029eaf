/* SPDX-License-Identifier: GPL-3.0-or-later */
/* committer.h - when a transaction ends, so that readers see its changes
 *
 * A commit comes at once when nothing else is under way. Otherwise the pause between two commits
 * grows with the work that waits, up to 1 s (8 s in a first index), and to ten times as long as a
 * commit takes, so that a burst is written as a few large transactions.
 *
 * Costs: the CPU time that a commit takes, and that tokenising large documents takes, is remembered
 * for each MiB of text; the highest value decays slowly. Under a CPU limit a commit is a piece of
 * work that cannot be interrupted: its expected cost is reserved before work begins that leads to
 * it (cpu-limit.h). */
#pragma once
#include "daemon/ingest/pipeline.h"

typedef struct Committer Committer;

/* What decisions depend on, as of now. */
typedef struct {
	PipelineCounts counts;
	unsigned changes; /* rows changed since the last commit */
	bool scanning; /* directories or entries wait to be looked at */
	bool limited; /* a CPU limit is set */
	bool throttled; /* and it is used up for now */
	bool awaited; /* then: somebody waits for the transaction, or for a file in work */
} CommitFacts;

Committer *committer_new(void);
void committer_free(Committer *committer);
/* The transaction was lost. Bulk mode ended with it. */
void committer_forget(Committer *committer);

/* May more text go into this transaction? Its size bounds the log of the database. text_bytes: of
 * PipelineCounts. */
bool committer_has_room(const Committer *committer, uint64_t text_bytes, bool limited);
/* When the next commit is due, be it held back or not; INT64_MAX: there is nothing to commit. */
int64_t committer_due_us(const Committer *committer, const CommitFacts *facts);
/* Is a commit due that has to wait because the CPU limit is used up? It does not wait if it holds
 * what somebody just saved, or if it is awaited. */
bool committer_is_held_back(const Committer *committer, const CommitFacts *facts, int64_t now_us);
/* Is it time to commit? Takes note of the first change of a transaction. */
bool committer_is_due(Committer *committer, const CommitFacts *facts, int64_t now_us);
bool committer_commit(Committer *committer, Writer *writer, const CommitFacts *facts,
        int64_t now_us, GError **error);

/* ---- the cost model */

/* text (bytes) if bringing in so much is a piece of work of its own, else 0. */
uint64_t committer_large_text(uint64_t text);
/* Large documents with so much text are next; 0: none are. */
void committer_announce(Committer *committer, uint64_t text);
/* They are in the transaction, which took so much CPU time. */
void committer_note_taken(Committer *committer, uint64_t text, int64_t cpu_us);
/* CPU time that committing what was written so far, and what was announced, is likely to take. */
int64_t committer_expected_us(const Committer *committer, uint64_t text_bytes);
/* CPU time of the calling thread. */
int64_t committer_thread_cpu_us(void);

/* ---- bulk mode: a first index, written in larger segments and without syncing (writer.h) */

bool committer_is_bulk(const Committer *committer);
/* Begins bulk mode when most of the index is still to be made. It ends when everything is
 * finished. */
bool committer_choose_bulk(Committer *committer, Writer *writer, const WriterCounts *counts,
        bool finished, GError **error);
