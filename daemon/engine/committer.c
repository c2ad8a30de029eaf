/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/engine/committer.h"
#include <time.h>

enum {
	MOST_CHANGES = 20000, /* most rows of a transaction */
	MOST_SCANNED = 2000, /* while directories are read: about 10 ms of CPU for their names */
	FEW_FILES = 8,
	COMMIT_FEW_US = 15 * 1000,
	COMMIT_SAVED_US = 10 * 1000, /* at most, for a file that was just saved among few others */
	YIELD_US = 100 * 1000, /* documents of other files wait at most that long for saved ones */
	COMMIT_SOME_US = 100 * 1000,
	COMMIT_MANY_US = 1000 * 1000,
	COMMIT_BULK_US = 8 * 1000 * 1000,
	COMMIT_SCAN_US = 100 * 1000,
	STREAM_US = 100 * 1000, /* the least time between two commits of a stream */
	STREAM_MOST_US = 500 * 1000,
	STREAM_SHARE = 4, /* it grows to this part of the time since the stream began */
	STREAM_FREE_COMMITS = 3, /* so many may follow each other at once: of a name, of its
	                            content, of a name that took its place */
	TEXT_BYTES = 8 << 20,
	BULK_TEXT_BYTES = 12 << 20, /* each commit creates a segment, which must be merged later */
	LIMITED_TEXT_BYTES = 3 << 20, /* a commit cannot be interrupted */
	/* what is saved meanwhile waits for up to three transactions: adding their documents and
	 * committing them may take so much CPU time */
	SLICE_CPU_US = 20 * 1000,
	SLICE_LEAST_US = 2 * 1000, /* a shorter one tells nothing about the cost of a commit */
	MOST_COMMIT_RATIO = 8, /* the cost of a commit that also merges segments is not a rule */
	COMMIT_SHARE = 10, /* the pause between two commits is ten times as long as a commit */
	COMMIT_GUESS_US = 100 * 1000, /* first estimate for each MiB */
	TAKE_GUESS_US = 60 * 1000,
	LARGE_TEXT_BYTES = 64 << 10,
	BULK_FILES = 500,
};

struct Committer {
	bool bulk;
	/* the pipeline's counts at the last commit */
	uint64_t committed_text, committed_saved, committed_single;
	int64_t first_change_us; /* time of the first change since the last commit; 0: there is
	                            none */
	int64_t commit_us; /* time of the last commit */
	/* until then the commits so far would take, STREAM_US each: those that hold a single saved
	 * file, and all others */
	int64_t single_paid_us, others_paid_us;
	int64_t others_us; /* time when documents of files that were not just saved were added */
	int64_t cost_us; /* wall time of the last commit */
	int64_t slice_cpu_us; /* of adding documents since the last commit */
	double commit_ratio; /* CPU time of recent commits to that of adding what they wrote */
	int64_t commit_cpu_us; /* of a commit, for each MiB of text */
	int64_t take_cpu_us; /* of adding documents, for each MiB of their text */
	uint64_t announced_text;
};

Committer *committer_new(void)
{
	Committer *c = g_new0(Committer, 1);
	c->commit_ratio = 3; /* that of documents which have no word in common */
	return c;
}

void committer_free(Committer *c)
{
	g_free(c);
}

void committer_forget(Committer *c)
{
	c->bulk = false;
	c->first_change_us = 0;
	c->slice_cpu_us = 0;
}

/* Bytes of text that were added since the last commit. */
static uint64_t uncommitted_text(const Committer *c, uint64_t text_bytes)
{
	return text_bytes - c->committed_text;
}

bool committer_has_room(const Committer *c, uint64_t text_bytes, bool limited)
{
	uint64_t most = c->bulk ? BULK_TEXT_BYTES : TEXT_BYTES;
	if (!c->bulk && c->slice_cpu_us >= SLICE_LEAST_US &&
	        c->slice_cpu_us * (1 + c->commit_ratio) >= SLICE_CPU_US)
		return false;
	return uncommitted_text(c, text_bytes) < (limited ? LIMITED_TEXT_BYTES : most);
}

static unsigned files_in_work(const PipelineCounts *counts)
{
	return counts->loading + counts->converting + counts->urgent;
}

/* Does the transaction hold a file that was just saved? */
static bool committer_holds_saved(const Committer *c, const CommitFacts *facts)
{
	return facts->counts.saved != c->committed_saved;
}

static int64_t commit_pause_us(const Committer *c, const CommitFacts *facts)
{
	const PipelineCounts *counts = &facts->counts;
	unsigned work = files_in_work(counts);
	if (facts->scanning)
		return COMMIT_SCAN_US;
	if (counts->backlog)
		return c->bulk ? COMMIT_BULK_US : COMMIT_MANY_US;
	if (work == 0)
		return 0;
	if (work < FEW_FILES)
		return COMMIT_FEW_US;
	return work < 64 ? COMMIT_SOME_US : COMMIT_MANY_US;
}

/* Does it hold one that is not part of a long stream? */
static bool committer_holds_single(const Committer *c, const CommitFacts *facts)
{
	return facts->counts.saved_single != c->committed_single;
}

/* Returns when the next commit may follow the last ones. Commits that stand alone may follow at
 * once: the generic cell rate algorithm (ITU-T I.371), with a tolerance of STREAM_FREE_COMMITS.
 * Other commits meanwhile delay no single saved file. */
static int64_t stream_due_us(const Committer *c, const CommitFacts *facts)
{
	const int64_t tolerance_us = (STREAM_FREE_COMMITS - 1) * STREAM_US;
	if (committer_holds_single(c, facts))
		return c->single_paid_us - tolerance_us;
	int64_t pause_us = MIN(facts->counts.stream_us / STREAM_SHARE, STREAM_MOST_US);
	return MAX(c->others_paid_us - tolerance_us, c->commit_us + pause_us);
}

static void committer_pay(Committer *c, const CommitFacts *facts, int64_t now_us)
{
	int64_t *paid_us =
	        committer_holds_single(c, facts) ? &c->single_paid_us : &c->others_paid_us;
	*paid_us = MIN(MAX(*paid_us, now_us) + STREAM_US, now_us + STREAM_FREE_COMMITS * STREAM_US);
}

int64_t committer_due_us(const Committer *c, const CommitFacts *facts)
{
	if (facts->changes == 0)
		return INT64_MAX;
	if (facts->changes >= (facts->scanning && !c->bulk ? MOST_SCANNED : MOST_CHANGES) ||
	        !committer_has_room(c, facts->counts.text_bytes, facts->limited))
		return 0;
	int64_t pause_us = commit_pause_us(c, facts);
	if (pause_us > 0)
		pause_us = MAX(pause_us, COMMIT_SHARE * c->cost_us);
	if (committer_holds_saved(c, facts) && facts->counts.saved_in_work < FEW_FILES)
		pause_us = MIN(pause_us, COMMIT_SAVED_US);
	int64_t due_us = c->first_change_us + pause_us;
	return facts->awaited ? due_us : MAX(due_us, stream_due_us(c, facts));
}

bool committer_yields(const Committer *c, const CommitFacts *facts, bool expected, int64_t now_us,
        int64_t *until_us)
{
	*until_us = c->others_us + YIELD_US;
	bool saved = expected || committer_holds_single(c, facts);
	return saved && !c->bulk && facts->counts.saved_in_work < FEW_FILES && now_us < *until_us;
}

void committer_note_others(Committer *c, int64_t now_us)
{
	c->others_us = now_us;
}

bool committer_is_held_back(const Committer *c, const CommitFacts *facts, int64_t now_us)
{
	return facts->throttled && committer_due_us(c, facts) <= now_us &&
	       !committer_holds_saved(c, facts) && !facts->awaited && !facts->urgent;
}

static void committer_begin_slice(Committer *c, const CommitFacts *facts)
{
	c->committed_text = facts->counts.text_bytes;
	c->committed_saved = facts->counts.saved;
	c->committed_single = facts->counts.saved_single;
	c->first_change_us = 0;
	c->slice_cpu_us = 0;
}

bool committer_is_due(Committer *c, const CommitFacts *facts, int64_t now_us)
{
	if (facts->changes == 0)
		committer_begin_slice(c, facts); /* there may have been a commit by others */
	else if (c->first_change_us == 0)
		c->first_change_us = now_us;
	return committer_due_us(c, facts) <= now_us && !committer_is_held_back(c, facts, now_us);
}

/* ---- the cost model */

/* The cost is each_us for each MiB. */
static int64_t cost_of_text_us(int64_t each_us, uint64_t text)
{
	return each_us * (int64_t)(text >> 10) >> 10;
}

int64_t committer_expected_us(const Committer *c, uint64_t text_bytes)
{
	uint64_t text = uncommitted_text(c, text_bytes) + c->announced_text;
	return cost_of_text_us(MAX(c->commit_cpu_us, COMMIT_GUESS_US), text) +
	       cost_of_text_us(MAX(c->take_cpu_us, TAKE_GUESS_US), c->announced_text);
}

uint64_t committer_large_text(uint64_t text)
{
	return text >= LARGE_TEXT_BYTES ? text : 0;
}

void committer_announce(Committer *c, uint64_t text)
{
	c->announced_text = MIN(text, WRITER_PIECE_BYTES);
}

/* Returns the cost of a MiB. Some commits also merge what earlier ones wrote, so the highest cost
 * counts. It decays slowly. */
static int64_t highest_us(int64_t before_us, uint64_t text, int64_t cpu_us)
{
	return MAX(before_us * 15 / 16, cpu_us * 1024 / (int64_t)(MAX(text, 1 << 20) >> 10));
}

void committer_note_work(Committer *c, int64_t cpu_us)
{
	c->slice_cpu_us += cpu_us;
}

void committer_note_cost(Committer *c, uint64_t text, int64_t cpu_us)
{
	if (text > 0)
		c->take_cpu_us = highest_us(c->take_cpu_us, text, cpu_us);
}

int64_t committer_thread_cpu_us(void)
{
	struct timespec used;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	return (int64_t)used.tv_sec * G_USEC_PER_SEC + used.tv_nsec / 1000;
}

static void committer_note_slice(Committer *c, int64_t commit_cpu_us)
{
	if (c->slice_cpu_us < SLICE_LEAST_US)
		return;
	double ratio = MIN((double)commit_cpu_us / c->slice_cpu_us, MOST_COMMIT_RATIO);
	c->commit_ratio = (3 * c->commit_ratio + ratio) / 4;
}

bool committer_commit(
        Committer *c, Writer *writer, const CommitFacts *facts, int64_t now_us, GError **error)
{
	uint64_t text = uncommitted_text(c, facts->counts.text_bytes);
	bool full = !committer_has_room(c, facts->counts.text_bytes, facts->limited);
	int64_t before_us = committer_thread_cpu_us();
	if (!writer_commit(writer, error))
		return false;
	int64_t cpu_us = committer_thread_cpu_us() - before_us;
	c->commit_cpu_us = highest_us(c->commit_cpu_us, text, cpu_us);
	committer_note_slice(c, cpu_us);
	c->cost_us = g_get_monotonic_time() - now_us;
	c->commit_us = now_us;
	if (!full)
		committer_pay(c, facts, now_us);
	committer_begin_slice(c, facts);
	g_debug("commit: %" G_GINT64_FORMAT " ms of CPU for %" G_GUINT64_FORMAT " KiB of text",
	        cpu_us / 1000, text >> 10);
	return true;
}

/* ---- bulk mode */

bool committer_is_bulk(const Committer *c)
{
	return c->bulk;
}

bool committer_choose_bulk(
        Committer *c, Writer *writer, const WriterCounts *counts, bool finished, GError **error)
{
	bool bulk = c->bulk;
	if (counts->pending >= BULK_FILES && counts->pending > counts->files / 2)
		bulk = true;
	else if (finished)
		bulk = false;
	if (bulk == c->bulk && bulk == writer_is_bulk(writer))
		return true;
	if (!writer_set_bulk(writer, bulk, error))
		return false;
	c->bulk = bulk;
	return true;
}
