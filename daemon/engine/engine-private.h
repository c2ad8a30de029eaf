/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine-private.h - what the files of the engine share: engine.c (thread, queues), tick.c (one
 * round of work), requests.c (what the main thread asks), commit.c, recovery.c, care.c (idle
 * times), report.c (status and answers) */
#pragma once
#include "daemon/engine/engine.h"
#include "daemon/ingest/journal.h"
#include "daemon/engine/cpu-limit.h"

/* What was put off for less than this is waited for. */
enum { ENGINE_SOON_US = 100 * 1000 };

typedef enum {
	REQUEST_CONFIGURE,
	REQUEST_INDEX,
	REQUEST_RETRY,
	REQUEST_SYNC,
	REQUEST_CANCEL,
	REQUEST_PLUGINS,
	REQUEST_COMPACT
} RequestKind;

/* Key of the index's meta: identity of the converters. */
#define META_CONVERTERS "converters"

typedef struct {
	RequestKind kind;
	Settings *settings; /* CONFIGURE */
	GPtrArray *paths; /* INDEX, RETRY */
	GArray *plugins; /* PLUGINS: EnginePlugin */
	int64_t identity; /* PLUGINS: of them all; 0: ask them again at the next start */
	uint64_t number; /* SYNC, CANCEL; COMPACT: 1: scrub */
	EngineReply reply;
	void *data;
} Request;
void request_free(Request *request);

typedef struct {
	char *name;
	uint32_t version;
	char **mime_types;
} EnginePlugin;

/* Somebody waits until all changes are in the index. */
typedef struct {
	uint64_t number;
	uint64_t cookie; /* its event must have been read; 0: events are not waited for */
	bool sure; /* doubts of before are settled */
	EngineReply reply;
	void *data;
} Sync;

struct Engine {
	/* set once */
	char *index_dir, *cache_dir, *cookie_dir;
	bool watch;
	bool cookies; /* the directory of cookies is watched */
	int wake_fd, mounts_fd;
	Own *own;
	Hints *hints;
	Notify *notify; /* NULL: everything is polled */
	ResultQueue *results;
	Loader *loader;
	Pool *pool;
	GThread *thread;

	/* any thread */
	gint stop, paused, woken; /* atomic */
	GMutex lock;
	GQueue requests; /* Request */
	EngineStatus *status;
	uint64_t last_sync; /* main thread */

	/* engine thread */
	Writer *writer; /* NULL: the index cannot be opened */
	Settings *settings;
	Rules *rules;
	Crawl *crawl;
	Pipeline *pipeline;
	Journal *journal;
	GArray *syncs; /* Sync */
	uint64_t cookie_seen, cookie_made;
	bool configured; /* roots are known to the crawl */
	bool expedited;
	bool bulk; /* a first index is being made */
	GError *last_error; /* the last error; NULL: none */
	int64_t recovery_until_us, recovery_wait_us;
	bool low_disk;
	int64_t disk_check_us;
	LoadPolicy load_policy;
	CpuLimit cpu_limit;
	bool resting; /* for the pace */
	bool held; /* so are the converters */
	int64_t load_policy_check_us;
	uint64_t committed_text, committed_saved; /* the pipeline's counts at the last commit */
	int64_t change_us, commit_cost_us; /* first change since the last commit; what that took */
	int64_t commit_cpu_us; /* of a commit, for each MiB of text */
	int64_t take_cpu_us; /* of taking documents, for each MiB of theirs */
	uint64_t next_text; /* of the documents to be taken next, if that is much */
	int64_t maintenance_us; /* when to tidy up; INT64_MAX: nothing to tidy */
	uint64_t untidy; /* rows changed since it was tidy */
	bool tidy_all; /* purge every dead row, whatever it costs */
	bool purged_all; /* done; now merge and give back */
	bool scrub; /* then leave no word of what was deleted */
	GArray *tidiers; /* Sync: who waits for that; cookie unused */
	bool deaths; /* rows may have died since the last full purge */
	int64_t purge_us; /* when the next of these is due */
	int64_t scrub_until_us; /* how long a reader that holds a log is waited for; 0: not yet */
	bool more; /* the last round left work that can be done at once */
	int64_t verify_us, publish_us;
	int64_t rescan_due_us; /* not before it may everything be compared for doubts alone */
	bool comparing; /* everything, not yet to the end */
	int64_t compare_us; /* when the comparison under way began; 0: none */
	GArray *coverage; /* Coverage of each root; NULL: not counted yet */
	uint64_t coverage_version;
	int64_t coverage_us; /* not before it is counted again */
	int64_t last_reconcile_s, last_compared_s; /* UTC */
	int64_t converters; /* what they are, to be told to the next start */
	bool to_note_converters;
	WriterCounts counts;
	int64_t counts_us;
};

/* tick.c */
void tick_run(Engine *engine);
/* When the next round is due if nothing happens; INT64_MAX: never. */
int64_t tick_next_us(const Engine *engine);
/* Is no doubt left for anybody who waits and whose cookie was seen? */
bool tick_is_certain(const Engine *engine);

/* requests.c */
/* Makes the crawl and the pipeline use the settings, if they do not yet. */
bool requests_configure(Engine *engine, int64_t now_us, GError **error);
/* Serves what was asked; in trouble, what needs the index is refused. */
bool requests_take(Engine *engine, bool in_recovery, int64_t now_us, GError **error);
/* Events were lost: whoever waits for a cookie gets another. */
void requests_renew_cookies(Engine *engine);
/* Files that could not be read may be by now: at a start, and once a day. */
bool requests_retry_unread(Engine *engine, GError **error);
int64_t requests_next_verify_us(const Engine *engine, int64_t now_us);

/* recovery.c */
/* After any error: what is known in memory is forgotten, and a pause begins. */
void recovery_begin(Engine *engine, GError *error, int64_t now_us);
void recovery_end(Engine *engine);
/* Somebody waits: the next try is not put off for longer than the first was. */
void recovery_expedite(Engine *engine, int64_t now_us);
/* Opens the index if it is closed. */
bool recovery_reopen(Engine *engine, GError **error);
void recovery_budget_cache(Engine *engine);

/* commit.c */
/* May more text go into this transaction? The log of the database stays short. */
bool commit_has_room(const Engine *engine);
/* Is one due that has to wait for the ceiling of processor time? */
bool commit_is_held_back(const Engine *engine, int64_t now_us);
/* When the next is due, be it held back or not. */
int64_t commit_due_us(const Engine *engine, int64_t now_us);
bool commit_if_due(Engine *engine, int64_t now_us, GError **error);
/* Processor time that committing what was written so far is likely to take. */
int64_t commit_expected_us(const Engine *engine);
/* Text of a result's documents, if it is so much that taking them is a piece of work of its own;
 * else 0. What that took is noted. */
uint64_t commit_large_text(const IngestResult *result);
void commit_note_taken(Engine *engine, uint64_t text, int64_t cpu_us);
int64_t commit_thread_cpu_us(void);

/* maintenance.c */
/* Is there a bulk of changes to be tidied up now? */
bool maintenance_is_due(const Engine *engine, int64_t now_us);
/* Something was written. */
void maintenance_note(Engine *engine, unsigned changes, int64_t now_us);
/* All dead rows are purged from now on; reply: may be NULL. */
void maintenance_compact(Engine *engine, bool scrub, EngineReply reply, void *data);
/* The daily purge is due so long after the last, whoever made it. */
bool maintenance_plan(Engine *engine, int64_t now_us, GError **error);
/* When there is something to do next; INT64_MAX: never. */
int64_t maintenance_next_us(const Engine *engine);
/* Nothing else to do: a slice of tidying up if it is time. *more_r: there is more to tidy. */
bool maintenance_run(Engine *engine, int64_t now_us, bool *more_r, GError **error);

/* report.c */
void report_publish(Engine *engine, int64_t now_us);
/* When there is something new to publish although nothing happens; INT64_MAX: never. */
int64_t report_next_us(const Engine *engine);
void report_answer(EngineReply reply, void *data, uint64_t n, const GError *error);
/* Answers those who wait, if everything is in the index. After publishing: they may ask for the
 * status next. */
void report_syncs(Engine *engine, int64_t now_us);
bool report_has_syncs(const Engine *engine);
