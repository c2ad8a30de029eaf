/* SPDX-License-Identifier: GPL-3.0-or-later */
/* safeopen.h - reaching files below a root without being led out of it
 *
 * Other users and hostile archives may put links, mount points, FIFOs and devices anywhere below a
 * watched directory. No function here follows a link, a "..", a magic link or a mount point below
 * the root. They use openat2(2) with RESOLVE_BENEATH, RESOLVE_NO_SYMLINKS, RESOLVE_NO_MAGICLINKS
 * and RESOLVE_NO_XDEV; where the kernel lacks it, or the path is longer than PATH_MAX, they open
 * one component at a time with openat(O_NOFOLLOW) and check the device. Paths are raw bytes
 * relative to the root; "" is the root itself. All functions return -1 with errno on error.
 *
 * agent: makes the calls where the file system may hang (agent.h); any of them may then fail with
 * ETIMEDOUT. NULL: the calls are made directly. */
#pragma once
#include "daemon/fs/agent.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/vfs.h>

/* Opens the root itself as O_PATH. The user named it, so links in its path are followed. */
int safe_open_root(Agent *agent, const char *path);
/* Mount points below the root that may be entered: for each, the length of the leading part of the
 * path that names it, ascending, and the device that must be found there. */
enum { SAFE_CROSSINGS = 8 };
typedef struct SafeCrossings {
	unsigned n;
	struct {
		size_t length;
		uint32_t device_major, device_minor;
	} at[SAFE_CROSSINGS];
} SafeCrossings;

/* Opens a directory for reading its entries. crossings: may be NULL. */
int safe_open_dir(Agent *agent, int root_fd, const char *relative, const SafeCrossings *crossings);
/* Opens whatever is there as O_PATH, which neither reads nor wakes anything. */
int safe_open_path(Agent *agent, int root_fd, const char *relative, const SafeCrossings *crossings);
/* Opens the top of the file system mounted at name as O_PATH. EXDEV: it is not on this device. */
int safe_enter(
        Agent *agent, int dir_fd, const char *name, uint32_t device_major, uint32_t device_minor);
/* Opens the file of path_fd (O_PATH) for reading. The caller has checked with safe_stat_fd that it
 * is a regular file. It is opened with O_NONBLOCK and O_NOCTTY all the same, and with O_NOATIME
 * where that is allowed. */
int safe_reopen_file(int path_fd);
/* Returns a sealed copy in memory, at offset 0, of a regular file of at most max_bytes: the file
 * name in the directory fd, or, if name is "", the one that fd (O_PATH) stands for. EFBIG: it is
 * larger. EINVAL: it is not a regular file. */
int safe_copy(Agent *agent, int fd, const char *name, uint64_t max_bytes);
/* Returns a sealed copy of up to length bytes of the regular file of path_fd, at their place: there
 * is a hole before offset, and the copy ends with the file or after the part. */
int safe_copy_part(Agent *agent, int path_fd, uint64_t offset, uint64_t length);
/* Writes all bytes to a copy in memory, through interruptions by signals. */
bool safe_write_all(int fd, const char *bytes, size_t length);
/* Up to this size a file is read into such a copy; a larger one is read in place. */
enum { SAFE_COPY_BYTES = 32 << 20 };

/* Reads the statx data without triggering a mount. SAFE_CACHED does not wait for a server either:
 * it returns what the kernel has cached, which may be nothing but the device. SAFE_ASK asks the
 * server, for files on a file system that the user wants covered. */
typedef enum { SAFE_CACHED, SAFE_ASK } SafeStat;
int safe_stat(Agent *agent, int dir_fd, const char *name, SafeStat how, struct statx *out);
int safe_stat_fd(Agent *agent, int fd, SafeStat how, struct statx *out);
int safe_statfs(Agent *agent, int fd, struct statfs *out);
/* faccessat(2) for the effective user. flags: AT_SYMLINK_NOFOLLOW or 0. */
bool safe_may(Agent *agent, int dir_fd, const char *name, int mode, int flags);
/* Watches the directory itself, whatever its name is by now. Returns the watch descriptor. */
int safe_watch(Agent *agent, int inotify_fd, int dir_fd, uint32_t mask);
/* True if it is the top of another mount. */
bool safe_is_mount_point(const struct statx *st);
/* True if it lies on another file system than its directory. same_device: both have one device
 * number. A file of an overlay has that of its layer, so the number decides only for directories,
 * and where the kernel does not tell mount points. */
bool safe_is_elsewhere(const struct statx *st, bool same_device);

/* Reads the next entries in the format of getdents64(2). Returns their bytes; 0 at the end. */
ssize_t safe_read_entries(Agent *agent, int dir_fd, void *buffer, size_t room);

/* Iterates over the entries of a directory, in the order of strcmp() among those that are read at a
 * time (some 1,000): rows of the index that are added in this order are read again in it, which
 * takes two thirds of the time. dir_fd is borrowed. */
typedef struct SafeList SafeList;
SafeList *safe_list_new(Agent *agent, int dir_fd);
void safe_list_free(SafeList *list);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SafeList, safe_list_free)
/* Returns the next name, without "." and "..", valid until the next call. NULL: at the end with
 * errno 0, or an error. */
const char *safe_list_next(SafeList *list);
/* Reads ahead as far as there is room. False if the directory certainly has no entry of this name,
 * in capitals or not. */
bool safe_list_may_have(SafeList *list, const char *name);
/* True if the directory is empty; false also if that is unknown. */
bool safe_is_empty(Agent *agent, int dir_fd);
