/* SPDX-License-Identifier: GPL-3.0-or-later */
/* open-file.h - opens a file for conversion: regular files only, without blocking, and without
 * following a link in the last component */
#pragma once
#include "index/read/reader.h"
#include <glib.h>
#include <stdint.h>

/* Opens read-only and close-on-exec. *size_r in bytes. -1 with G_FILE_ERROR. */
int open_regular(const char *path, uint64_t *size_r, GError **error);
/* The root that holds the path, the longest one. NULL: none does. Borrowed. roots: char *, as
 * reader_root_paths() gives them. */
const char *open_root_of(const GPtrArray *roots, const char *path);
/* The same for an entry of the index: below the root that holds it, no component is a symbolic
 * link, and the file has the inode number, size and time of its row. So a directory that was
 * swapped for a link or for another directory leads nowhere. G_FILE_ERROR_AGAIN: the file is
 * another one, or it has changed. roots: as above. */
int open_indexed(const GPtrArray *roots, const Info *info, uint64_t *size_r, GError **error);
