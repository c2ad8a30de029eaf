/* SPDX-License-Identifier: GPL-3.0-or-later */
/* service.h - the main thread: settings, pauses, answers to clients, the service manager */
#pragma once
#include "common/fetch/fetch-launcher.h"
#include "daemon/engine/engine.h"
#include "daemon/service/server.h"

typedef struct {
	const char *config_file; /* as for settings_load() */
	const char *index_dir, *cache_dir, *socket_path;
	bool watch;
	char **once; /* with watch false: the paths to bring up to date; empty: all roots */
	const gint *no_room; /* not 0: a thread waits for disk space for a page that it wrote
	                        through a mapping */
	bool compact, scrub; /* with watch false: give free space back afterwards, and leave no
	                        deleted word */
	SandboxLevel confinement; /* what confine() returned */
	const FetchLauncher *launcher; /* starts tarsier-fetch; NULL: it is not installed */
	bool verify; /* with watch false: read all files again that are listed as equal */
	bool purge; /* with watch false: instead of a pass, let what is no longer watched leave the
	               index and the disk */
} ServiceOptions;

typedef struct Service Service;

/* Starts everything. Takes ownership of settings. INDEX_ERROR_LOCKED: another daemon serves this
 * index. */
Service *service_new(const ServiceOptions *options, Settings *settings, GError **error);
/* Runs until SIGTERM or SIGINT, which must be blocked in all threads, or until the single pass is
 * over. Returns the exit status. */
int service_run(Service *service);
void service_free(Service *service);
