/* SPDX-License-Identifier: GPL-3.0-or-later */
/* client-status.h - what index, configuration and daemon together say of the state of things */
#pragma once
#include "ui-cli/app/cli.h"

typedef struct {
	char *path; /* raw bytes */
	char *state; /* "watching", "scanning", "offline", "denied", "stuck"; "stopped" without a
	                daemon */
	uint64_t directories, watched, polled, denied, files;
} StatusRoot;

typedef struct {
	char *state; /* "idle", "scanning", "indexing", "paused", "degraded", "stopped" */
	char *reason, *config_error; /* or NULL */
	bool running;
	int pid;
	char *version, *sandbox, *current; /* or NULL */
	GArray *roots; /* StatusRoot */
	GArray *volumes; /* VolumeStats; NULL without an index */
	bool has_index;
	int index_code; /* exit code that belongs to why it has not */
	IndexStats index; /* zeros without */
	uint64_t dirty, pending, done; /* of the daemon */
	uint64_t watches_used, watches_budget, watches_limit, overflows, extractions;
	int64_t last_reconcile, last_compared, paused_until;
	bool disk_full;
	bool unsandboxed; /* files may be converted without a sandbox */
} Status;

/* Never fails: what cannot be learned is missing and the state says why. */
Status *status_gather(Cli *cli);
void status_free(Status *status);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Status, status_free)

/* What is not as it should be: a line for each, empty if all is well. GPtrArray of char *, yours.
 */
GPtrArray *status_problems(const Status *status);
/* What its sandbox is, for a person; NULL without a daemon. Yours. */
char *status_sandbox(const Status *status);
/* Is the daemon of another version than we are? */
bool status_other_version(const Status *status);
/* Does the volume lie below the root? */
bool status_holds(const StatusRoot *root, const VolumeStats *volume);
/* The object of docs/OUTPUT.md with its newline. */
void status_append_json(GString *out, const Status *status);
void status_append_human(const Screen *screen, GString *out, const Status *status);
