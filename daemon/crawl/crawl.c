/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/crawl/crawl.h"
#include "daemon/crawl/hot-dirs.h"
#include "daemon/crawl/place.h"
#include "daemon/crawl/reconcile.h"
#include "daemon/crawl/roots.h"
#include "daemon/crawl/visit.h"
#include "daemon/crawl/volumes.h"
#include <string.h>

Crawl *crawl_new(Notify *notify, const Own *own, const CrawlSink *sink, unsigned poll_min_s,
        unsigned share_percent, const gint *stop)
{
	Crawl *crawl = g_new0(Crawl, 1);
	crawl->own = own;
	crawl->stop = stop;
	crawl->sink = *sink;
	crawl->tree = tree_new();
	crawl->queue = queue_new();
	crawl->suspicion = suspicion_new();
	crawl->watcher = watcher_new(notify, poll_min_s, share_percent);
	crawl->roots = g_ptr_array_new_with_free_func(root_free);
	crawl->rules_cache = g_hash_table_new_full(
	        g_int64_hash, g_int64_equal, g_free, (GDestroyNotify)rules_dir_unref);
	crawl->mounts = mounts_new(NULL);
	crawl->volumes = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	crawl->orphans = orphans_new();
	crawl->offline_poll_us = INT64_MAX;
	return crawl;
}

void crawl_free(Crawl *crawl)
{
	visit_free(crawl->visit);
	orphans_free(crawl->orphans);
	g_hash_table_unref(crawl->rules_cache);
	g_clear_pointer(&crawl->hot, g_hash_table_unref);
	g_ptr_array_unref(crawl->roots);
	g_hash_table_unref(crawl->volumes);
	mounts_free(crawl->mounts);
	watcher_free(crawl->watcher);
	queue_free(crawl->queue);
	suspicion_free(crawl->suspicion);
	tree_free(crawl->tree);
	g_free(crawl);
}

static void end_visit(Crawl *crawl)
{
	g_clear_pointer(&crawl->visit, visit_free);
}

void crawl_reset(Crawl *crawl, Writer *writer)
{
	for (guint i = 0; i < crawl->roots->len; i++)
		root_forget_dir(crawl, crawl->roots->pdata[i]);
	g_ptr_array_set_size(crawl->roots, 0);
	orphans_clear(crawl->orphans);
	g_hash_table_remove_all(crawl->rules_cache);
	queue_clear(crawl->queue);
	crawl->writer = writer;
}

void crawl_note_mounts(Crawl *crawl)
{
	crawl->offline_poll_us = 0;
	crawl->mounts_changed = true;
}

typedef struct {
	Crawl *crawl;
	int64_t now_us;
} MountLook;

/* NULL: the directory is not covered. */
static Dir *crawl_find_dir(Crawl *crawl, const char *path)
{
	Entry row;
	if (crawl_find(crawl, path, &row, NULL) != 1)
		return NULL;
	return tree_find(crawl->tree, row.node);
}

/* Looks at the entry of the mount point if its directory is covered. */
static void crawl_look_at_mount(const char *path, void *data)
{
	MountLook *look = data;
	g_autofree char *above = g_path_get_dirname(path);
	g_autofree char *name = g_path_get_basename(path);
	Dir *dir = crawl_find_dir(look->crawl, above);
	if (dir)
		queue_push(look->crawl->queue, dir->node, name, HINT_MOVED, look->now_us);
}

static void take_mounts(Crawl *crawl, int64_t now_us)
{
	MountLook look = {crawl, now_us};
	if (!crawl->mounts_changed)
		return;
	crawl->mounts_changed = false;
	mounts_read(crawl->mounts, crawl_look_at_mount, &look);
}

bool crawl_configure(
        Crawl *crawl, const char *const *roots, const Rules *rules, bool look, GError **error)
{
	crawl_reset(crawl, crawl->writer);
	crawl->rules = rules;
	crawl->mounts_changed = true;
	take_mounts(crawl, g_get_monotonic_time());
	for (const char *const *path = roots; *path; path++)
		g_ptr_array_add(crawl->roots, root_new(*path));
	g_clear_pointer(&crawl->hot, g_hash_table_unref);
	return roots_purge(crawl, roots, error) &&
	       (crawl->hot = hot_dirs_find(crawl->writer, error)) != NULL &&
	       (!look || roots_check(crawl, g_get_monotonic_time(), error));
}

bool crawl_needs_rescan(const Crawl *crawl)
{
	return crawl->resolved_suspicions < crawl->suspicions;
}

void crawl_mark_all(Crawl *crawl)
{
	crawl->resolved_suspicions = crawl->suspicions;
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

/* ---- paths that a request names */

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
		if (!next) { /* It is a file, or not known yet: look at its entry. */
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

bool crawl_locate(Crawl *crawl, int64_t node, char **root_r, char **relative_r,
        SafeCrossings *crossings_r, GError **error)
{
	const char *relative;
	Entry row;
	*crossings_r = (SafeCrossings){0};
	*root_r = *relative_r = NULL;
	g_autofree char *path = writer_path(crawl->writer, node, error);
	if (!path || writer_get(crawl->writer, node, &row, error) < 0)
		return false;
	Root *root = place_root_of_path(crawl, path, &relative);
	const Dir *dir = tree_find(crawl->tree, row.parent);
	if (!root || !root->dir || !dir || (dir->flags & DIR_BARE))
		return true;
	volume_crossings(crawl, dir, relative, crossings_r);
	*root_r = g_strdup(root->path);
	*relative_r = g_strdup(relative);
	return true;
}

bool crawl_is_remote(const Crawl *crawl, const char *path)
{
	for (guint i = 0; i < crawl->roots->len; i++) {
		const Root *root = crawl->roots->pdata[i];
		if (strcmp(root->path, path) == 0)
			return root->agent != NULL;
	}
	return false;
}

/* ---- hints */

static void take_self(Crawl *crawl, Dir *dir)
{
	if (!dir->parent)
		crawl->offline_poll_us =
		        0; /* A root was moved or removed: check the roots at once. */
	else if (dir->parent->watch <
	         0) /* Otherwise the parent's own event tells what became of it. */
		tree_mark_dirty(crawl->tree, dir->parent, 0);
}

static void take_hint(Crawl *crawl, const Hint *hint, int64_t now_us)
{
	int64_t node;
	WatchMeaning meaning = watcher_find(crawl->watcher, hint->watch, &node);
	g_debug("hints: \"%s\" in the directory with watch %d: %#x", hint->name, hint->watch,
	        hint->what);
	Dir *dir = meaning == WATCH_DIR ? tree_find(crawl->tree, node) : NULL;
	if (meaning == WATCH_UNKNOWN)
		crawl_mark_all(crawl);
	if (dir && (hint->what & HINT_UNMOUNTED))
		volume_note_unmount(crawl, dir);
	if (dir && (hint->what & HINT_SELF))
		take_self(crawl, dir);
	bool own_facts = dir && !dir->parent && !*hint->name && (hint->what & HINT_FACTS);
	if (own_facts || (dir && (hint->what & HINT_WHOLE)))
		tree_mark_dirty(crawl->tree, dir, 0);
	if (own_facts)
		tree_mark_denied(crawl->tree, dir);
	if (dir && *hint->name)
		queue_push(crawl->queue, node, hint->name, hint->what, now_us);
	if (dir)
		watcher_note_change(dir, now_us);
}

void crawl_take_hints(Crawl *crawl, const HintBatch *batch, int64_t now_us)
{
	for (guint i = 0; i < batch->hints->len; i++)
		take_hint(crawl, batch->hints->pdata[i], now_us);
	/* This comes last: within a batch no event of a watch follows its removal by the kernel. */
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

/* ---- visits, orphans, polling */

/* The visited directory may have left the tree. */
static void check_visit(Crawl *crawl)
{
	if (crawl->visit && visit_must_end(crawl->visit))
		end_visit(crawl);
}

static bool remove_orphans(Crawl *crawl, unsigned *budget, int64_t before_us, GError **error)
{
	Entry row;
	while (*budget > 0) {
		int64_t node = orphans_oldest(crawl->orphans, before_us);
		if (node == 0)
			break;
		int found = writer_get(crawl->writer, node, &row, error);
		if (found < 0)
			return false;
		if (found == 0)
			orphans_remove(crawl->orphans, node);
		else if (!reconcile_remove_part(crawl, &row, budget, error))
			return false;
	}
	return true;
}

bool crawl_is_visited(const Crawl *crawl)
{
	return !crawl->visit && tree_dirty(crawl->tree) == 0 &&
	       orphans_oldest(crawl->orphans, ORPHAN_FIRST_US) == 0;
}

static bool visit_dirs(Crawl *crawl, unsigned *budget, int64_t now_us, GError **error)
{
	bool done;
	while (*budget > 0) {
		check_visit(crawl);
		if (!crawl->visit) {
			Dir *dir = tree_take_dirty(crawl->tree);
			if (!dir)
				break;
			--*budget;
			if (!visit_begin(crawl, dir, now_us, &crawl->visit, error))
				return false;
			if (!crawl->visit)
				continue;
		}
		if (!visit_step(crawl, crawl->visit, budget, now_us, &done, error))
			return false;
		if (done)
			end_visit(crawl);
	}
	return true;
}

/* Directories that are not covered any more are removed last: an entry that moves out of one, as
 * when a root gives way to one inside of it, keeps its row if all is visited before. */
bool crawl_visit(Crawl *crawl, unsigned max, int64_t now_us, bool *more_r, GError **error)
{
	if (!visit_dirs(crawl, &max, now_us, error) ||
	        !remove_orphans(crawl, &max, ORPHAN_FIRST_US, error))
		return false;
	*more_r = !crawl_is_visited(crawl);
	return true;
}

bool crawl_purge_orphans(Crawl *crawl, unsigned max, int64_t before_us, GError **error)
{
	return remove_orphans(crawl, &max, before_us, error);
}

int64_t crawl_oldest_orphan_us(const Crawl *crawl)
{
	return orphans_oldest_us(crawl->orphans);
}

bool crawl_poll(Crawl *crawl, int64_t now_us, GError **error)
{
	take_mounts(crawl, now_us);
	watcher_poll(
	        crawl->watcher, crawl->tree, crawl->visit ? visit_node(crawl->visit) : 0, now_us);
	return now_us < crawl->offline_poll_us || roots_check(crawl, now_us, error);
}

int64_t crawl_next_poll_us(const Crawl *crawl)
{
	return MIN(crawl->offline_poll_us, watcher_next_poll_us(crawl->watcher));
}

static void mark_polled(Dir *dir, void *data)
{
	if (dir->flags & DIR_POLLED)
		tree_mark_dirty_last(data, dir);
}

void crawl_mark_polled(Crawl *crawl)
{
	if (crawl->offline_poll_us != INT64_MAX)
		crawl->offline_poll_us = 0;
	tree_foreach(crawl->tree, mark_polled, crawl->tree);
}

bool crawl_is_clean(const Crawl *crawl, int64_t now_us)
{
	return crawl_is_visited(crawl) && queue_next_us(crawl->queue) > now_us;
}

void crawl_rest(Crawl *crawl)
{
	place_forget_rules(crawl);
	suspicion_forget(crawl->suspicion);
	for (guint i = 0; i < crawl->roots->len; i++) {
		Root *root = crawl->roots->pdata[i];
		if (root->fd >= 0)
			close(root->fd);
		root->fd = -1;
	}
}
