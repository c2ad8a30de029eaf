/* SPDX-License-Identifier: GPL-3.0-or-later */
/* volume.h - names of files that are parts of a split archive
 *
 * "x.part2.rar", "x.r00", "x.z01", "x.a01", "x.7z.001", and what split makes of an archive:
 * "x.tar.gz.aa", "x.zip.part1". The first and the last part may have a name like any other archive.
 */
#pragma once
#include <stdbool.h>

/* The type of one that does not begin the archive; nothing in it tells what it is. */
#define VOLUME_TYPE "application/x-archive-part"

bool volume_is_part(const char *name);
