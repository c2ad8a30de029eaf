/* SPDX-License-Identifier: GPL-3.0-or-later */
/* watched-paths.h - what matched a watched query when it was last asked
 *
 * Each watched query has a file below the index, watches/NAME (mode 0600), where NAME is the
 * SHA-256 of its text: the paths, each ended by NUL. So "tarsier watch" tells after a restart what
 * changed meanwhile, and nothing twice. */
#pragma once
#include <glib.h>
#include <stdbool.h>

typedef struct WatchedPaths WatchedPaths;

/* Reads what was written last, and locks it until watched_paths_free(). G_FILE_ERROR_AGAIN: another
 * process watches this query. The directory of the index must exist. NULL with error. */
WatchedPaths *watched_paths_open(const char *index_dir, const char *query, GError **error);
void watched_paths_free(WatchedPaths *watched);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WatchedPaths, watched_paths_free)

/* True until the first watched_paths_write() ever. */
bool watched_paths_is_new(const WatchedPaths *watched);
bool watched_paths_has(const WatchedPaths *watched, const char *path);
/* Those that are not in the set of paths, sorted. The caller unrefs the array; the strings are
 * borrowed until the next change. */
GPtrArray *watched_paths_without(const WatchedPaths *watched, GHashTable *set);
void watched_paths_add(WatchedPaths *watched, const char *path);
void watched_paths_remove(WatchedPaths *watched, const char *path);
/* Writes them in one step: a crash leaves the old or the new ones. */
bool watched_paths_write(WatchedPaths *watched, GError **error);
