/* SPDX-License-Identifier: GPL-3.0-or-later */
/* landlock.h - Landlock rulesets on any kernel
 *
 * A ruleset names the rights that are refused wherever no rule grants them. Kernels know different
 * rights (landlock(7), "Landlock ABI versions"); those that the running kernel lacks are left out.
 * The features are probed, never derived from the version of the kernel. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* Rights to files and directories. Headers of the C library may be older than the kernel, so the
 * values of landlock(7) stand here. */
enum {
	LANDLOCK_EXECUTE = 1 << 0,
	LANDLOCK_WRITE = 1 << 1, /* to existing files */
	LANDLOCK_READ_FILE = 1 << 2,
	LANDLOCK_READ = LANDLOCK_READ_FILE | 1 << 3,
	/* to write, create, remove and rename files, directories and sockets */
	LANDLOCK_CHANGE = LANDLOCK_WRITE | 3 << 4 | 7 << 7 | 3 << 13,
	LANDLOCK_ALL = 0xffff,
};

typedef struct {
	int fd; /* -1: the kernel has no Landlock */
	uint64_t refused; /* those of the rights asked for that this kernel knows */
} Landlock;

/* Rights that landlock_new() does not refuse. */
enum {
	LANDLOCK_ABSTRACT_SOCKETS = 1 << 0, /* outside of the confined processes */
	LANDLOCK_CONNECT = 1 << 1, /* TCP connections to anywhere; listening is refused */
};

/* A ruleset that refuses these rights, TCP, and signals and abstract sockets outside of the
 * confined processes. allowed: exceptions of the enum above. landlock_clear() frees it. */
Landlock landlock_new(uint64_t refused, unsigned allowed);
void landlock_clear(Landlock *landlock);
/* Grants rights at a path and below it, as it is at this time: a directory that takes its place
 * later does not have them. A path that cannot be opened is left out. */
void landlock_allow(const Landlock *landlock, const char *path, uint64_t rights);
/* Confines this thread and all that it starts, for good, and frees the ruleset. Needs
 * no_new_privs. */
bool landlock_enter(Landlock *landlock);
