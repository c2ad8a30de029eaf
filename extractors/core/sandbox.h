/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sandbox.h - what the converting processes may no longer do
 *
 * Two walls, because Landlock alone stops neither chmod nor UDP nor sockets with a path: Landlock
 * with every right handled and no rule but reading a few tables that libraries load late, and
 * seccomp with a list of allowed calls. The parent of the children closes its sandbox after
 * everything is loaded; each child then adds a tighter filter and its limits. How much the kernel
 * gives is found by trying, never by its version. */
#pragma once
#include "common/sandbox/converter.h"
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct Sandbox Sandbox;

/* First thing in main(): closes what was inherited from descriptor first_fd on, own session, no
 * core, not traceable, first to go when memory is short. background: idle priority for CPU and
 * disk. */
void sandbox_harden(int first_fd, bool background);

/* Compiles the filters. Never NULL. */
Sandbox *sandbox_new(void);
void sandbox_free(Sandbox *sandbox);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Sandbox, sandbox_free)

/* Closes the parent's sandbox; no way back. The process must have one thread. */
SandboxLevel sandbox_enter_parent(Sandbox *sandbox);

typedef struct {
	pid_t parent; /* die with it */
	uint64_t memory_bytes; /* address space; 0: not limited */
	uint32_t cpu_s; /* 0: not limited */
	bool threads; /* may be started */
	bool may_write; /* files may grow: for results printed into one */
} SandboxLimits;

/* In a freshly forked child. False: the child must leave with WIRE_EXIT_SANDBOX. */
bool sandbox_enter_child(const Sandbox *sandbox, const SandboxLimits *limits);

/* Tries what must fail, in a forked child in the child's sandbox. False: the sandbox does not hold.
 */
bool sandbox_self_test(const Sandbox *sandbox);
