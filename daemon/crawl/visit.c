/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/crawl/visit.h"
#include "daemon/crawl/digest.h"
#include "daemon/crawl/reconcile.h"
#include "daemon/crawl/visit-rows.h"
#include "daemon/fs/safeopen.h"
#include "daemon/crawl/volumes.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

struct Visit {
	int64_t node; /* of the directory: its Dir may be freed between two slices */
	int64_t started_us;
	Place place;
	SafeList *list; /* NULL: the directory has no rows below it, and those that it had are
	                   removed */
	VisitRows *rows; /* NULL before the first slice */
	bool deep;
	bool removed; /* the directory left the tree, and its Dir is freed */
	bool compared; /* with the digest that the index has */
	GPtrArray *dirs; /* names of its directories, which are yet to be entered: all entries are
	                    as their rows say. NULL: the digest does not tell */
	guint next_dir;
	GArray *seen; /* hashes of the names that were read; a count would be wrong after renames */
	bool changed; /* a row differed */
	bool missing; /* a row had no entry */
	bool unknown; /* an entry could not be looked at */
};

int64_t visit_node(const Visit *visit)
{
	return visit->node;
}

void visit_free(Visit *visit)
{
	if (!visit)
		return;
	safe_list_free(visit->list);
	visit_rows_free(visit->rows);
	if (visit->dirs)
		g_ptr_array_unref(visit->dirs);
	place_clear(&visit->place);
	g_array_unref(visit->seen);
	g_free(visit);
}

void visit_note_removed(Visit *visit, const Dir *dir)
{
	visit->removed |= visit->place.dir == dir;
}

bool visit_must_end(const Visit *visit)
{
	return visit->removed;
}

static void visit_add_row(const char *name, const Entry *entry, void *data)
{
	g_array_append_val((GArray *)data, *entry);
}

/* Removes rows below the directory. If the daemon ends before all are removed, the visits of its
 * next start go on. */
static bool visit_empty(
        Crawl *crawl, const Visit *visit, unsigned *budget, bool *done_r, GError **error)
{
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(Entry));
	if (!writer_some_children(
	            crawl->writer, visit->node, (int)*budget, visit_add_row, rows, error))
		return false;
	for (guint i = 0; i < rows->len; i++) {
		if (!reconcile_remove_part(crawl, &g_array_index(rows, Entry, i), budget, error))
			return false;
		if (*budget == 0)
			return true;
	}
	*done_r = *budget > 0;
	return true;
}

static bool set_denied(Crawl *crawl, Dir *dir, bool denied, GError **error)
{
	Entry row;
	if (denied == ((dir->flags & DIR_DENIED) != 0))
		return true;
	dir->flags ^= DIR_DENIED;
	crawl->denials++;
	if (!writer_must_get(crawl->writer, dir->node, &row, error))
		return false;
	return writer_set_inode_state(crawl->writer, row.inode, denied ? INODE_FAILED : INODE_DONE,
	        denied ? REASON_UNREADABLE : REASON_NONE, NULL, error);
}

/* Nothing is where the index has the directory: the parent's entry tells what became of it. */
void visit_ask_parent(Crawl *crawl, Dir *dir, const char *path, int64_t now_us)
{
	g_autofree char *name = g_path_get_basename(path);
	if (dir->parent && !orphans_has(crawl->orphans, dir->node))
		queue_push(crawl->queue, dir->parent->node, name, HINT_GONE, now_us);
}

/* Of a parent that is polled, no event tells the new name of what was renamed there: its whole
 * visit finds both names, before the rows are removed for want of one. */
static void visit_look_where_it_went(Crawl *crawl, Dir *dir, const char *path, int64_t now_us)
{
	if (dir->parent && (dir->parent->flags & DIR_POLLED))
		tree_mark_dirty(crawl->tree, dir->parent, 0);
	else
		visit_ask_parent(crawl, dir, path, now_us);
}

void visit_again(Crawl *crawl, Dir *dir, int64_t now_us)
{
	enum { DOUBLINGS = 13 };
	int64_t wait_us = (int64_t)VISIT_AGAIN_US << MIN(dir->failures, DOUBLINGS);
	dir->failures = MIN(dir->failures + 1, DOUBLINGS);
	const Root *root = place_root_of(crawl, dir);
	if (root && root->agent && agent_is_stuck(root->agent))
		crawl->offline_poll_us = 0;
	queue_push_at(crawl->queue, dir->node, "", HINT_WHOLE, now_us + wait_us);
}

static void note_missed(Dir *dir, bool deep)
{
	dir->flags |= DIR_MISSED | (deep ? DIR_DEEP : 0);
}

bool visit_not_opened(
        Crawl *crawl, Dir *dir, unsigned result, const char *path, int64_t now_us, GError **error)
{
	Root *root = place_root_of(crawl, dir);
	int64_t soon_us = now_us + G_USEC_PER_SEC;
	switch ((PlaceResult)result) {
	case PLACE_GONE:
		visit_look_where_it_went(crawl, dir, path, now_us);
		return true;
	case PLACE_DENIED:
		if (root && root->dir == dir) {
			root->state = ROOT_DENIED;
			crawl->offline_poll_us = MIN(crawl->offline_poll_us, soon_us);
		}
		return set_denied(crawl, dir, true, error);
	case PLACE_AWAY:
		if (root && root->dir == dir) {
			root->state = ROOT_OFFLINE;
			crawl->offline_poll_us = MIN(crawl->offline_poll_us, soon_us);
		} else {
			visit_again(crawl, dir, now_us);
		}
		return true;
	default:
		return true;
	}
}

/* A directory that lies too deep is listed, with the reason, and not entered. */
static bool refuse_depth(Crawl *crawl, const Dir *dir, GError **error)
{
	Entry row;
	return writer_must_get(crawl->writer, dir->node, &row, error) &&
	       writer_set_inode_state(
	               crawl->writer, row.inode, INODE_FAILED, REASON_LIMIT_DEPTH, NULL, error);
}

/* The watch is in place before the markers are looked for, and they are looked for in the list that
 * is read then: a marker that comes later raises an event. */
static PlaceResult visit_enter(
        Crawl *crawl, Dir *dir, Place *place, SafeList **list_r, int64_t now_us, GError **error)
{
	PlaceResult result = place_enter(crawl, dir, place, error);
	if (result != PLACE_OPEN)
		return result;
	const WatcherPlace at = {place->fd, place->root->agent, volume_of(crawl, dir)->remote};
	watcher_cover(crawl->watcher, crawl->tree, dir, &at, now_us);
	*list_r = safe_list_new(place->root->agent, place->fd);
	return place_find_rules(crawl, place, *list_r, error);
}

static Visit *visit_new(Dir *dir, bool deep, int64_t now_us)
{
	Visit *visit = g_new0(Visit, 1);
	visit->node = dir->node;
	visit->started_us = now_us;
	visit->place = (Place){.dir = dir, .fd = -1};
	visit->deep = deep;
	visit->seen = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	return visit;
}

bool visit_begin(Crawl *crawl, Dir *dir, int64_t now_us, Visit **visit_r, GError **error)
{
	bool deep = dir->flags & DIR_DEEP;
	g_auto(Place) place = {.fd = -1};
	g_autoptr(SafeList) list = NULL;
	dir->flags &= ~DIR_DEEP;
	*visit_r = NULL;
	if (dir_depth(dir) > CRAWL_MAX_DEPTH) {
		note_missed(dir, deep); /* for when it is moved up */
		return refuse_depth(crawl, dir, error);
	}
	if (dir->watch < 0 || deep)
		g_hash_table_remove(crawl->rules_cache, &dir->node);
	PlaceResult result = visit_enter(crawl, dir, &place, &list, now_us, error);
	if (result == PLACE_FAILED)
		return false;
	if (result != PLACE_OPEN) {
		note_missed(dir, deep);
		if (result == PLACE_DENIED)
			*visit_r = visit_new(dir, deep, now_us);
		return visit_not_opened(
		        crawl, dir, result, place.path ? place.path : "", now_us, error);
	}
	if (!set_denied(crawl, dir, false, error))
		return false;
	dir->flags = (dir->flags & ~(DIR_MISSED | DIR_BOUND)) | DIR_VISITED;
	dir->flags |= rules_dir_is_bound(place.rules) ? DIR_BOUND : 0;
	if (rules_dir_excluded(place.rules)) {
		*visit_r = visit_new(dir, deep, now_us);
		return true;
	}
	if (dir->flags & DIR_BARE) {
		visit_ask_parent(crawl, dir, place.path, now_us);
		return true;
	}
	Visit *visit = visit_new(dir, deep, now_us);
	visit->place = place;
	visit->list = g_steal_pointer(&list);
	place = (Place){.fd = -1};
	*visit_r = visit;
	return true;
}

static uint64_t visit_hash_of(const char *name)
{
	uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
	for (; *name; name++)
		hash = (hash ^ (uint8_t)*name) * UINT64_C(1099511628211);
	return hash;
}

static void note_seen(Visit *visit, const char *name)
{
	uint64_t hash = visit_hash_of(name);
	g_array_append_val(visit->seen, hash);
}

static gint compare_hashes(gconstpointer one, gconstpointer other)
{
	uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
	return (a > b) - (a < b);
}

static bool was_seen(const Visit *visit, const char *name)
{
	uint64_t hash = visit_hash_of(name);
	return g_array_binary_search(visit->seen, &hash, compare_hashes, NULL);
}

typedef struct {
	const Visit *visit;
	GPtrArray *names;
} Gone;

static void add_gone(const char *name, const Entry *entry, void *data)
{
	Gone *gone = data;
	if (!was_seen(gone->visit, name))
		g_ptr_array_add(gone->names, g_strdup(name));
}

static bool visit_find_gone(const Crawl *crawl, Visit *visit, GPtrArray *names, GError **error)
{
	Gone gone = {visit, names};
	if (visit->rows && visit_rows_are_true(visit->rows, crawl->writer)) {
		visit_rows_add_unseen(visit->rows, names);
		return true;
	}
	g_array_sort(visit->seen, compare_hashes);
	return writer_children(crawl->writer, visit->node, add_gone, &gone, error);
}

/* Handles the rows for which no entry was read. */
static bool look_for_gone(Crawl *crawl, Visit *visit, int64_t now_us, GError **error)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	if (!visit_find_gone(crawl, visit, names, error))
		return false;
	for (guint i = 0; i < names->len; i++) {
		visit->changed = visit->missing = true;
		if (!reconcile_gone(crawl, &visit->place, names->pdata[i], now_us, error))
			return false;
	}
	return true;
}

bool visit_update_own_facts(Crawl *crawl, const Dir *dir, int fd, GError **error)
{
	struct statx st;
	Entry row;
	const Volume *volume = volume_of(crawl, dir);
	if (!volume ||
	        safe_stat_fd(place_root_of(crawl, dir)->agent, fd, volume_ask(volume), &st) != 0)
		return true;
	int found = writer_get(crawl->writer, dir->node, &row, error);
	if (found <= 0)
		return found == 0;
	const EntryStat *old = &row.stat;
	EntryStat now = place_stat_again(old, &st);
	if (old->ino != now.ino || old->filesystem != volume->filesystem ||
	        (old->mtime_ns == now.mtime_ns && old->ctime_ns == now.ctime_ns &&
	                old->size == now.size && old->mode == now.mode && old->uid == now.uid &&
	                old->gid == now.gid))
		return true;
	return writer_update_stat(crawl->writer, row.inode, &now, error);
}

/* A name that a server no longer lists may still be in the kernel's cache of names, which reports
 * it as present for up to a few seconds. */
static void look_again_for_gone(Crawl *crawl, const Visit *visit, int64_t now_us)
{
	enum { CACHED_US = 3 * 1000 * 1000 };
	if (visit->missing && volume_of(crawl, visit->place.dir)->remote)
		queue_push_at(crawl->queue, visit->node, "", HINT_WHOLE, now_us + CACHED_US);
}

static void note_root_visited(Crawl *crawl, Root *root)
{
	bool returned = root->missed;
	root->state = ROOT_WATCHING;
	root->missed = false;
	if (returned)
		crawl->sink.returned(crawl->sink.data);
}

/* Gives the index the digest of a directory whose rows were right before the visit. */
static bool visit_put_digest(Crawl *crawl, const Visit *visit, GError **error)
{
	uint64_t digest;
	if (visit->place.root->agent || !visit->rows || visit->changed || visit->unknown ||
	        !visit_rows_are_true(visit->rows, crawl->writer) ||
	        !visit_rows_digest(visit->rows, digest_key(crawl->writer), &digest))
		return true;
	return writer_set_digest(crawl->writer, visit->node, digest, error);
}

static bool visit_finish(Crawl *crawl, Visit *visit, int64_t now_us, bool *done_r, GError **error)
{
	Root *root = visit->place.root;
	*done_r = true;
	if (visit->unknown) {
		note_missed(visit->place.dir, visit->deep);
		visit_again(crawl, visit->place.dir, now_us);
	} else {
		visit->place.dir->failures = 0;
	}
	if (root->dir == visit->place.dir)
		note_root_visited(crawl, root);
	if (!visit->dirs && (!look_for_gone(crawl, visit, now_us, error) ||
	                            !visit_put_digest(crawl, visit, error)))
		return false;
	look_again_for_gone(crawl, visit, now_us);
	watcher_visited(
	        crawl->watcher, visit->place.dir, visit->changed, visit->started_us, now_us);
	return visit_update_own_facts(crawl, visit->place.dir, visit->place.fd, error);
}

/* As long as the rows are true, each name that was read has been looked up in them: so what is
 * unseen at the end has no entry. */
static ReconcileResult visit_entry(Crawl *crawl, Visit *visit, const char *name, GError **error)
{
	if (!visit_rows_are_true(visit->rows, crawl->writer))
		return reconcile_entry(crawl, &visit->place, name, 0, visit->deep, error);
	const Entry *row = visit_rows_see(visit->rows, name);
	return reconcile_with_row(crawl, &visit->place, name, row, visit->deep, error);
}

/* The list of a directory can be read twice. Over an agent that would cost more than it saves. */
static bool visit_compare(Crawl *crawl, Visit *visit, unsigned *budget, GError **error)
{
	uint64_t stored, digest;
	unsigned n;
	visit->compared = true;
	if (visit->place.root->agent)
		return true;
	int found = writer_digest(crawl->writer, visit->node, &stored, error);
	if (found <= 0)
		return found == 0;
	g_autoptr(GPtrArray) dirs = g_ptr_array_new_with_free_func(g_free);
	bool same = digest_of_entries(crawl, &visit->place, visit->list, &digest, dirs, &n) &&
	            digest == stored;
	*budget -= MIN(*budget, n);
	if (same) {
		visit->dirs = g_steal_pointer(&dirs);
		return true;
	}
	safe_list_free(visit->list);
	visit->list = safe_list_new(NULL, visit->place.fd);
	/* If that fails, the entries that are not read again count as gone, and are looked for. */
	(void)lseek(visit->place.fd, 0, SEEK_SET);
	return true;
}

/* The rows of directories are read all the same, because directories are entered by them. */
static bool visit_enter_dirs(Crawl *crawl, Visit *visit, unsigned *budget, GError **error)
{
	for (; *budget > 0 && visit->next_dir < visit->dirs->len; visit->next_dir++, --*budget) {
		const char *name = visit->dirs->pdata[visit->next_dir];
		ReconcileResult result =
		        reconcile_entry(crawl, &visit->place, name, 0, visit->deep, error);
		if (result == RECONCILE_FAILED)
			return false;
		visit->unknown |= result == RECONCILE_UNKNOWN;
	}
	return true;
}

bool visit_step(
        Crawl *crawl, Visit *visit, unsigned *budget, int64_t now_us, bool *done_r, GError **error)
{
	*done_r = false;
	if (!visit->list)
		return visit_empty(crawl, visit, budget, done_r, error);
	if (!visit->compared && !visit_compare(crawl, visit, budget, error))
		return false;
	if (visit->dirs) {
		if (!visit_enter_dirs(crawl, visit, budget, error))
			return false;
		return visit->next_dir < visit->dirs->len ||
		       visit_finish(crawl, visit, now_us, done_r, error);
	}
	if (!visit->rows && !(visit->rows = visit_rows_load(crawl->writer, visit->node, error)))
		return false;
	while (*budget > 0) {
		const char *name = safe_list_next(visit->list);
		if (!name && errno != 0) { /* The rest is unknown, so nothing is deleted. */
			note_missed(visit->place.dir, visit->deep);
			visit_again(crawl, visit->place.dir, now_us);
			*done_r = true;
			return true;
		}
		if (!name)
			return visit_finish(crawl, visit, now_us, done_r, error);
		unsigned before = writer_changes(crawl->writer);
		ReconcileResult result = visit_entry(crawl, visit, name, error);
		if (result == RECONCILE_FAILED)
			return false;
		note_seen(visit, name);
		visit->unknown |= result == RECONCILE_UNKNOWN;
		visit->changed |= writer_changes(crawl->writer) != before;
		(*budget)--;
	}
	return true;
}
