/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filesystem.h - which file system a directory lies on, by a name that survives a reboot
 *
 * st_dev numbers change with the order of mounting. ext, btrfs and most others derive statfs'
 * f_fsid from the UUID of the file system; where f_fsid is made from the device number (XFS, FAT,
 * exFAT, NTFS) the UUID of the block device is looked up in /dev/disk/by-uuid. */
#pragma once
#include "daemon/fs/agent.h"
#include <glib.h>
#include <stdbool.h>
#include <sys/stat.h>

typedef struct {
	char *identity; /* "ext:0123456789abcdef" */
	const char *type; /* static; "other" for one not in the table */
	bool remote; /* changes may come without an event: revisit it */
} Filesystem;

/* fd: a directory; st: its facts. False with errno. */
bool filesystem_identify(Agent *agent, int fd, const struct statx *st, Filesystem *out);
void filesystem_clear(Filesystem *filesystem);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Filesystem, filesystem_clear)
