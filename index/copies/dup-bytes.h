/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dup-bytes.h - compares files byte by byte before they are called equal
 *
 * The index says which files are equal by its checksum. An index that an older program made may be
 * wrong about files that were made for that, and a file may have changed since without a trace in
 * its times. Only regular files are opened, and the last component of a path may not be a symbolic
 * link. The bytes of a page are those that are kept in the store of its source. */
#pragma once
#include "index/read/reader.h"
#include <glib.h>
#include <stdbool.h>

/* Puts paths (char *) with the same bytes into one class. Every file is compared with one file of
 * each class, until one differs from it or both end. Returns the classes, GPtrArrays of indexes of
 * paths (GUINT_TO_POINTER), in the order in which their first members were found; the caller owns
 * them. Files that cannot be read are in no class, nor is a first member that is no longer readable
 * when the next file is compared with it. This may take minutes: end a read transaction first. r:
 * NULL if there are no pages. */
GPtrArray *dup_bytes_classes(Reader *r, const GPtrArray *paths);
