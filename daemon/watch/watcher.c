/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/watch/watcher.h"
#include "daemon/fs/safeopen.h"
#include <errno.h>
#include <sys/inotify.h>

enum {
	MASK = IN_CREATE | IN_DELETE | IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_MOVED_FROM |
	       IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK,
};

/* Budget of visits for all directories on file systems that do not report all changes: the visits
 * that this many directories get at the minimum interval. */
#define REMOTE_OFTENEST 60.0
/* The next visit begins after this share of an interval, and is delayed by less than a grain so
 * that wakeups are few: a change that falls right after a visit is read before one interval has
 * passed. */
#define BEGIN_AFTER 0.75
enum { VISIT_SHARE = 9 };
#define GRAIN (1 / 16.0)

enum { STALE_NODE = -1 }; /* value in the map: the watch was removed, IN_IGNORED has not come yet */

/* A directory that had been quiet longest when they were looked for. */
typedef struct {
	int64_t node;
	uint32_t changed_s; /* then; if it differs now, it does not count */
} QuietDir;
enum { QUIET_KEPT = 256 };

struct Watcher {
	Notify *notify; /* NULL if there is no inotify */
	GHashTable *nodes; /* watch descriptor -> node of the directory, as int64_t * */
	unsigned poll_min_s, share_percent;
	uint64_t used, limit, polled;
	uint64_t version;
	bool refused; /* the kernel had no watch left */
	GArray *quiet; /* of QuietDir, the quietest last; no other watched directory is quieter */
	uint32_t least_s; /* no watched directory has changed_s below this */
	Revisit local, remote;
	int64_t next_poll_us, retry_us;
};

static uint64_t watcher_read_limit(const char *path)
{
	g_autofree char *text = NULL;
	if (!g_file_get_contents(path, &text, NULL, NULL))
		return UINT64_MAX;
	return g_ascii_strtoull(text, NULL, 10);
}

static void read_limits(Watcher *watcher)
{
	uint64_t all = watcher_read_limit("/proc/sys/fs/inotify/max_user_watches");
	uint64_t own = watcher_read_limit("/proc/sys/user/max_inotify_watches");
	watcher->limit = MIN(all, own);
	if (watcher->limit == UINT64_MAX)
		watcher->limit = 8192; /* the smallest default of the kernel */
}

static uint64_t watcher_budget(const Watcher *watcher)
{
	return watcher->notify ? watcher->limit / 100.0 * watcher->share_percent : 0;
}

Watcher *watcher_new(Notify *notify, unsigned poll_min_s, unsigned share_percent)
{
	Watcher *watcher = g_new0(Watcher, 1);
	watcher->notify = notify;
	watcher->poll_min_s = poll_min_s;
	watcher->share_percent = share_percent;
	watcher->nodes = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	watcher->quiet = g_array_new(FALSE, FALSE, sizeof(QuietDir));
	watcher->next_poll_us = INT64_MAX;
	watcher->retry_us = INT64_MAX;
	revisit_init(&watcher->local, 1, 1, 1);
	revisit_init(&watcher->remote, 1, 1, 1);
	watcher_set_limits(watcher, poll_min_s, share_percent);
	return watcher;
}

static void set_budget(Revisit *revisit, double visits_per_s, unsigned poll_min_s)
{
	revisit->budget_per_s = visits_per_s;
	revisit->least_s = BEGIN_AFTER * MAX(1, poll_min_s);
	revisit->most_s = MAX(poll_min_s, WATCH_POLL_MAX_S);
}

void watcher_set_limits(Watcher *watcher, unsigned poll_min_s, unsigned share_percent)
{
	watcher->poll_min_s = poll_min_s;
	watcher->share_percent = share_percent;
	set_budget(&watcher->local, WATCH_LOCAL_VISITS, poll_min_s);
	set_budget(&watcher->remote, REMOTE_OFTENEST / MAX(1, poll_min_s), poll_min_s);
	read_limits(watcher);
}

void watcher_free(Watcher *watcher)
{
	g_hash_table_unref(watcher->nodes);
	g_array_unref(watcher->quiet);
	g_free(watcher);
}

static void set_node(Watcher *watcher, int watch, int64_t node)
{
	g_hash_table_replace(
	        watcher->nodes, GINT_TO_POINTER(watch), g_memdup2(&node, sizeof(node)));
}

static uint32_t watcher_seconds(int64_t us)
{
	return us / G_USEC_PER_SEC;
}

static int64_t watcher_microseconds(uint32_t s)
{
	return (int64_t)s * G_USEC_PER_SEC;
}

static Revisit *plan_of(Watcher *watcher, const Dir *dir)
{
	return dir->flags & DIR_REMOTE ? &watcher->remote : &watcher->local;
}

/* Rounds a due time up, so that visits due at nearly the same time are made together. */
static int64_t round_up(const Watcher *watcher, int64_t us)
{
	int64_t grain_us = GRAIN * MAX(1, watcher->poll_min_s) * G_USEC_PER_SEC;
	return (us + grain_us - 1) / grain_us * grain_us;
}

static void plan_poll(Watcher *watcher, Dir *dir, int64_t now_us)
{
	double wait_s = revisit_plan(plan_of(watcher, dir), &dir->source);
	dir->poll_us = round_up(watcher, now_us + (int64_t)(wait_s * G_USEC_PER_SEC));
	watcher->next_poll_us = MIN(watcher->next_poll_us, dir->poll_us);
}

static void set_polled(Watcher *watcher, Dir *dir, bool polled, bool remote)
{
	unsigned flags = (polled ? DIR_POLLED : 0) | (polled && remote ? DIR_REMOTE : 0);
	if (flags == (dir->flags & (DIR_POLLED | DIR_REMOTE)))
		return;
	dir->visited_us = 0;
	revisit_forget(plan_of(watcher, dir), &dir->source);
	watcher->polled += polled - ((dir->flags & DIR_POLLED) != 0);
	dir->flags = (dir->flags & ~(DIR_POLLED | DIR_REMOTE)) | flags;
	watcher->version++;
}

static void note_lost(Watcher *watcher, Dir *dir)
{
	dir->watch = -1;
	watcher->used--;
	watcher->version++;
}

static void watcher_release(Watcher *watcher, Dir *dir)
{
	if (dir->watch < 0)
		return;
	if (inotify_rm_watch(notify_fd(watcher->notify), dir->watch) == 0)
		set_node(watcher, dir->watch, STALE_NODE);
	note_lost(watcher, dir);
}

static void retry_later(Watcher *watcher, int64_t now_us)
{
	if (watcher->retry_us == INT64_MAX)
		watcher->retry_us =
		        now_us + watcher_microseconds(MIN(WATCH_RETRY_S, 5 * watcher->poll_min_s));
}

static void collect_watched(Dir *dir, void *data)
{
	const QuietDir quiet = {dir->node, dir->changed_s};
	if (dir->watch >= 0)
		g_array_append_val((GArray *)data, quiet);
}

static int compare_quiet(gconstpointer a, gconstpointer b)
{
	const QuietDir *x = a, *y = b;
	return x->changed_s > y->changed_s ? -1 : x->changed_s < y->changed_s;
}

static void trim_quiet(Watcher *watcher, guint most)
{
	if (watcher->quiet->len > most)
		g_array_remove_range(watcher->quiet, 0, watcher->quiet->len - most);
}

/* Looks at the whole tree, so it must be seldom. */
static void look_for_quiet(Watcher *watcher, Tree *tree)
{
	g_array_set_size(watcher->quiet, 0);
	tree_foreach(tree, collect_watched, watcher->quiet);
	g_array_sort(watcher->quiet, compare_quiet);
	trim_quiet(watcher, QUIET_KEPT);
}

/* A directory is watched from now on. */
static void note_watched(Watcher *watcher, const Dir *dir)
{
	const QuietDir quiet = {dir->node, dir->changed_s};
	guint at = watcher->quiet->len;
	watcher->least_s = MIN(watcher->least_s, dir->changed_s);
	while (at > 0 && g_array_index(watcher->quiet, QuietDir, at - 1).changed_s < dir->changed_s)
		at--;
	if (at == 0)
		return;
	g_array_insert_val(watcher->quiet, at, quiet);
	trim_quiet(watcher, 2 * QUIET_KEPT);
}

/* Takes the quietest directory off the list; NULL: it is empty. */
static Dir *take_quiet(Watcher *watcher, const Tree *tree)
{
	while (watcher->quiet->len > 0) {
		guint last = watcher->quiet->len - 1;
		const QuietDir quiet = g_array_index(watcher->quiet, QuietDir, last);
		Dir *dir = tree_find(tree, quiet.node);
		g_array_set_size(watcher->quiet, last);
		if (dir && dir->watch >= 0 && dir->changed_s == quiet.changed_s)
			return dir;
	}
	return NULL;
}

/* Finds the watched directory that has been quiet longest, if it did not change since before_s. */
static Dir *find_quietest(Watcher *watcher, Tree *tree, uint32_t before_s)
{
	if (watcher->least_s >= before_s)
		return NULL;
	Dir *dir = take_quiet(watcher, tree);
	if (!dir) {
		look_for_quiet(watcher, tree);
		dir = take_quiet(watcher, tree);
	}
	if (!dir)
		return NULL;
	watcher->least_s = dir->changed_s;
	if (dir->changed_s < before_s)
		return dir;
	const QuietDir quiet = {dir->node, dir->changed_s};
	g_array_append_val(watcher->quiet, quiet);
	return NULL;
}

static bool take_from_quietest(Watcher *watcher, Tree *tree, const Dir *dir, int64_t now_us)
{
	Dir *quietest = find_quietest(watcher, tree, dir->changed_s);
	if (!quietest)
		return false;
	watcher_release(watcher, quietest);
	set_polled(watcher, quietest, true, false);
	plan_poll(watcher, quietest, now_us);
	return true;
}

static bool may_add(Watcher *watcher, Tree *tree, const Dir *dir, int64_t now_us)
{
	if (watcher->used < watcher_budget(watcher) && !watcher->refused)
		return true;
	retry_later(watcher, now_us); /* The limit may have been raised meanwhile. */
	/* Only a directory that is known to change is worth the watch of another. */
	return watcher->used > 0 && dir->changed_s > 0 &&
	       take_from_quietest(watcher, tree, dir, now_us);
}

/* The kernel returns the same descriptor for the same inode, so the previous owner of this watch
 * has lost its directory. */
static void watcher_take_over(Watcher *watcher, Tree *tree, int watch)
{
	const int64_t *node = g_hash_table_lookup(watcher->nodes, GINT_TO_POINTER(watch));
	Dir *former = node && *node != STALE_NODE ? tree_find(tree, *node) : NULL;
	if (former && former->watch == watch)
		note_lost(watcher, former);
}

/* Watches the inode behind the descriptor, whatever its name is by now. */
static bool add_watch(
        Watcher *watcher, Tree *tree, Dir *dir, const WatcherPlace *place, int64_t now_us)
{
	int watch = safe_watch(place->agent, notify_fd(watcher->notify), place->fd, MASK);
	if (watch < 0) {
		watcher->refused |= errno == ENOSPC;
		retry_later(watcher, now_us);
		return false;
	}
	watcher_take_over(watcher, tree, watch);
	dir->watch = watch;
	note_watched(watcher, dir);
	watcher->used++;
	watcher->version++;
	set_node(watcher, watch, dir->node);
	return true;
}

void watcher_cover(
        Watcher *watcher, Tree *tree, Dir *dir, const WatcherPlace *place, int64_t now_us)
{
	if (dir->watch < 0 && watcher->notify && may_add(watcher, tree, dir, now_us))
		add_watch(watcher, tree, dir, place, now_us);
	set_polled(watcher, dir, place->also_poll || dir->watch < 0, place->also_poll);
	if (dir->flags & DIR_POLLED)
		plan_poll(watcher, dir, now_us);
}

void watcher_visited(Watcher *watcher, Dir *dir, bool changed, int64_t started_us, int64_t now_us)
{
	const double least_s = 0.1; /* shorter intervals say next to nothing about the rate */
	if (changed)
		watcher_note_change(dir, now_us);
	if (!(dir->flags & DIR_POLLED))
		return;
	double passed_s = (now_us - dir->visited_us) / (double)G_USEC_PER_SEC;
	if (dir->visited_us > 0)
		revisit_observe(&dir->source, MAX(least_s, passed_s), changed);
	dir->visited_us = now_us;
	plan_poll(watcher, dir, now_us + VISIT_SHARE * (now_us - started_us));
}

void watcher_note_change(Dir *dir, int64_t now_us)
{
	dir->changed_s = MAX(1, watcher_seconds(now_us));
}

void watcher_forget(Watcher *watcher, Dir *dir)
{
	watcher_release(watcher, dir);
	set_polled(watcher, dir, false, false);
}

WatchMeaning watcher_find(Watcher *watcher, int watch, int64_t *node_r)
{
	const int64_t *node = g_hash_table_lookup(watcher->nodes, GINT_TO_POINTER(watch));
	if (!node)
		return WATCH_UNKNOWN;
	*node_r = *node;
	return *node == STALE_NODE ? WATCH_STALE : WATCH_DIR;
}

void watcher_dropped(Watcher *watcher, Tree *tree, int watch)
{
	const int64_t *node = g_hash_table_lookup(watcher->nodes, GINT_TO_POINTER(watch));
	Dir *dir = node && *node != STALE_NODE ? tree_find(tree, *node) : NULL;
	if (dir && dir->watch == watch)
		note_lost(watcher, dir);
	g_hash_table_remove(watcher->nodes, GINT_TO_POINTER(watch));
}

int watcher_add_private(Watcher *watcher, const char *path)
{
	if (!watcher->notify)
		return -1;
	return inotify_add_watch(
	        notify_fd(watcher->notify), path, IN_CREATE | IN_MOVED_TO | IN_ONLYDIR);
}

typedef struct {
	Watcher *watcher;
	Tree *tree;
	int64_t busy; /* node of the directory that is being visited */
	int64_t now_us, next_us;
	uint64_t room; /* number of further watches available */
	bool lacking; /* more directories than that lack a watch */
} PollRun;

static void poll_dir(Dir *dir, void *data)
{
	PollRun *run = data;
	if (!(dir->flags & DIR_POLLED) || (dir->flags & DIR_DIRTY))
		return;
	if (dir->node == run->busy) { /* A visit that takes longer than the interval would otherwise
		                         never end. */
		run->next_us = MIN(run->next_us, run->now_us + G_USEC_PER_SEC);
		return;
	}
	bool watch = dir->watch < 0 && run->room > 0;
	run->room -= watch;
	run->lacking |= dir->watch < 0 && !watch;
	if (watch || dir->poll_us <= run->now_us)
		tree_mark_dirty_last(run->tree, dir);
	else
		run->next_us = MIN(run->next_us, dir->poll_us);
}

/* Estimates how many more directories may be watched. */
static uint64_t look_for_room(Watcher *watcher)
{
	read_limits(watcher);
	watcher->refused = false;
	watcher->retry_us = INT64_MAX;
	return watcher->used < watcher_budget(watcher) ? watcher_budget(watcher) - watcher->used
	                                               : 0;
}

void watcher_poll(Watcher *watcher, Tree *tree, int64_t busy, int64_t now_us)
{
	if (now_us < watcher_next_poll_us(watcher))
		return;
	bool retry = now_us >= watcher->retry_us;
	PollRun run = {
	        watcher, tree, busy, now_us, INT64_MAX, retry ? look_for_room(watcher) : 0, false};
	tree_foreach(tree, poll_dir, &run);
	if (retry && run.lacking)
		retry_later(watcher, now_us);
	watcher->next_poll_us = run.next_us;
}

int64_t watcher_next_poll_us(const Watcher *watcher)
{
	return MIN(watcher->next_poll_us, watcher->retry_us);
}

void watcher_counts(const Watcher *watcher, WatchCounts *out)
{
	*out = (WatchCounts){
	        watcher->used, watcher_budget(watcher), watcher->limit, watcher->polled};
}

uint64_t watcher_version(const Watcher *watcher)
{
	return watcher->version;
}
