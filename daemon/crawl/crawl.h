/* SPDX-License-Identifier: GPL-3.0-or-later */
/* crawl.h - keeps the rows of names equal to the file system
 *
 * The first crawl, start-up, events, overflow and polling all work in one way. An entry is looked
 * at with statx, and its row is made to say the same (reconcile.c). A directory is visited by its
 * descriptor: it is watched before it is read, and each of its entries is reconciled (visit.c). An
 * event is never believed; it only says where to look. Duplicates, reordering and crossed renames
 * therefore do no harm, and a visit finds what no hint led to.
 *
 * Invariant: a directory that is not dirty has a watch (or a time at which it is polled) that was
 * in place before its last visit began, and every event read since was reconciled or waits in the
 * queue. Hence, when no directory is dirty and the queue is empty, the rows equal the file system.
 *
 * The row of a name that is gone stays for CRAWL_ORPHAN_US as an orphan, which no search finds,
 * because the same inode may turn up elsewhere. Then one row moves, with everything below it, and
 * nothing is converted. An inode that is replaced at its name is kept in the same way. A directory
 * that a rule excludes, or that is no root any more, becomes an orphan that nothing waits for.
 *
 * An ordinary file system that is mounted below a root is walked like the rest (volumes.h); its
 * rows stay while it is unmounted. Only the engine uses the crawl. */
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

/* The file system that a directory lies on. */
typedef struct {
	int64_t filesystem; /* its row in the index */
	uint32_t device_major, device_minor;
	bool remote; /* it does not report all changes */
	bool folds_case; /* a name may find an entry that has it in other letters */
	bool by_name; /* an entry is known by its name, not by its inode number, which changes */
	bool renumbered; /* the index has it with other inode numbers: it was copied, as by a
	                    restore to a new disk */
} Volume;

typedef struct {
	char *path;
	Dir *dir; /* NULL while it is offline */
	Agent *agent; /* makes all calls; NULL: the file system always answers, and may be read */
	int fd; /* O_PATH, open only while there is work, because it would keep the file system from
	           being unmounted */
	Volume volume;
	RootState state;
	bool missed; /* it was away since it was visited last */
} Root;

/* Called for a file whose content is not in the index yet, according to its row. what: the hints
 * that led here; 0 for a visit. */
typedef void (*CrawlContent)(
        const Entry *entry, const Dir *dir, const char *name, unsigned what, void *data);
/* Called when the content of the inode changed, or the inode disappeared, while a job may be
 * working on it. */
typedef void (*CrawlChanged)(int64_t inode, void *data);

/* Called when a root that was away is there again and was visited. */
typedef void (*CrawlReturned)(void *data);

typedef struct {
	CrawlContent content;
	CrawlChanged changed;
	CrawlReturned returned;
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
	GPtrArray *roots; /* of Root */
	Mounts *mounts;
	GHashTable *volumes; /* node of a directory with DIR_MOUNT -> Volume */
	bool mounts_changed;
	const gint *stop; /* atomic: a value other than 0 ends all waiting for answers; borrowed */
	bool purged; /* rows of a root that is no longer configured are removed; the caller clears
	                it */
	GHashTable *rules_cache; /* node -> RulesDir */
	GHashTable *hot; /* set of nodes (hot-dirs.h); NULL: none */
	Orphans *orphans;
	Visit *visit; /* the visit in progress, or NULL */
	uint64_t overflows;
	Suspicion *suspicion;
	uint64_t suspicions; /* how often a file may have been changed by a name that was never
	                        seen */
	uint64_t resolved_suspicions; /* how many of these were resolved by comparing everything */
	uint64_t denials; /* how many directories became denied or readable again */
	int64_t offline_poll_us; /* when missing roots are looked for next */
} Crawl;

/* stop: see struct Crawl. */
Crawl *crawl_new(Notify *notify, const Own *own, const CrawlSink *sink, unsigned poll_min_s,
        unsigned share_percent, const gint *stop);
void crawl_free(Crawl *crawl);

/* Sets the roots and rules. Rows of roots that are not among them are removed by the next calls
 * of crawl_visit(), and everything is dirty afterwards. rules must live until the next call. look:
 * false: no root is looked at, and nothing is dirty. */
bool crawl_configure(
        Crawl *crawl, const char *const *roots, const Rules *rules, bool look, GError **error);
/* Switches to another index: forgets everything kept in memory. Call crawl_configure() next. */
void crawl_reset(Crawl *crawl, Writer *writer);
void crawl_mark_all(Crawl *crawl);
/* True if only comparing everything can resolve a suspicion (rescan-suspicion.h). */
bool crawl_needs_rescan(const Crawl *crawl);
/* Marks path (absolute) to be looked at, with everything below it if it is a directory; if it is
 * not known yet, the nearest covered directory above it. *covered_r: it is at or below a root. */
bool crawl_mark_path(
        Crawl *crawl, const char *path, int64_t now_us, bool *covered_r, GError **error);

/* Finds the row of path. 1: found, 0: not there, -1: error. */
int crawl_find(Crawl *crawl, const char *path, Entry *out, GError **error);

/* Turns a batch of events into queue entries. */
void crawl_take_hints(Crawl *crawl, const HintBatch *batch, int64_t now_us);
/* Reconciles at most max due entries of the queue. *n_r: how many were reconciled. */
bool crawl_entries(Crawl *crawl, unsigned max, int64_t now_us, unsigned *n_r, GError **error);
/* Visits dirty directories, then removes the rows of directories that are not covered any more: for
 * about max entries. *more_r: there is more to do. */
bool crawl_visit(Crawl *crawl, unsigned max, int64_t now_us, bool *more_r, GError **error);
/* Removes orphans older than before_us, with what is below them: about max entries. */
bool crawl_purge_orphans(Crawl *crawl, unsigned max, int64_t before_us, GError **error);
/* If it is time, looks for missing roots and marks the polled directories that are due. */
bool crawl_poll(Crawl *crawl, int64_t now_us, GError **error);
/* When crawl_poll() is due next; INT64_MAX: never. */
int64_t crawl_next_poll_us(const Crawl *crawl);
/* True if crawl_visit() has nothing to do. */
bool crawl_is_visited(const Crawl *crawl);
/* The same, and no entry is due. */
bool crawl_is_clean(const Crawl *crawl, int64_t now_us);
/* Time of the oldest orphan; INT64_MAX: there is none. */
int64_t crawl_oldest_orphan_us(const Crawl *crawl);
/* Marks all directories that have no watch, and looks for missing roots. */
void crawl_mark_polled(Crawl *crawl);
/* Frees what is needed only while there is work. */
void crawl_rest(Crawl *crawl);

/* Finds the root path of a node, its path below that root (the caller owns both) and the mounts on
 * the way. Both paths are NULL if the node lies in no root that is present. */
bool crawl_locate(Crawl *crawl, int64_t node, char **root_r, char **relative_r,
        SafeCrossings *crossings_r, GError **error);
/* True if the root lies on a file system that may hang. */
bool crawl_is_remote(const Crawl *crawl, const char *root);
/* A file system was mounted or unmounted. */
void crawl_note_mounts(Crawl *crawl);
