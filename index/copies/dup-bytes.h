/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dup-bytes.h - compares files byte by byte before they are called equal
 *
 * The index says which files are equal by its checksum. An index that an older program made may be
 * wrong about files that were made for that, and a file may have changed since without a trace in
 * its times. Only regular files are opened, and the last component of a path may not be a symbolic
 * link. */
#pragma once
#include <glib.h>
#include <stdbool.h>

/* Puts paths (char *) with the same bytes into one class. Every file is compared with one file of
 * each class. Returns the classes, GPtrArrays of indexes of paths (GUINT_TO_POINTER), in the order
 * of their first members; the caller owns them. Files that cannot be read are in no class. */
GPtrArray *dup_bytes_classes(const GPtrArray *paths);
