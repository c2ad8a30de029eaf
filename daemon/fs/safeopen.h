/* SPDX-License-Identifier: GPL-3.0-or-later */
/* safeopen.h - reaching files below a root without being led out of it
 *
 * Other users and hostile archives may put links, mount points, FIFOs and devices anywhere below a
 * watched directory. Nothing here follows a link, a "..", a magic link or a mount point below the
 * root: openat2(2) with RESOLVE_BENEATH, RESOLVE_NO_SYMLINKS, RESOLVE_NO_MAGICLINKS and
 * RESOLVE_NO_XDEV, or, where the kernel lacks it or the path is longer than PATH_MAX, one
 * openat(O_NOFOLLOW) a component with a check of the device. Paths are raw bytes, relative to the
 * root, "" is the root itself. All functions return -1 with errno.
 *
 * agent: makes the calls where the file system may not answer (agent.h): then any of them may fail
 * with ETIMEDOUT. NULL: they are made here. */
#pragma once
#include "daemon/fs/agent.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/vfs.h>

/* The root itself, which the user named: links in its path are followed. O_PATH. */
int safe_open_root(Agent *agent, const char *path);
/* Mount points below the root that may be entered: lengths of the beginnings of the path that name
 * them, ascending, and the device that must be there. */
enum { SAFE_CROSSINGS = 8 };
typedef struct SafeCrossings {
	unsigned n;
	struct {
		size_t length;
		uint32_t device_major, device_minor;
	} at[SAFE_CROSSINGS];
} SafeCrossings;

/* A directory, for reading its entries. crossings: NULL for none. */
int safe_open_dir(Agent *agent, int root_fd, const char *relative, const SafeCrossings *crossings);
/* Whatever is there, as O_PATH: nothing is read or woken. */
int safe_open_path(Agent *agent, int root_fd, const char *relative, const SafeCrossings *crossings);
/* The top of what is mounted at name, which lies on this device: O_PATH. EXDEV if it does not. */
int safe_enter(
        Agent *agent, int dir_fd, const char *name, uint32_t device_major, uint32_t device_minor);
/* Opens for reading what path_fd (O_PATH) stands for. Only for regular files: the caller has
 * checked it by safe_stat_fd. O_NONBLOCK and O_NOCTTY all the same; O_NOATIME where that is
 * allowed. */
int safe_reopen_file(int path_fd);
/* A sealed copy in memory, at offset 0, of a regular file of at most max_bytes: of name in the
 * directory fd, or, name being "", of what fd (O_PATH) stands for. EFBIG: it is larger, EINVAL: no
 * regular file. */
int safe_copy(Agent *agent, int fd, const char *name, uint64_t max_bytes);

/* Facts, without mounting anything. SAFE_CACHED: and without waiting for a server that may be dead:
 * what the kernel knows, which on such a file system may be nothing but the device. SAFE_ASK: what
 * the server says now, for files of a file system that the user wants covered. */
typedef enum { SAFE_CACHED, SAFE_ASK } SafeStat;
int safe_stat(Agent *agent, int dir_fd, const char *name, SafeStat how, struct statx *out);
int safe_stat_fd(Agent *agent, int fd, SafeStat how, struct statx *out);
int safe_statfs(Agent *agent, int fd, struct statfs *out);
/* faccessat(2) with the effective user. flags: AT_SYMLINK_NOFOLLOW or 0. */
bool safe_may(Agent *agent, int dir_fd, const char *name, int mode, int flags);
/* Watches the directory itself, whatever its name is by now. The number of the watch. */
int safe_watch(Agent *agent, int inotify_fd, int dir_fd, uint32_t mask);
/* Is it the top of another mount? */
bool safe_is_mount_point(const struct statx *st);

/* Some of the entries that were not read yet, as getdents64(2) gives them. Bytes; 0: no more. */
ssize_t safe_read_entries(Agent *agent, int dir_fd, void *buffer, size_t room);

/* The entries of a directory, one by one. dir_fd is borrowed. */
typedef struct SafeList SafeList;
SafeList *safe_list_new(Agent *agent, int dir_fd);
void safe_list_free(SafeList *list);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SafeList, safe_list_free)
/* Without "." and ".."; valid until the next call. NULL: no more, errno 0, or an error. */
const char *safe_list_next(SafeList *list);
/* Is there nothing in it? False too if that cannot be told. */
bool safe_is_empty(Agent *agent, int dir_fd);
