/* SPDX-License-Identifier: GPL-3.0-or-later */
/* client-status.h - the status as index, configuration and daemon together give it */
#pragma once
#include "index/read/reader-changes.h"
#include "ui-cli/app/cli.h"
#include "ui-cli/app/rate-meter.h"
#include "ui-cli/app/source-list.h"
#include "ui-cli/app/word-vectors.h"

typedef struct {
	char *path; /* raw bytes */
	char *state; /* "watching", "scanning", "offline", "denied", "stuck"; "stopped" without a
	                daemon */
	uint64_t directories, watched, polled, denied, files;
} StatusRoot;

/* Hosts that are shared with other crawlers. */
typedef struct {
	bool shared; /* false: there are none, and the rest does not count */
	bool open; /* those that are ours may be asked */
	uint64_t crawlers, hosts, ours;
	int64_t since; /* when they might be asked last, in seconds since 1970; 0: not yet */
	char *error; /* why the database cannot be asked; NULL: it can */
} StatusPartition;

typedef struct {
	char *state; /* "idle", "scanning", "indexing", "paused", "degraded", "stopped" */
	char *reason, *config_error; /* may be NULL */
	bool running;
	bool silent; /* somebody listens, but does not answer */
	int pid;
	char *version, *current; /* may be NULL */
	/* levels of the extractors, of the daemon, and of what starts tarsier-fetch and readers of
	 * later roots for it; may be NULL */
	char *sandbox, *confinement, *launcher, *roots_launcher;
	GArray *roots; /* StatusRoot */
	SourceList *sources;
	GArray *volumes; /* VolumeStats; NULL without an index */
	GPtrArray *exports; /* ConsumerStats; NULL without an index */
	GPtrArray *idle_exports; /* char *; exports of the configuration that follow no changes */
	bool has_index;
	int index_code; /* exit code for the reason why there is no index */
	IndexStats index; /* all zero without an index */
	bool postings_known; /* postings_reason is valid */
	char *postings_reason; /* why posting lists are not read directly; NULL: they are */
	WordVectors vectors;
	uint64_t dirty, pending, done; /* from the daemon */
	uint64_t watches_used, watches_budget, watches_limit, overflows, extractions;
	int64_t last_reconcile, last_compared, paused_until;
	bool disk_full;
	StatusPartition partition;
	bool unsandboxed; /* files may be converted without a sandbox */
} Status;

/* Never fails: what cannot be found out is missing, and state and reason tell why. */
Status *status_gather(Cli *cli);
void status_free(Status *status);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Status, status_free)

/* One line for each problem; empty if all is well. GPtrArray of char *; the caller unrefs it. */
GPtrArray *status_problems(const Status *status);
/* The state of the daemon or of a root in the user's language; "?" for NULL. */
const char *status_state_text(const char *state);
/* The level of a sandbox ("full", "seccomp", "landlock", "none") in the user's language. */
const char *status_level_text(const char *level);
/* Describes the sandbox for the user; NULL without a daemon. The caller frees it. */
char *status_sandbox(const Status *status);
/* Does the daemon have another version than this program? */
bool status_other_version(const Status *status);
/* Can the daemon read no site or feed, because tarsier-fetch was not there when it started? */
bool status_lacks_fetch(const Status *status);
/* The line that says so. */
const char *status_fetch_text(void);
/* The state of sharing with other crawlers, for the user; partition.shared is true. *good_r:
 * nothing is wrong. The caller frees it. */
char *status_partition_text(const Status *status, bool *good_r);
/* The state of an export that follows the changes, for the user. *good_r: nothing is wrong. The
 * caller frees it. */
char *status_export_text(const ConsumerStats *export, bool *good_r);
/* Does the volume lie below the root? */
bool status_root_holds(const StatusRoot *root, const VolumeStats *volume);
/* Appends the JSON object of docs/OUTPUT.md and a newline. */
void status_append_json(GString *out, const Status *status);
void status_append_human(const Screen *screen, GString *out, const Status *status);
/* Appends a row that says how far the conversion of all files is, if any wait. */
void status_append_progress(
        const Screen *screen, GString *out, const Status *status, const RateMeter *meter);
/* Appends the state and the progress as one line, without escapes for the terminal. */
void status_append_line(GString *out, const Status *status, const RateMeter *meter);
