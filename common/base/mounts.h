/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mounts.h - the table of mounts: what lies behind a device number
 *
 * Read from /proc/self/mountinfo (proc_pid_mountinfo(5)), never by asking the file system itself: a
 * dead server would not answer. Paths are raw bytes. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum {
	MOUNT_UNKNOWN, /* not in the table */
	MOUNT_ORDINARY, /* its files are kept here */
	MOUNT_NETWORK, /* or behind a program: it may not answer, and tells no changes */
	MOUNT_PSEUDO, /* it holds no files of anybody */
	MOUNT_AUTO, /* something is mounted when somebody looks, which may take for ever */
} MountKind;

typedef struct Mounts Mounts;

/* file: NULL for that of this process. */
Mounts *mounts_new(const char *file);
void mounts_free(Mounts *mounts);

/* Reads the table again and calls f for each path where something was mounted or unmounted since
 * the last time; at first for none. */
typedef void (*MountsFunc)(const char *path, void *data);
void mounts_read(Mounts *mounts, MountsFunc f, void *data);

/* Of the file system that holds the path, or of the first on the way there that may not answer.
 * Links are followed as far as that is asked of no such file system. */
MountKind mounts_kind_of_path(const Mounts *mounts, const char *path);
/* NETWORK or AUTO: to look at it may take for ever. */
bool mounts_may_hang(const Mounts *mounts, const char *path);
/* Of the file system on this device. */
MountKind mounts_kind(const Mounts *mounts, uint32_t major, uint32_t minor);
