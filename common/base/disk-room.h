/* SPDX-License-Identifier: GPL-3.0-or-later */
/* disk-room.h - may this many bytes be written below a directory? */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* Allocates the bytes for a moment, because quotas and lack of inodes do not show in statvfs(). A
 * file system that cannot tell this way counts as having room if statvfs() says so. */
bool disk_has_room(const char *dir, uint64_t bytes);
