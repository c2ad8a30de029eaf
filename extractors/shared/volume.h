/* SPDX-License-Identifier: GPL-3.0-or-later */
/* volume.h - recognises parts of split archives by their file names
 *
 * "x.part2.rar", "x.r00", "x.z01", "x.7z.001", and parts written by split(1):
 * "x.tar.gz.aa", "x.zip.part1". The first and the last part may have the name of a complete
 * archive. */
#pragma once
#include <stdbool.h>

/* MIME type of a part that is not the first; its content has no signature. */
#define VOLUME_TYPE "application/x-archive-part"

bool volume_is_part(const char *name);
