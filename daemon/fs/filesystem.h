/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filesystem.h - identifies the file system of a directory by a name that survives a reboot
 *
 * st_dev numbers change with the order of mounting. ext, btrfs and most others derive f_fsid of
 * statfs(2) from the UUID of the file system. Where f_fsid is derived from the device number (XFS,
 * FAT, exFAT, NTFS), the UUID of the block device is looked up in /dev/disk/by-uuid. Where there is
 * neither (NFS, FUSE), the table of mounts tells what is mounted there. */
#pragma once
#include "daemon/fs/agent.h"
#include <glib.h>
#include <stdbool.h>
#include <sys/stat.h>

typedef struct {
	char *identity; /* for example "ext:0123456789abcdef" */
	char *identity_here; /* the same with the mount point, which tells a disk from its copy;
	                        NULL: the mount point is unknown, or belongs to identity */
	const char *type; /* static string; "other" for a type that is not in the table */
	bool remote; /* changes may raise no event: its directories must be polled */
	bool folds_case; /* it may find a file by a name in other letters, upper or lower case */
	bool by_name; /* inode numbers change with each mount, or earlier: only names tell which
	                 file is which */
} Filesystem;

/* fd: a directory, open, so that its device number stands for it; st: its statx data. Returns false
 * with errno. */
bool filesystem_identify(Agent *agent, int fd, const struct statx *st, Filesystem *out);
void filesystem_clear(Filesystem *filesystem);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Filesystem, filesystem_clear)
