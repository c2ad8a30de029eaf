/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sandbox.h - confines the processes that convert
 *
 * Two mechanisms, because Landlock alone stops neither chmod nor UDP nor sockets with a path.
 * Landlock handles every right and has no rule but for reading tables that libraries load late.
 * Seccomp allows a list of calls. The parent enters its sandbox after everything is loaded; each
 * child then adds a stricter filter and its limits. The kernel's features are probed, never derived
 * from its version. */
#pragma once
#include "common/sandbox/converter.h"
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct Sandbox Sandbox;

/* Call it first in main(): closes inherited descriptors from first_fd on, starts a session,
 * disables core dumps and tracing, and makes the process the OOM killer's first choice. background:
 * idle priority for CPU and disk. */
void sandbox_harden(int first_fd, bool background);

/* Prepares the Landlock rules. readable: directories whose files may be read, NULL-terminated; if
 * there are none, nothing can be opened. Never NULL. */
Sandbox *sandbox_new(const char *const *readable);
void sandbox_free(Sandbox *sandbox);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Sandbox, sandbox_free)

/* Confines the parent for good and compiles the filters. The process must have one thread. Returns
 * the level that the kernel provides. */
SandboxLevel sandbox_enter_parent(Sandbox *sandbox);

typedef struct {
	pid_t parent; /* the child is killed when this process ends */
	uint64_t memory_bytes; /* limit of the address space; 0: none */
	uint32_t cpu_s; /* limit of CPU seconds; 0: none */
	bool may_write; /* files may grow: standard output may be a file */
} SandboxLimits;

/* Confines a child that was just forked. False: the child must exit with WIRE_EXIT_SANDBOX. */
bool sandbox_enter_child(const Sandbox *sandbox, const SandboxLimits *limits);

/* Tries forbidden operations in a forked child. False: the sandbox failed to refuse one. */
bool sandbox_self_test(const Sandbox *sandbox);
