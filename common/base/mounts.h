/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mounts.h - the mount table: what lies behind a device number
 *
 * The table is read from /proc/self/mountinfo (proc_pid_mountinfo(5)). The file system itself is
 * never asked, because a dead server would not answer. Paths are raw bytes. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum {
	MOUNT_UNKNOWN, /* not in the mount table */
	MOUNT_ORDINARY, /* a local file system */
	MOUNT_NETWORK, /* network or FUSE file system: it may not answer, and it reports no changes
	                */
	MOUNT_PSEUDO, /* holds no user files */
	MOUNT_AUTO, /* autofs: an access mounts something, which may block for ever */
} MountKind;

typedef struct Mounts Mounts;

/* file: the mount table to read; NULL for the table of this process. */
Mounts *mounts_new(const char *file);
void mounts_free(Mounts *mounts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Mounts, mounts_free)

/* Reads the table again and calls f for each path where something was mounted or unmounted since
 * the last call. The first call reports nothing. */
typedef void (*MountsFunc)(const char *path, void *data);
void mounts_read(Mounts *mounts, MountsFunc f, void *data);

/* The kind of the file system that holds the path, or of the first one on the way there that may
 * not answer. Symbolic links are followed as long as that touches no such file system. */
MountKind mounts_kind_of_path(const Mounts *mounts, const char *path);
/* A path on the first file system on the way to this path where an access may block for ever
 * (NETWORK or AUTO): its mount point, unless it is the root. NULL: there is none. Free it. */
char *mounts_doubtful_point(const Mounts *mounts, const char *path);
/* Is there one? */
bool mounts_may_hang(const Mounts *mounts, const char *path);
/* The same for any of these paths (NULL-terminated), by the table as it is now. */
bool mounts_any_may_hang(const char *const *paths);
/* Where the file system of a device is mounted as a whole, or else the first part of it. */
typedef struct {
	char *point; /* raw bytes */
	char *source; /* as the program that mounts it tells it, with the escapes of the table: a
	                 device, "server:/export", or any word */
} MountOrigin;
/* Returns NULL if the device is not in the table. Valid until mounts_read(). */
const MountOrigin *mounts_origin(const Mounts *mounts, uint32_t major, uint32_t minor);
/* The kind of the file system on this device. */
MountKind mounts_kind(const Mounts *mounts, uint32_t major, uint32_t minor);
