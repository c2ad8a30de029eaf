/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/fs/filesystem.h"
#include "daemon/fs/safeopen.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>

#define UUID_DIR "/dev/disk/by-uuid"

/* Magic numbers of statfs(2). by_device: f_fsid is derived from the device number. */
static const struct {
	uint32_t magic;
	const char *type;
	bool remote, by_device;
} known[] = {
        {0xEF53, "ext", false, false},
        {0x9123683E, "btrfs", false, false},
        {0x58465342, "xfs", false, true},
        {0xF2F52010, "f2fs", false, false},
        {0x01021994, "tmpfs", false, false},
        {0x2FC12FC1, "zfs", false, false},
        {0xCA451A4E, "bcachefs", false, false},
        {0x4D44, "fat", false, true},
        {0x2011BAB0, "exfat", false, true},
        {0x7366746E, "ntfs", false, true},
        {0x3153464A, "jfs", false, true},
        {0x794C7630, "overlay", true, false},
        {0x6969, "nfs", true, false},
        {0xFF534D42, "cifs", true, false},
        {0xFE534D42, "smb", true, false},
        {0x65735546, "fuse", true, true},
        {0x01021997, "9p", true, false},
        {0x00C36400, "ceph", true, false},
        {0x5346414F, "afs", true, false},
        {0x0BD00BD0, "lustre", true, false},
        {0x786F4256, "vboxsf", true, false},
};

static char *find_uuid(const struct statx *st)
{
	dev_t wanted = makedev(st->stx_dev_major, st->stx_dev_minor);
	char *found = NULL;
	DIR *stream = opendir(UUID_DIR);
	if (!stream)
		return NULL;
	for (struct dirent *entry; !found && (entry = readdir(stream));) {
		struct stat device;
		if (fstatat(dirfd(stream), entry->d_name, &device, 0) == 0 &&
		        S_ISBLK(device.st_mode) && device.st_rdev == wanted)
			found = g_strdup(entry->d_name);
	}
	closedir(stream);
	return found;
}

bool filesystem_identify(Agent *agent, int fd, const struct statx *st, Filesystem *out)
{
	struct statfs fs;
	uint64_t fsid = 0;
	bool by_device = false;
	if (safe_statfs(agent, fd, &fs) != 0)
		return false;
	*out = (Filesystem){.type = "other"};
	memcpy(&fsid, &fs.f_fsid, MIN(sizeof(fsid), sizeof(fs.f_fsid)));
	for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
		if (known[i].magic != (uint32_t)fs.f_type)
			continue;
		out->type = known[i].type;
		out->remote = known[i].remote;
		by_device = known[i].by_device;
	}
	g_autofree char *uuid = by_device || fsid == 0 ? find_uuid(st) : NULL;
	out->identity = uuid ? g_strdup_printf("%s:%s", out->type, uuid)
	                     : g_strdup_printf("%s:%016" G_GINT64_MODIFIER "x", out->type, fsid);
	return true;
}

void filesystem_clear(Filesystem *filesystem)
{
	g_clear_pointer(&filesystem->identity, g_free);
}
