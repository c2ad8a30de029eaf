/* SPDX-License-Identifier: GPL-3.0-or-later */
/* safeopen.h - reaching files below a root without being led out of it
 *
 * Other users and hostile archives may put links, mount points, FIFOs and devices anywhere below a
 * watched directory. Nothing here follows a link, a "..", a magic link or a mount point below the
 * root: openat2(2) with RESOLVE_BENEATH, RESOLVE_NO_SYMLINKS, RESOLVE_NO_MAGICLINKS and
 * RESOLVE_NO_XDEV, or, where the kernel lacks it or the path is longer than PATH_MAX, one
 * openat(O_NOFOLLOW) a component with a check of the device. Paths are raw bytes, relative to the
 * root, "" is the root itself. All functions return -1 with errno. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* The root itself, which the user named: links in its path are followed. O_PATH. */
int safe_open_root(const char *path);
/* Mount points below the root that may be entered: lengths of the beginnings of the path that name
 * them, ascending, and the device that must be there. */
enum { SAFE_CROSSINGS = 8 };
typedef struct {
	unsigned n;
	struct {
		size_t length;
		uint32_t device_major, device_minor;
	} at[SAFE_CROSSINGS];
} SafeCrossings;

/* A directory, for reading its entries. crossings: NULL for none. */
int safe_open_dir(int root_fd, const char *relative, const SafeCrossings *crossings);
/* Whatever is there, as O_PATH: nothing is read or woken. */
int safe_open_path(int root_fd, const char *relative, const SafeCrossings *crossings);
/* The top of what is mounted at name, which lies on this device: O_PATH. EXDEV if it does not. */
int safe_enter(int dir_fd, const char *name, uint32_t device_major, uint32_t device_minor);
/* Opens for reading what path_fd (O_PATH) stands for. Only for regular files: the caller has
 * checked it by safe_stat_fd. O_NONBLOCK and O_NOCTTY all the same; O_NOATIME where that is
 * allowed. */
int safe_reopen_file(int path_fd);

/* Facts, without mounting anything. SAFE_CACHED: and without waiting for a server that may be dead:
 * what the kernel knows, which on such a file system may be nothing but the device. SAFE_ASK: what
 * the server says now, for files of a file system that the user wants covered. */
typedef enum { SAFE_CACHED, SAFE_ASK } SafeStat;
int safe_stat(int dir_fd, const char *name, SafeStat how, struct statx *out);
int safe_stat_fd(int fd, SafeStat how, struct statx *out);
/* Is it the top of another mount? */
bool safe_is_mount_point(const struct statx *st);
