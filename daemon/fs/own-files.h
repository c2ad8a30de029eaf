/* SPDX-License-Identifier: GPL-3.0-or-later */
/* own-files.h - our own files, which must never be opened by way of the file system
 *
 * Closing any descriptor of a file drops all POSIX locks that the process holds on it (fcntl(2)):
 * reading index.db or index.db-shm like a document would silently take SQLite's locks away ("How To
 * Corrupt An SQLite Database File", 2.2). So our directories are not entered and a file with
 * several names is compared with ours before it is opened, by device and inode. Thread-safe after
 * own_new(). */
#pragma once
#include <stdbool.h>
#include <sys/stat.h>

typedef struct Own Own;

/* dirs: NULL-terminated, must exist by now; those that do not are left out. */
Own *own_new(const char *const *dirs);
void own_free(Own *own);
/* Is it one of our directories? */
bool own_is_dir(const Own *own, const struct statx *st);
/* Is it a file of ours under another name? A single name can only be the one inside our directory.
 */
bool own_is_file(const Own *own, const struct statx *st);
