/* SPDX-License-Identifier: GPL-3.0-or-later */
/* watcher.h - which directories the kernel watches for us, and which are visited by the clock
 *
 * At most a share of the watches that the user may have (fs.inotify.max_user_watches, and the user
 * namespace's limit) is taken. Past that, when the kernel refuses, and on file systems that do not
 * tell all changes, a directory is polled. For want of a watch it is visited once per interval
 * (settable, 60 s), early enough for the visit to end within the interval, as long as that is at
 * most WATCH_LOCAL_VISITS a second. Past that, and on file systems that do not tell all changes,
 * it is visited when that is most worth it (revisit.h): the latter all together as often as 60
 * would be at that interval, one a second. None is visited less often than every 6 h. A polled
 * directory that turns out to change takes the watch of the one that has been quiet longest. No
 * watch is ever dropped for another reason.
 *
 * While there are directories without a watch the limits are read again after five of the shortest
 * intervals, at most WATCH_RETRY_S: as many as there is room for are visited and watched. Engine
 * only. */
#pragma once
#include "daemon/fs/agent.h"
#include "daemon/watch/notify.h"
#include "daemon/watch/dir-tree.h"

enum { WATCH_POLL_MAX_S = 6 * 3600, WATCH_RETRY_S = 300, WATCH_LOCAL_VISITS = 100 };

typedef struct Watcher Watcher;

typedef struct {
	uint64_t used, budget, limit, polled;
} WatchCounts;

/* notify NULL: everything is polled. share_percent: of the user's watches, at most. */
Watcher *watcher_new(Notify *notify, unsigned poll_min_s, unsigned share_percent);
void watcher_set_limits(Watcher *watcher, unsigned poll_min_s, unsigned share_percent);
void watcher_free(Watcher *watcher);

typedef struct {
	int fd; /* the open directory itself, so that no rename can lead the watch elsewhere */
	Agent *agent; /* or NULL */
	bool also_poll; /* its file system does not tell all changes */
} WatcherPlace;

/* Before dir is read: sees to it that later changes are noticed. */
void watcher_cover(
        Watcher *watcher, Tree *tree, Dir *dir, const WatcherPlace *place, int64_t now_us);
/* A visit of dir is over; changed: it found rows that differed. The next one rests nine times as
 * long as this one took: one of a million entries may take longer than the least interval. */
void watcher_visited(Watcher *watcher, Dir *dir, bool changed, int64_t begun_us, int64_t now_us);
/* Something in dir changed. */
void watcher_note_change(Watcher *watcher, Dir *dir, int64_t now_us);
/* dir is about to go. */
void watcher_forget(Watcher *watcher, Dir *dir);

/* What an event's watch stands for. WATCH_STALE: it was given up, its last events may still arrive.
 * WATCH_UNKNOWN: something was missed, look at everything. */
typedef enum { WATCH_DIR, WATCH_STALE, WATCH_UNKNOWN } WatchMeaning;
WatchMeaning watcher_find(Watcher *watcher, int watch, int64_t *node_r);
/* The kernel dropped it (IN_IGNORED): nothing of it can come any more. */
void watcher_dropped(Watcher *watcher, Tree *tree, int watch);

/* Watches a directory that is not in the tree (the one for cookies). -1 with errno. */
int watcher_add_private(Watcher *watcher, const char *path);

/* Marks polled directories whose time has come. busy: node of the one that is just being visited,
 * or 0: it is left alone. */
void watcher_poll(Watcher *watcher, Tree *tree, int64_t busy, int64_t now_us);
/* When the next one is due, INT64_MAX if there is none. */
int64_t watcher_next_poll_us(const Watcher *watcher);
void watcher_counts(const Watcher *watcher, WatchCounts *out);
/* Counts watches and polled directories that came and went. */
uint64_t watcher_version(const Watcher *watcher);
