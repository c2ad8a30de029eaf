/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/crawl.h"
#include "common/autofd.h"
#include "daemon/filesystem.h"
#include "daemon/place.h"
#include "daemon/reconcile.h"
#include "daemon/safeopen.h"
#include "daemon/visit.h"
#include <errno.h>
#include <string.h>

enum { OFFLINE_POLL_US = 30 * 1000 * 1000, RETRY_US = 50 * 1000 };

/* ---- roots */

static void root_free(gpointer data)
{
	Root *root = data;
	if (root->fd >= 0)
		close(root->fd);
	g_free(root->path);
	g_free(root);
}

static Root *root_new(const char *path)
{
	Root *root = g_new0(Root, 1);
	root->path = g_strdup(path);
	root->fd = -1;
	root->state = ROOT_OFFLINE;
	return root;
}

Crawl *crawl_new(Notify *notify, const Own *own, const CrawlSink *sink, unsigned poll_min_s,
        unsigned share_percent)
{
	Crawl *crawl = g_new0(Crawl, 1);
	crawl->own = own;
	crawl->sink = *sink;
	crawl->tree = tree_new();
	crawl->queue = queue_new();
	crawl->watcher = watcher_new(notify, poll_min_s, share_percent);
	crawl->roots = g_ptr_array_new_with_free_func(root_free);
	crawl->rules_cache = g_hash_table_new_full(
	        g_int64_hash, g_int64_equal, g_free, (GDestroyNotify)rules_dir_unref);
	crawl->orphans = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
	crawl->offline_poll_us = INT64_MAX;
	return crawl;
}

void crawl_free(Crawl *crawl)
{
	visit_free(crawl->visit);
	g_hash_table_unref(crawl->orphans);
	g_hash_table_unref(crawl->rules_cache);
	g_ptr_array_unref(crawl->roots);
	watcher_free(crawl->watcher);
	queue_free(crawl->queue);
	tree_free(crawl->tree);
	g_free(crawl);
}

static void forget_dir(Dir *dir, void *data)
{
	watcher_forget(((Crawl *)data)->watcher, dir);
}

static void end_visit(Crawl *crawl)
{
	g_clear_pointer(&crawl->visit, visit_free);
}

static void forget_root_dir(Crawl *crawl, Root *root)
{
	end_visit(crawl);
	if (root->dir)
		tree_remove(crawl->tree, root->dir, forget_dir, crawl);
	root->dir = NULL;
}

void crawl_reset(Crawl *crawl, Writer *writer)
{
	for (guint i = 0; i < crawl->roots->len; i++)
		forget_root_dir(crawl, crawl->roots->pdata[i]);
	g_ptr_array_set_size(crawl->roots, 0);
	g_hash_table_remove_all(crawl->orphans);
	g_hash_table_remove_all(crawl->rules_cache);
	queue_clear(crawl->queue);
	crawl->writer = writer;
}

static bool is_empty_dir(int root_fd)
{
	autofd fd = safe_open_dir(root_fd, "");
	DIR *stream = fd >= 0 ? fdopendir(fd) : NULL;
	unsigned entries = 0;
	if (!stream)
		return false;
	autofd_steal(&fd);
	while (entries < 3 && readdir(stream))
		entries++;
	closedir(stream);
	return entries < 3;
}

/* Another file system than before, with nothing on it: the bare mount point of one that is away. */
static bool is_bare_mount_point(const Entry *row, const EntryStat *now, int fd)
{
	return row->stat.filesystem != now->filesystem && is_empty_dir(fd);
}

static bool adopt_root(Crawl *crawl, Root *root, int fd, const struct statx *st, GError **error)
{
	Entry row;
	g_auto(Filesystem) filesystem = {0};
	if (!filesystem_identify(fd, st, &filesystem))
		return true;
	if (!writer_filesystem(
	            crawl->writer, filesystem.identity, filesystem.type, &root->filesystem, error))
		return false;
	EntryStat now = place_stat(root->filesystem, st);
	int found = writer_lookup(crawl->writer, 0, root->path, &row, error);
	if (found < 0)
		return false;
	if (found && is_bare_mount_point(&row, &now, fd))
		return true;
	if (!writer_put(crawl->writer, 0, root->path, &now, false, &row, error))
		return false;
	root->remote = filesystem.remote;
	root->device_major = st->stx_dev_major;
	root->device_minor = st->stx_dev_minor;
	root->state = ROOT_SCANNING;
	root->dir = tree_add(crawl->tree, NULL, row.node, now.ino);
	tree_mark_dirty(crawl->tree, root->dir, DIR_DEEP);
	return true;
}

/* Is the root there, and is it the directory that is known? If not, what is there is taken on, or
 * it is offline. */
static bool check_root(Crawl *crawl, Root *root, GError **error)
{
	struct statx st;
	autofd fd = safe_open_root(root->path);
	bool there = fd >= 0 && safe_stat_fd(fd, &st) == 0 && !own_is_dir(crawl->own, &st);
	if (there && root->dir && root->dir->ino == st.stx_ino &&
	        root->device_major == st.stx_dev_major && root->device_minor == st.stx_dev_minor) {
		if (root->state == ROOT_OFFLINE || root->state == ROOT_DENIED)
			tree_mark_dirty(crawl->tree, root->dir, DIR_DEEP);
		return true;
	}
	forget_root_dir(crawl, root);
	if (root->fd >= 0)
		close(root->fd);
	root->fd = -1;
	root->state = fd < 0 && errno == EACCES ? ROOT_DENIED : ROOT_OFFLINE;
	return !there || adopt_root(crawl, root, fd, &st, error);
}

static bool check_roots(Crawl *crawl, int64_t now_us, GError **error)
{
	crawl->offline_poll_us = INT64_MAX;
	for (guint i = 0; i < crawl->roots->len; i++) {
		Root *root = crawl->roots->pdata[i];
		if (!check_root(crawl, root, error))
			return false;
		if (root->state == ROOT_OFFLINE || root->state == ROOT_DENIED)
			crawl->offline_poll_us = now_us + OFFLINE_POLL_US;
	}
	return true;
}

typedef struct {
	const char *const *roots;
	GArray *gone; /* int64_t */
} Purge;

static void find_purged(const char *name, const Entry *entry, void *data)
{
	Purge *purge = data;
	if (!g_strv_contains(purge->roots, name))
		g_array_append_val(purge->gone, entry->node);
}

static bool purge_roots(Crawl *crawl, const char *const *roots, GError **error)
{
	g_autoptr(GArray) gone = g_array_new(FALSE, FALSE, sizeof(int64_t));
	Purge purge = {roots, gone};
	if (!writer_children(crawl->writer, 0, find_purged, &purge, error))
		return false;
	for (guint i = 0; i < gone->len; i++) {
		if (!writer_remove(crawl->writer, g_array_index(gone, int64_t, i), error))
			return false;
	}
	return true;
}

bool crawl_configure(Crawl *crawl, const char *const *roots, const Rules *rules, GError **error)
{
	crawl_reset(crawl, crawl->writer);
	crawl->rules = rules;
	for (const char *const *path = roots; *path; path++)
		g_ptr_array_add(crawl->roots, root_new(*path));
	return purge_roots(crawl, roots, error) &&
	       check_roots(crawl, g_get_monotonic_time(), error);
}

void crawl_mark_all(Crawl *crawl)
{
	place_forget_rules(crawl);
	for (guint i = 0; i < crawl->roots->len; i++) {
		Root *root = crawl->roots->pdata[i];
		if (!root->dir)
			continue;
		root->state = ROOT_SCANNING;
		tree_mark_dirty(crawl->tree, root->dir, DIR_DEEP);
	}
	crawl->offline_poll_us = MIN(crawl->offline_poll_us, 0);
}

/* ---- paths that somebody names */

bool crawl_mark_path(
        Crawl *crawl, const char *path, int64_t now_us, bool *covered_r, GError **error)
{
	const char *relative;
	Entry row;
	Root *root = place_root_of_path(crawl, path, &relative);
	*covered_r = root != NULL;
	if (!root || !root->dir)
		return true;
	Dir *dir = root->dir;
	g_auto(GStrv) parts = g_strsplit(relative, "/", -1);
	for (unsigned i = 0; parts[i]; i++) {
		if (!*parts[i])
			continue;
		int found = writer_lookup(crawl->writer, dir->node, parts[i], &row, error);
		if (found < 0)
			return false;
		Dir *next = found ? tree_find(crawl->tree, row.node) : NULL;
		if (!next) { /* a file, or not known yet: its directory's entry */
			queue_push(crawl->queue, dir->node, parts[i], HINT_FACTS, now_us);
			return true;
		}
		dir = next;
	}
	tree_mark_dirty(crawl->tree, dir, DIR_DEEP);
	return true;
}

int crawl_find(Crawl *crawl, const char *path, Entry *out, GError **error)
{
	const char *relative;
	Root *root = place_root_of_path(crawl, path, &relative);
	if (!root)
		return 0;
	int found = writer_lookup(crawl->writer, 0, root->path, out, error);
	g_auto(GStrv) parts = g_strsplit(relative, "/", -1);
	for (unsigned i = 0; found == 1 && parts[i]; i++) {
		if (*parts[i])
			found = writer_lookup(crawl->writer, out->node, parts[i], out, error);
	}
	return found;
}

/* ---- hints */

static void take_self(Crawl *crawl, Dir *dir)
{
	if (!dir->parent)
		crawl->offline_poll_us = 0; /* a root moved or went: look at once */
	else if (dir->parent->watch < 0) /* else the parent's own event says what became of it */
		tree_mark_dirty(crawl->tree, dir->parent, 0);
}

static void take_hint(Crawl *crawl, const Hint *hint, int64_t now_us)
{
	int64_t node;
	WatchMeaning meaning = watcher_find(crawl->watcher, hint->watch, &node);
	Dir *dir = meaning == WATCH_DIR ? tree_find(crawl->tree, node) : NULL;
	if (meaning == WATCH_UNKNOWN)
		crawl_mark_all(crawl);
	if (dir && (hint->what & HINT_SELF))
		take_self(crawl, dir);
	bool own_facts = dir && !dir->parent && !*hint->name && (hint->what & HINT_FACTS);
	if (own_facts || (dir && (hint->what & HINT_WHOLE)))
		tree_mark_dirty(crawl->tree, dir, 0);
	if (dir && *hint->name)
		queue_push(crawl->queue, node, hint->name, hint->what, now_us);
	if (dir)
		watcher_note_change(crawl->watcher, dir, now_us);
}

void crawl_take_hints(Crawl *crawl, const HintBatch *batch, int64_t now_us)
{
	for (guint i = 0; i < batch->hints->len; i++)
		take_hint(crawl, batch->hints->pdata[i], now_us);
	/* Last: within a batch nothing of a watch comes after the kernel dropped it. */
	for (guint i = 0; i < batch->hints->len; i++) {
		const Hint *hint = batch->hints->pdata[i];
		if (hint->what & HINT_UNWATCHED)
			watcher_dropped(crawl->watcher, crawl->tree, hint->watch);
	}
	if (batch->overflow) {
		crawl->overflows++;
		crawl_mark_all(crawl);
	}
}

/* ---- due entries */

static gint compare_entries(gconstpointer one, gconstpointer other)
{
	const QueueEntry *a = one, *b = other;
	return (a->dir > b->dir) - (a->dir < b->dir);
}

static GArray *take_due(Crawl *crawl, unsigned max, int64_t now_us)
{
	GArray *due = g_array_new(FALSE, FALSE, sizeof(QueueEntry));
	QueueEntry entry;
	g_array_set_clear_func(due, (GDestroyNotify)queue_entry_clear);
	while (due->len < max && queue_take(crawl->queue, now_us, &entry))
		g_array_append_val(due, entry);
	g_array_sort(due, compare_entries);
	return due;
}

/* The directory is not where its row says: rows above it are out of date. Its own hints wait for
 * theirs. */
static bool put_off(Crawl *crawl, Dir *dir, PlaceResult result, const Place *place,
        const QueueEntry *entries, guint n, int64_t now_us, GError **error)
{
	if (result == PLACE_GONE) {
		for (guint i = 0; i < n; i++)
			queue_push_at(crawl->queue, dir->node, entries[i].name, entries[i].what,
			        now_us + RETRY_US);
	}
	return visit_settle(crawl, dir, result, place->path ? place->path : "", now_us, error);
}

/* An entry without a name is the directory itself, to be visited again. */
static bool take_whole(Crawl *crawl, Dir *dir, const QueueEntry *entries, guint n)
{
	bool whole = false;
	for (guint i = 0; i < n; i++)
		whole |= !*entries[i].name;
	if (whole)
		tree_mark_dirty(crawl->tree, dir, 0);
	return whole;
}

/* A marker came, went or changed: other rules for all below. */
static void take_markers(Crawl *crawl, Dir *dir, const QueueEntry *entries, guint n)
{
	for (guint i = 0; i < n; i++) {
		if (!rules_is_marker(entries[i].name))
			continue;
		place_forget_rules(crawl);
		tree_mark_dirty(crawl->tree, dir, DIR_DEEP);
	}
}

typedef bool (*EntryFunc)(
        Crawl *crawl, const Place *place, QueueEntry *entry, int64_t now_us, GError **error);

/* Calls f for entries of one directory. */
static bool for_directory(
        Crawl *crawl, QueueEntry *entries, guint n, EntryFunc f, int64_t now_us, GError **error)
{
	Dir *dir = tree_find(crawl->tree, entries->dir);
	if (!dir)
		return true; /* removed meanwhile, with its rows */
	if (take_whole(crawl, dir, entries, n))
		return true; /* the visit looks at all others too */
	take_markers(crawl, dir, entries, n);
	g_auto(Place) place = {.fd = -1};
	PlaceResult result = place_open(crawl, dir, &place, error);
	if (result == PLACE_FAILED)
		return false;
	if (result != PLACE_OPEN)
		return put_off(crawl, dir, result, &place, entries, n, now_us, error);
	if (rules_dir_excluded(place.rules))
		return true;
	for (guint i = 0; i < n; i++) {
		if (!f(crawl, &place, &entries[i], now_us, error))
			return false;
	}
	/* An entry that was looked at may have been above this directory in the rows. */
	return tree_find(crawl->tree, entries->dir) != dir ||
	       visit_update_own_facts(crawl, dir, place.fd, error);
}

static bool for_directories(Crawl *crawl, GArray *due, EntryFunc f, int64_t now_us, GError **error)
{
	QueueEntry *entries = (QueueEntry *)due->data;
	for (guint first = 0, next; first < due->len; first = next) {
		for (next = first + 1; next < due->len && entries[next].dir == entries[first].dir;)
			next++;
		if (!for_directory(crawl, &entries[first], next - first, f, now_us, error))
			return false;
	}
	return true;
}

/* An entry that has been dealt with loses its name's place in the second round. */
static bool look_at(
        Crawl *crawl, const Place *place, QueueEntry *entry, int64_t now_us, GError **error)
{
	ReconcileResult result =
	        reconcile_entry(crawl, place, entry->name, entry->what, false, error);
	if (result != RECONCILE_GONE)
		entry->what = 0;
	return result != RECONCILE_FAILED;
}

static bool look_again(
        Crawl *crawl, const Place *place, QueueEntry *entry, int64_t now_us, GError **error)
{
	return reconcile_gone(crawl, place, entry->name, now_us, error);
}

static void keep_gone(GArray *due)
{
	for (guint i = due->len; i-- > 0;) {
		if (g_array_index(due, QueueEntry, i).what == 0)
			g_array_remove_index(due, i);
	}
}

bool crawl_entries(Crawl *crawl, unsigned max, int64_t now_us, unsigned *n_r, GError **error)
{
	g_autoptr(GArray) due = take_due(crawl, max, now_us);
	*n_r = due->len;
	if (!for_directories(crawl, due, look_at, now_us, error))
		return false;
	keep_gone(due);
	return for_directories(crawl, due, look_again, now_us, error);
}

/* ---- visits, orphans, polling */

/* The directory of a visit may have been removed, or freed and its node number is gone for ever. */
static void check_visit(Crawl *crawl)
{
	if (crawl->visit && !visit_is_valid(crawl, crawl->visit))
		end_visit(crawl);
}

bool crawl_visit(Crawl *crawl, unsigned max, int64_t now_us, bool *more_r, GError **error)
{
	bool done;
	check_visit(crawl);
	for (unsigned budget = max; budget > 0;) {
		if (!crawl->visit) {
			Dir *dir = tree_take_dirty(crawl->tree);
			if (!dir)
				break;
			budget--;
			if (!visit_begin(crawl, dir, now_us, &crawl->visit, error))
				return false;
			if (!crawl->visit)
				continue;
		}
		if (!visit_step(crawl, crawl->visit, &budget, now_us, &done, error))
			return false;
		check_visit(crawl);
		if (done)
			end_visit(crawl);
	}
	*more_r = crawl->visit || tree_dirty(crawl->tree) > 0;
	return true;
}

bool crawl_bury(Crawl *crawl, int64_t before_us, GError **error)
{
	GHashTableIter iter;
	gpointer value;
	g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(int64_t));
	Entry row;
	g_hash_table_iter_init(&iter, crawl->orphans);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		const Orphan *orphan = value;
		if (orphan->since_us <= before_us)
			g_array_append_val(nodes, orphan->node);
	}
	for (guint i = 0; i < nodes->len; i++) {
		int64_t node = g_array_index(nodes, int64_t, i);
		int found = writer_get(crawl->writer, node, &row, error);
		g_hash_table_remove(crawl->orphans, &node);
		if (found < 0 || (found > 0 && !reconcile_remove(crawl, &row, error)))
			return false;
	}
	check_visit(crawl);
	return true;
}

int64_t crawl_oldest_orphan_us(const Crawl *crawl)
{
	int64_t oldest = INT64_MAX;
	GHashTableIter iter;
	gpointer value;
	g_hash_table_iter_init(&iter, crawl->orphans);
	while (g_hash_table_iter_next(&iter, NULL, &value))
		oldest = MIN(oldest, ((const Orphan *)value)->since_us);
	return oldest;
}

bool crawl_poll(Crawl *crawl, int64_t now_us, GError **error)
{
	watcher_poll(crawl->watcher, crawl->tree, now_us);
	return now_us < crawl->offline_poll_us || check_roots(crawl, now_us, error);
}

int64_t crawl_next_poll_us(const Crawl *crawl)
{
	return MIN(crawl->offline_poll_us, watcher_next_poll_us(crawl->watcher));
}

static void mark_polled(Dir *dir, void *data)
{
	if ((dir->flags & DIR_POLLED) && !(dir->flags & DIR_DIRTY))
		tree_mark_dirty(data, dir, 0);
}

void crawl_mark_polled(Crawl *crawl)
{
	tree_foreach(crawl->tree, mark_polled, crawl->tree);
}

bool crawl_is_clean(const Crawl *crawl, int64_t now_us)
{
	return !crawl->visit && tree_dirty(crawl->tree) == 0 &&
	       queue_next_us(crawl->queue) > now_us;
}

void crawl_rest(Crawl *crawl)
{
	place_forget_rules(crawl);
	for (guint i = 0; i < crawl->roots->len; i++) {
		Root *root = crawl->roots->pdata[i];
		if (root->fd >= 0)
			close(root->fd);
		root->fd = -1;
	}
}

bool crawl_locate(Crawl *crawl, int64_t node, char **root_r, char **relative_r, GError **error)
{
	const char *relative;
	g_autofree char *path = writer_path(crawl->writer, node, error);
	if (!path)
		return false;
	Root *root = place_root_of_path(crawl, path, &relative);
	if (root && !root->dir)
		root = NULL;
	*root_r = root ? g_strdup(root->path) : NULL;
	*relative_r = root ? g_strdup(relative) : NULL;
	return true;
}
