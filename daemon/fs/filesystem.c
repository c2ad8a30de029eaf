/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/autofd.h"
#include "common/base/mounts.h"
#include "daemon/fs/filesystem.h"
#include "daemon/fs/safeopen.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define UUID_DIR "/dev/disk/by-uuid"

/* Magic numbers of statfs(2). */
typedef struct {
	uint32_t magic;
	const char *type;
	bool remote;
	bool by_device; /* f_fsid is derived from the device number */
	bool folds_case; /* it may take letters of upper and lower case for each other */
	bool by_name; /* the kernel numbers an inode when it reads it */
} FilesystemType;

enum { FUSE_MAGIC = 0x65735546 };

static const FilesystemType known[] = {
        {0xEF53, "ext", false, false},
        {0x9123683E, "btrfs", false, false},
        {0x58465342, "xfs", false, true},
        {0xF2F52010, "f2fs", false, false},
        {0x01021994, "tmpfs", false, false},
        {0x2FC12FC1, "zfs", false, false},
        {0xCA451A4E, "bcachefs", false, false},
        {0x4D44, "fat", false, true, true, true},
        {0x2011BAB0, "exfat", false, true, true, true},
        {0x7366746E, "ntfs", false, true, true},
        {0x3153464A, "jfs", false, true},
        {0x794C7630, "overlay", true, false},
        {0x6969, "nfs", true, false},
        {0xFF534D42, "cifs", true, false, true},
        {0xFE534D42, "smb", true, false, true},
        {FUSE_MAGIC, "fuse", true, true, true},
        {0x01021997, "9p", true, false, true},
        {0x00C36400, "ceph", true, false},
        {0x5346414F, "afs", true, false},
        {0x0BD00BD0, "lustre", true, false},
        {0x786F4256, "vboxsf", true, false, true, true},
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

static const FilesystemType *filesystem_type_of(const struct statfs *fs)
{
	static const FilesystemType other = {0, "other", false, false, true};
	for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
		if (known[i].magic == (uint32_t)fs->f_type)
			return &known[i];
	return &other;
}

/* A program behind FUSE gives the numbers itself (NTFS-3G, mergerfs), or leaves them to libfuse,
 * which counts the files that are asked for, from 1 for the top (FUSE_ROOT_ID). */
static bool counts_inodes(Agent *agent, const MountOrigin *origin, const struct statx *st)
{
	enum { FUSE_TOP = 1 };
	struct statx top;
	autofd fd = origin ? safe_open_root(agent, origin->point) : -1;
	bool found = fd >= 0 && safe_stat_fd(agent, fd, SAFE_ASK, &top) == 0 &&
	             top.stx_dev_major == st->stx_dev_major &&
	             top.stx_dev_minor == st->stx_dev_minor;
	return !found || top.stx_ino == FUSE_TOP;
}

static char *add_point(const char *identity, const MountOrigin *origin)
{
	g_autofree char *point = g_strescape(origin->point, NULL);
	return g_strdup_printf("%s on %s", identity, point);
}

/* What a program behind FUSE calls its source may be the same for all that it mounts. */
static char *name_origin(const FilesystemType *type, const MountOrigin *origin)
{
	g_autofree char *source = g_strescape(origin->source, NULL);
	g_autofree char *identity = g_strdup_printf("%s:%s", type->type, source);
	return type->magic == FUSE_MAGIC ? add_point(identity, origin) : g_steal_pointer(&identity);
}

bool filesystem_identify(Agent *agent, int fd, const struct statx *st, Filesystem *out)
{
	struct statfs fs;
	uint64_t fsid = 0;
	if (safe_statfs(agent, fd, &fs) != 0)
		return false;
	memcpy(&fsid, &fs.f_fsid, MIN(sizeof(fsid), sizeof(fs.f_fsid)));
	const FilesystemType *type = filesystem_type_of(&fs);
	*out = (Filesystem){.type = type->type,
	        .remote = type->remote,
	        .folds_case = type->folds_case,
	        .by_name = type->by_name};
	g_autofree char *uuid = type->by_device || fsid == 0 ? find_uuid(st) : NULL;
	g_autoptr(Mounts) mounts = mounts_new(NULL);
	mounts_read(mounts, NULL, NULL);
	const MountOrigin *origin = mounts_origin(mounts, st->stx_dev_major, st->stx_dev_minor);
	bool named = !uuid && fsid == 0 && origin;
	out->by_name |= type->magic == FUSE_MAGIC && counts_inodes(agent, origin, st);
	if (uuid)
		out->identity = g_strdup_printf("%s:%s", type->type, uuid);
	else if (named)
		out->identity = name_origin(type, origin);
	else
		out->identity = g_strdup_printf("%s:%016" G_GINT64_MODIFIER "x", type->type, fsid);
	if (origin && !(named && type->magic == FUSE_MAGIC))
		out->identity_here = add_point(out->identity, origin);
	return true;
}

void filesystem_clear(Filesystem *filesystem)
{
	g_clear_pointer(&filesystem->identity, g_free);
	g_clear_pointer(&filesystem->identity_here, g_free);
}
