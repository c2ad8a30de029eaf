/* SPDX-License-Identifier: GPL-3.0-or-later */
/* own-files.h - the index's own files, which must never be opened like documents
 *
 * Closing any descriptor of a file drops all POSIX locks that the process holds on it (fcntl(2)):
 * reading index.db or index.db-shm like a document would silently drop SQLite's locks ("How To
 * Corrupt An SQLite Database File", 2.2). Therefore the daemon's own directories are not entered,
 * and a file with several names is compared with the own files, by device and inode, before it is
 * opened. Thread-safe once own_new() has returned. */
#pragma once
#include <stdbool.h>
#include <sys/stat.h>

typedef struct Own Own;

/* dirs: NULL-terminated; a directory that does not exist at this time is ignored. */
Own *own_new(const char *const *dirs);
void own_free(Own *own);
/* True if it is one of the own directories. */
bool own_is_dir(const Own *own, const struct statx *st);
/* True if it is an own file under another name. A file with a single name can only be the one
 * inside an own directory, which is not entered. */
bool own_is_file(const Own *own, const struct statx *st);
