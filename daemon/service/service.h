/* SPDX-License-Identifier: GPL-3.0-or-later */
/* service.h - what the main thread holds: settings, pauses, answers to clients, the service manager
 */
#pragma once
#include "daemon/engine/engine.h"
#include "daemon/service/server.h"

typedef struct {
	const char *config_file; /* as for settings_load */
	const char *index_dir, *cache_dir, *socket_path;
	bool watch;
	char **once; /* with watch false: paths to bring up to date; empty: all roots */
	const gint
	        *no_room; /* not 0: a thread waits for room for what it wrote through a mapping */
	bool compact, scrub; /* with watch false: then give space back, leave no deleted word */
} ServiceOptions;

typedef struct Service Service;

/* Starts everything; INDEX_ERROR_LOCKED if another daemon serves this index. settings are taken
 * over. */
Service *service_new(const ServiceOptions *options, Settings *settings, GError **error);
/* Runs until a signal (SIGTERM, SIGINT), which must be blocked in all threads, or until the one
 * pass is over. Returns the exit status. */
int service_run(Service *service);
void service_free(Service *service);
