/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/disk-room.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

bool disk_has_room(const char *dir, uint64_t bytes)
{
	struct statvfs fs;
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	int failure = fd < 0 || fallocate(fd, 0, 0, (off_t)bytes) != 0 ? errno : 0;
	if (fd >= 0)
		close(fd);
	if (failure == 0 || failure == ENOSPC || failure == EDQUOT)
		return failure == 0;
	return statvfs(dir, &fs) == 0 && (uint64_t)fs.f_bavail * fs.f_frsize >= bytes;
}
