/* SPDX-License-Identifier: GPL-3.0-or-later */
/* crawl.h - keeping the rows of names equal to the file system
 *
 * One way of working for the first crawl, start-up, events, overflow and polling: an entry is
 * looked at by statx and its row is made to say the same (reconcile.c); a directory is visited by
 * its descriptor, watched before it is read, and each of its entries goes the same way (visit.c).
 * An event is never believed, it only says where to look. So duplicates, reordering and crossed
 * renames do no harm, and what is not looked at by a hint is looked at by a visit.
 *
 * Invariant: a directory that is not dirty has a watch (or a time to be polled) that was in place
 * before its last visit began, and every event read since was reconciled or waits in the queue.
 * Hence with no directory dirty and the queue empty the rows equal the file system.
 *
 * A name that is gone leaves its row behind for ORPHAN_US as an orphan, not found by any search,
 * because the same inode may turn up elsewhere: then one row moves, whatever hangs below it, and
 * nothing is converted. An inode that is replaced at its name is put aside the same way.
 *
 * An ordinary file system that is mounted below a root is walked like the rest (volumes.h). While
 * it is away its rows stay. Engine only. */
#pragma once
#include "common/rules/rules.h"
#include "common/base/mounts.h"
#include "daemon/crawl/rescan-suspicion.h"
#include "daemon/crawl/orphans.h"
#include "daemon/fs/own-files.h"
#include "daemon/crawl/entry-queue.h"
#include "daemon/watch/watcher.h"
#include "daemon/fs/safeopen.h"
#include "index/write/writer.h"
#include <sys/stat.h>

enum { CRAWL_ORPHAN_US = 500 * 1000, CRAWL_MAX_DEPTH = 2048 };

typedef enum {
	ROOT_SCANNING,
	ROOT_WATCHING,
	ROOT_OFFLINE,
	ROOT_DENIED,
	ROOT_STUCK, /* its file system does not answer */
} RootState;

/* What a directory lies on. */
typedef struct {
	int64_t filesystem; /* row */
	uint32_t device_major, device_minor;
	bool remote; /* it does not tell all changes */
} Volume;

typedef struct {
	char *path;
	Dir *dir; /* NULL while it is offline */
	Agent *agent; /* makes all calls; NULL: its file system always answers */
	int fd; /* O_PATH, kept open only while there is work: it would pin the mount */
	Volume volume;
	RootState state;
} Root;

/* A file whose row says that its content is not in the index yet. what: the hints that led here, 0
 * for a visit. */
typedef void (*CrawlContent)(
        const Entry *entry, const Dir *dir, const char *name, unsigned what, void *data);
/* The content of this inode changed, or it went, while somebody may be at work on it. */
typedef void (*CrawlChanged)(int64_t inode, void *data);

typedef struct {
	CrawlContent content;
	CrawlChanged changed;
	void *data;
} CrawlSink;

typedef struct Visit Visit;

typedef struct {
	Writer *writer; /* borrowed; NULL while there is no index */
	const Own *own; /* borrowed */
	const Rules *rules; /* borrowed */
	CrawlSink sink;
	Tree *tree;
	Queue *queue;
	Watcher *watcher;
	GPtrArray *roots; /* Root */
	Mounts *mounts;
	GHashTable *volumes; /* node of a directory with DIR_MOUNT -> Volume */
	bool mounts_changed;
	const gint *stop; /* atomic: not 0 ends all waiting for answers; borrowed */
	bool purged; /* rows of a root went that is no longer configured; for the caller to clear */
	GHashTable *rules_cache; /* node -> RulesDir */
	Orphans *orphans;
	Visit *visit; /* in work, or NULL */
	uint64_t overflows;
	Suspicion *suspicion;
	uint64_t suspicions; /* so often a file may have changed by a name that nobody saw */
	uint64_t resolved_suspicions; /* so many of them are settled by comparing everything */
	uint64_t denials; /* directories that became closed to us, or open again */
	int64_t offline_poll_us; /* next look for roots that are away */
} Crawl;

/* stop: see there. */
Crawl *crawl_new(Notify *notify, const Own *own, const CrawlSink *sink, unsigned poll_min_s,
        unsigned share_percent, const gint *stop);
void crawl_free(Crawl *crawl);

/* The roots and rules from now on. Rows of roots that are no longer there are purged. Everything is
 * dirty afterwards. rules must live until the next call. */
bool crawl_configure(Crawl *crawl, const char *const *roots, const Rules *rules, GError **error);
/* Another index: forgets all that is known in memory. Then configure again. */
void crawl_reset(Crawl *crawl, Writer *writer);
void crawl_mark_all(Crawl *crawl);
/* Is there something that only comparing everything will settle (rescan-suspicion.h)? */
bool crawl_needs_rescan(const Crawl *crawl);
/* Looks at path (absolute), at all below it if it is a directory; at what covers it if it is not
 * known yet. *covered_r: it is at or below a root. */
bool crawl_mark_path(
        Crawl *crawl, const char *path, int64_t now_us, bool *covered_r, GError **error);

/* The row of path: 1 found, 0 not there, -1 error. */
int crawl_find(Crawl *crawl, const char *path, Entry *out, GError **error);

/* Events to queue entries. */
void crawl_take_hints(Crawl *crawl, const HintBatch *batch, int64_t now_us);
/* Reconciles due entries of the queue, at most max. *n_r counts them. */
bool crawl_entries(Crawl *crawl, unsigned max, int64_t now_us, unsigned *n_r, GError **error);
/* A slice of visiting dirty directories, about max entries. *more_r: there is more to visit. */
bool crawl_visit(Crawl *crawl, unsigned max, int64_t now_us, bool *more_r, GError **error);
/* Removes orphans of before `before_us`, a few thousand of them. */
bool crawl_purge_orphans(Crawl *crawl, int64_t before_us, GError **error);
/* Looks for roots that are away and marks polled directories, if it is time. */
bool crawl_poll(Crawl *crawl, int64_t now_us, GError **error);
/* When to do so next; INT64_MAX: never. */
int64_t crawl_next_poll_us(const Crawl *crawl);
/* Nothing dirty, nothing due. */
bool crawl_is_clean(const Crawl *crawl, int64_t now_us);
/* Oldest orphan's time; INT64_MAX: there is none. */
int64_t crawl_oldest_orphan_us(const Crawl *crawl);
/* Visits all directories that have no watch now, and looks for roots that are away. */
void crawl_mark_polled(Crawl *crawl);
/* Gives back what is only needed while working. */
void crawl_rest(Crawl *crawl);

/* Root path and path below it of a node, both yours, and the mounts on the way; both NULL if it
 * lies in no root that is there. */
bool crawl_locate(Crawl *crawl, int64_t node, char **root_r, char **relative_r,
        SafeCrossings *crossings_r, GError **error);
/* Lies the root on a file system that may not answer? */
bool crawl_is_remote(const Crawl *crawl, const char *root);
/* Something was mounted or unmounted. */
void crawl_note_mounts(Crawl *crawl);
