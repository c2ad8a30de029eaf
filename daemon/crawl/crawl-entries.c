/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/crawl/judge-again.h"
#include "daemon/crawl/place.h"
#include "daemon/crawl/reconcile.h"
#include "daemon/crawl/visit.h"

enum { RETRY_US = 50 * 1000 };

static gint crawl_compare_entries(gconstpointer one, gconstpointer other)
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
	g_array_sort(due, crawl_compare_entries);
	return due;
}

/* The directory is not where its row says, so rows above it are out of date. Its own hints wait
 * until those rows are right. */
static bool put_off(Crawl *crawl, Dir *dir, PlaceResult result, const Place *place,
        QueueEntry *entries, guint n, int64_t now_us, GError **error)
{
	if (result == PLACE_GONE) {
		for (guint i = 0; i < n; i++)
			queue_push_at(crawl->queue, dir->node, entries[i].name, entries[i].what,
			        now_us + RETRY_US);
	}
	if (result == PLACE_DENIED) /* a visit removes the rows below it */
		tree_mark_dirty(crawl->tree, dir, 0);
	return visit_not_opened(crawl, dir, result, place->path ? place->path : "", now_us, error);
}

/* An entry without a name means the directory itself, which is visited again. */
static void take_whole(Crawl *crawl, Dir *dir, const QueueEntry *entries, guint n)
{
	bool whole = false;
	for (guint i = 0; i < n; i++)
		whole |= !*entries[i].name;
	if (whole)
		tree_mark_dirty(crawl->tree, dir, 0);
}

static SuspicionAnswer ask_suspicion(
        Crawl *crawl, const QueueEntry *entry, int64_t inode, int64_t now_us)
{
	const SuspicionLook look = {entry->dir, entry->name, entry->what, inode};
	SuspicionAnswer answer = suspicion_ask(crawl->suspicion, &look, now_us);
	if (answer == SUSPICION_RAISED)
		g_debug("watch: %s: by this name another file may have been written", entry->name);
	crawl->suspicions += answer == SUSPICION_RAISED;
	return answer;
}

static bool is_below_orphan(const Crawl *crawl, const Dir *dir)
{
	if (orphans_oldest_us(crawl->orphans) == INT64_MAX)
		return false;
	while (dir && !orphans_has(crawl->orphans, dir->node))
		dir = dir->parent;
	return dir;
}

/* Drops entries that will not be compared because their directory is gone. */
static void crawl_lose(Crawl *crawl, QueueEntry *entries, guint n, int64_t now_us)
{
	for (guint i = 0; i < n; i++) {
		entries[i].what |= HINT_GONE;
		ask_suspicion(crawl, &entries[i], 0, now_us);
	}
}

/* A marker file was created, removed or changed: other rules hold for everything below. An entry
 * that came or went may be a witness for the rule of another directory. */
static bool take_markers(Crawl *crawl, Dir *dir, const QueueEntry *entries, guint n, GError **error)
{
	enum { CAME_OR_WENT = HINT_CREATED | HINT_ARRIVED | HINT_MOVED | HINT_GONE };
	for (guint i = 0; i < n; i++) {
		if (rules_is_marker(entries[i].name)) {
			place_forget_rules(crawl);
			tree_mark_dirty(crawl->tree, dir, DIR_DEEP);
		} else if ((entries[i].what & CAME_OR_WENT) &&
		           !judge_again(crawl, dir, entries[i].name, error)) {
			return false;
		}
	}
	return true;
}

typedef bool (*EntryFunc)(
        Crawl *crawl, const Place *place, QueueEntry *entry, int64_t now_us, GError **error);

/* Calls f for the entries of one directory. */
static bool for_directory(
        Crawl *crawl, QueueEntry *entries, guint n, EntryFunc f, int64_t now_us, GError **error)
{
	Dir *dir = tree_find(crawl->tree, entries->dir);
	/* The directory was removed together with its rows; or it is an orphan, and everything
	 * below it is visited if it turns up. Waiting for that would keep it from being purged. */
	if (!dir || is_below_orphan(crawl, dir)) {
		if (dir)
			dir->flags |= DIR_MISSED | DIR_DEEP;
		crawl_lose(crawl, entries, n, now_us);
		return true;
	}
	take_whole(crawl, dir, entries, n);
	if (!take_markers(crawl, dir, entries, n, error))
		return false;
	g_auto(Place) place = {.fd = -1};
	PlaceResult result = place_open(crawl, dir, &place, error);
	if (result == PLACE_FAILED)
		return false;
	if (result != PLACE_OPEN)
		return put_off(crawl, dir, result, &place, entries, n, now_us, error);
	if (dir->flags & DIR_BARE) {
		visit_ask_parent(crawl, dir, place.path, now_us);
		return true;
	}
	for (guint i = 0; i < n; i++) {
		if (*entries[i].name && !f(crawl, &place, &entries[i], now_us, error))
			return false;
	}
	/* An entry that was just looked at may have been an ancestor of this directory in the rows.
	 */
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

/* True if the event may have been for another file, which will not be compared. */
static bool suspicion_entry(Crawl *crawl, const QueueEntry *entry, ReconcileResult result,
        int64_t now_us, GError **error)
{
	Entry row = {0};
	bool gone = result == RECONCILE_GONE;
	if (result != RECONCILE_PRESENT && !gone)
		return true;
	if (!gone && suspicion_wants_inode(entry->what) &&
	        writer_lookup(crawl->writer, entry->dir, entry->name, &row, error) < 0)
		return false;
	if (!gone && row.inode == 0)
		row.inode = -1; /* a row exists, its number does not matter */
	if (ask_suspicion(crawl, entry, row.inode, now_us) == SUSPICION_LOOK_AGAIN)
		queue_push_at(crawl->queue, entry->dir, entry->name, entry->what | HINT_LOOK_AGAIN,
		        now_us + SUSPICION_LOOK_AGAIN_US);
	return true;
}

/* The second pass skips an entry that has been dealt with: its name is set to NULL. */
static bool crawl_look_at(
        Crawl *crawl, const Place *place, QueueEntry *entry, int64_t now_us, GError **error)
{
	ReconcileResult result =
	        reconcile_entry(crawl, place, entry->name, entry->what, false, error);
	g_debug("queue: %s/%s: %s", place->path, entry->name,
	        result == RECONCILE_GONE ? "is gone" : "compared with its row");
	if (result == RECONCILE_UNKNOWN)
		visit_again(crawl, place->dir, now_us);
	if (result == RECONCILE_FAILED || !suspicion_entry(crawl, entry, result, now_us, error))
		return false;
	if (result != RECONCILE_GONE)
		entry->what = 0;
	return true;
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
	if (!for_directories(crawl, due, crawl_look_at, now_us, error))
		return false;
	keep_gone(due);
	return for_directories(crawl, due, look_again, now_us, error);
}
