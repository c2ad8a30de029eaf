/* SPDX-License-Identifier: GPL-3.0-or-later */
/* confine.h - the confinement of the daemon and the client, which they put on themselves
 *
 * Seccomp allows a list of system calls (confine-calls.h). Landlock lets them write in their own
 * directories only, start tarsier-extract and nothing else, signal only what they started, and read
 * only what they name. All processes that are started later inherit both, so that the extractors
 * are confined twice. */
#pragma once
#include "common/sandbox/converter.h"
#include <stdbool.h>

/* Existing files and directories, NULL-terminated; one that takes the place of such a directory
 * later is not allowed. */
typedef struct {
	const char *const *writable; /* may be read too */
	const char *const *readable; /* besides the system and the extractors; NULL: everything */
} Confinement;

/* Confines this process and all that it starts, for good. It must have a single thread. Returns
 * what the kernel provides; SANDBOX_FULL is both. */
SandboxLevel confine(const Confinement *wanted);

/* Confines an agent that was forked by a confined process: of all files it may read those below the
 * root, as it is now, and nothing else. It may have to wait for the file system of the root. */
void confine_agent(const char *root);

/* Confines a process that only starts this program, which uses the network, and confines itself
 * further. Both may read the system and the file readable (NULL: none), write nothing, start what
 * is in the directory of the program, and make connections. Otherwise as confine(). */
SandboxLevel confine_launcher(const char *program, const char *readable);

/* Confines a process that only makes connections: the same without starting anything. */
SandboxLevel confine_connections(const char *readable);
