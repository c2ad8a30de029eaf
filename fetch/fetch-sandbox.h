/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fetch-sandbox.h - confines tarsier-fetch
 *
 * It may use TCP and UDP and read what names and certificates need, and nothing else. Landlock
 * refuses all other files, listening, and signals and abstract sockets outside. Seccomp allows a
 * list of calls: no other sockets, no program, no process, no signal to another process, no
 * executable memory. Both are needed: without either the program does not run. */
#pragma once
#include <stdbool.h>

/* Call it first: closes inherited descriptors from first_fd on, empties the environment, and sets
 * the limits of the process. */
void fetch_sandbox_harden(int first_fd);

/* Loads the modules of the name service that nsswitch.conf(5) names, which the C library would load
 * at the first question, when it cannot be done any more. */
void fetch_sandbox_load_names(void);

/* Confines this process for good. certificates: a file that may be read too, or NULL. The process
 * must have a single thread. False if Landlock or seccomp is not there. */
bool fetch_sandbox_enter(const char *certificates);

/* A forbidden operation. try() returns true if it was possible. */
typedef struct {
	const char *name;
	bool (*try)(void);
} FetchProbe;

/* All that are known, the last one with the name NULL. */
const FetchProbe *fetch_sandbox_probes(void);
