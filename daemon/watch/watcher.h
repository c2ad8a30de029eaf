/* SPDX-License-Identifier: GPL-3.0-or-later */
/* watcher.h - which directories inotify watches, and which are polled
 *
 * The watcher uses at most a share of the watches that the user may have
 * (fs.inotify.max_user_watches, and the limit of the user namespace). Beyond that, when the kernel
 * refuses, and on file systems that do not report all changes, a directory is polled.
 *
 * A directory that only lacks a watch is visited once per interval (configurable, 60 s), early
 * enough for the visit to end within the interval, as long as this makes at most WATCH_LOCAL_VISITS
 * visits a second. Beyond that rate, and on file systems that do not report all changes, revisit.h
 * decides where a visit gains most; the latter share the visits that 60 directories would get at
 * that interval. Every polled directory is visited at least every 6 h. A polled directory that
 * turns out to change takes the watch of the one that has been quiet longest. No watch is removed
 * for another reason.
 *
 * While directories lack a watch, the limits are read again after five of the shortest intervals,
 * at most WATCH_RETRY_S: as many directories as there is room for are visited and watched. Only the
 * engine uses it. */
#pragma once
#include "daemon/fs/agent.h"
#include "daemon/watch/notify.h"
#include "daemon/watch/dir-tree.h"

enum { WATCH_POLL_MAX_S = 6 * 3600, WATCH_RETRY_S = 300, WATCH_LOCAL_VISITS = 100 };

typedef struct Watcher Watcher;

typedef struct {
	uint64_t used, budget, limit, polled;
} WatchCounts;

/* notify: NULL if everything is polled. share_percent: the largest share of the user's watches. */
Watcher *watcher_new(Notify *notify, unsigned poll_min_s, unsigned share_percent);
void watcher_set_limits(Watcher *watcher, unsigned poll_min_s, unsigned share_percent);
void watcher_free(Watcher *watcher);

typedef struct {
	int fd; /* the open directory itself, so that no rename can redirect the watch */
	Agent *agent; /* NULL for a local file system */
	bool also_poll; /* its file system does not report all changes */
} WatcherPlace;

/* Makes sure that changes after this call are noticed. Called before dir is read. */
void watcher_cover(
        Watcher *watcher, Tree *tree, Dir *dir, const WatcherPlace *place, int64_t now_us);
/* A visit of dir is over; changed: it found rows that differed. The pause before the next visit is
 * at least nine times as long as this visit: one of a million entries may take longer than the
 * shortest interval. */
void watcher_visited(Watcher *watcher, Dir *dir, bool changed, int64_t started_us, int64_t now_us);
/* Notes that an entry of dir changed. */
void watcher_note_change(Dir *dir, int64_t now_us);
/* dir is about to be freed. */
void watcher_forget(Watcher *watcher, Dir *dir);

/* Tells what the watch of an event means. WATCH_STALE: the watch was removed, its last events may
 * still arrive. WATCH_UNKNOWN: events were missed, everything must be compared. */
typedef enum { WATCH_DIR, WATCH_STALE, WATCH_UNKNOWN } WatchMeaning;
WatchMeaning watcher_find(Watcher *watcher, int watch, int64_t *node_r);
/* The kernel removed the watch (IN_IGNORED): no further event of it can come. */
void watcher_dropped(Watcher *watcher, Tree *tree, int watch);

/* Watches a directory that is not in the tree (the one for cookies). Returns -1 with errno on
 * error. */
int watcher_add_private(Watcher *watcher, const char *path);

/* Marks the polled directories that are due. busy: node of the directory that is being visited,
 * which is left alone; 0: none. */
void watcher_poll(Watcher *watcher, Tree *tree, int64_t busy, int64_t now_us);
/* When the next directory is due; INT64_MAX: never. */
int64_t watcher_next_poll_us(const Watcher *watcher);
void watcher_counts(const Watcher *watcher, WatchCounts *out);
/* Grows when a directory becomes watched or polled or stops being so. */
uint64_t watcher_version(const Watcher *watcher);
