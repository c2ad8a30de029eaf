/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/crawl/reconcile.h"
#include "common/base/autofd.h"
#include "common/base/paths.h"
#include "daemon/fs/safeopen.h"
#include "daemon/crawl/alias.h"
#include "daemon/crawl/dir-move.h"
#include "daemon/crawl/visit.h"
#include "daemon/crawl/volumes.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>

/* No file system allows names of more than 255 bytes, so a row with a longer one never matches a
 * file. */
enum { ORPHAN_NAME_BYTES = 300 };

typedef struct {
	Crawl *crawl;
	const Place *place;
	const char *name;
	const Volume *volume; /* of the directory */
	unsigned what;
	bool deep;
	bool read; /* the row has been read already */
	const Entry *row; /* NULL: there is none */
	bool enterable; /* it is a directory that is covered */
	Volume mounted; /* what is mounted there; filesystem 0: nothing */
	bool bare; /* it is the mount point of an unmounted file system */
	bool by_name; /* it is recorded by its name alone, without a content */
	bool linked; /* it has other names, perhaps in directories that are not watched */
	bool kept; /* it moved here with everything below it, which is right as it is */
	bool unknown; /* its place cannot be determined now */
	bool unsure; /* it is a copy with the same name: only its bytes tell whether it is equal */
	EntryStat now;
} Look;

static bool reconcile_same_identity(const EntryStat *a, const EntryStat *b)
{
	return a->filesystem == b->filesystem && a->ino == b->ino && a->birth_ns == b->birth_ns &&
	       a->kind == b->kind;
}

static bool same_rights(const EntryStat *a, const EntryStat *b)
{
	return a->uid == b->uid && a->gid == b->gid && a->mode == b->mode;
}

static bool same_content(const EntryStat *a, const EntryStat *b)
{
	return a->size == b->size && a->mtime_ns == b->mtime_ns;
}

static bool reconcile_same_facts(const EntryStat *a, const EntryStat *b)
{
	return same_content(a, b) && a->ctime_ns == b->ctime_ns && same_rights(a, b);
}

static bool look_has_content(const Look *look)
{
	return look->now.kind == ENTRY_FILE && !look->by_name;
}

static void tell_content(const Look *look, const Entry *row)
{
	if (row->stat.kind == ENTRY_FILE && row->state == INODE_PENDING)
		look->crawl->sink.content(
		        row, look->place->dir, look->name, look->what, look->crawl->sink.data);
}

static void tell_changed(Crawl *crawl, const Entry *row)
{
	if (row->stat.kind == ENTRY_FILE)
		crawl->sink.changed(row->inode, crawl->sink.data);
}

static void reconcile_forget_dir(Dir *dir, void *data)
{
	Crawl *crawl = data;
	if (crawl->visit)
		visit_note_removed(crawl->visit, dir);
	watcher_forget(crawl->watcher, dir);
	volume_forget(crawl, dir);
	g_hash_table_remove(crawl->rules_cache, &dir->node);
}

static void forget_below(Crawl *crawl, int64_t node)
{
	Dir *dir = tree_find(crawl->tree, node);
	if (dir)
		tree_remove(crawl->tree, dir, reconcile_forget_dir, crawl);
}

/* Removes the row and everything below it at once. */
static bool reconcile_remove(Crawl *crawl, const Entry *row, GError **error)
{
	tell_changed(crawl, row);
	forget_below(crawl, row->node);
	orphans_remove(crawl->orphans, row->node);
	return writer_remove(crawl->writer, row->node, error);
}

bool reconcile_remove_part(Crawl *crawl, const Entry *row, unsigned *budget, GError **error)
{
	forget_below(crawl, row->node);
	if (!writer_remove_below(crawl->writer, row->node, budget, error))
		return false;
	if (*budget == 0)
		return true;
	--*budget;
	return reconcile_remove(crawl, row, error);
}

static bool hide_row(Crawl *crawl, const Entry *row, GError **error)
{
	tell_changed(crawl, row);
	return row->state == INODE_ORPHAN || writer_set_inode_state(crawl->writer, row->inode,
	                                             INODE_ORPHAN, REASON_NONE, NULL, error);
}

static bool make_orphan(Crawl *crawl, const Entry *row, int64_t now_us, GError **error)
{
	orphans_put(crawl->orphans, row->node, now_us);
	return hide_row(crawl, row, error);
}

bool reconcile_discard(Crawl *crawl, const Entry *row, GError **error)
{
	forget_below(crawl, row->node);
	orphans_put_first(crawl->orphans, row->node);
	return hide_row(crawl, row, error);
}

/* The orphan turned up. It is no longer known whether it was to be read, or whether it changed
 * meanwhile: a file is read again, and converted only if its bytes differ. */
static bool reconcile_revive(const Look *look, Entry *row, GError **error)
{
	bool pending = look_has_content(look);
	orphans_remove(look->crawl->orphans, row->node);
	if (row->state != INODE_ORPHAN)
		return true;
	row->state = pending ? INODE_PENDING : INODE_DONE;
	return writer_set_inode_state(
	        look->crawl->writer, row->inode, row->state, REASON_NONE, NULL, error);
}

/* Finds another node of the inode; 0: there is none. */
static bool find_other(
        Crawl *crawl, const EntryStat *stat, int64_t but, int64_t *node_r, GError **error)
{
	g_autoptr(GArray) nodes = NULL;
	*node_r = 0;
	if (!writer_find_identity(crawl->writer, stat, 2, &nodes, error))
		return false;
	for (guint i = 0; i < nodes->len && *node_r == 0; i++)
		if (g_array_index(nodes, int64_t, i) != but)
			*node_r = g_array_index(nodes, int64_t, i);
	return true;
}

/* An event of one name of the inode changes what is known of its other names, for which no event
 * comes. All of them share the inode's row, so it is enough to look at one; if that one is gone
 * too, this is found then. node: the one to look at, 0: none. */
static bool look_at_other(Crawl *crawl, int64_t node, GError **error)
{
	Entry other;
	if (node == 0)
		return true;
	g_autofree char *path = writer_path(crawl->writer, node, error);
	if (!path || !writer_must_get(crawl->writer, node, &other, error))
		return false;
	g_autofree char *name = g_path_get_basename(path);
	queue_push(
	        crawl->queue, other.parent, name, HINT_FACTS | HINT_MOVED, g_get_monotonic_time());
	return true;
}

/* True if the row has something to keep in case the inode turns up elsewhere. */
static bool is_worth_keeping(const Entry *row)
{
	return row->stat.kind == ENTRY_DIR || row->content != 0;
}

/* Another inode has taken the name. The old one may turn up elsewhere (an editor's backup, two
 * names exchanged). */
static bool reconcile_make_orphan(const Look *look, const Entry *row, GError **error)
{
	Crawl *crawl = look->crawl;
	int64_t other;
	if (!find_other(crawl, &row->stat, row->node, &other, error) ||
	        !look_at_other(crawl, other, error))
		return false;
	if (other || !is_worth_keeping(row))
		return reconcile_remove(crawl, row, error);
	g_autofree char *name =
	        g_strdup_printf("%0*" G_GINT64_MODIFIER "d", ORPHAN_NAME_BYTES, row->node);
	return writer_move(crawl->writer, row->node, look->place->dir->node, name, error) &&
	       make_orphan(crawl, row, g_get_monotonic_time(), error);
}

/* False if something was mounted or unmounted there since, or if another directory may have taken
 * the name, by which it is known. */
static bool is_same_place(const Look *look, const Dir *dir)
{
	const unsigned replaced = HINT_CREATED | HINT_MOVED | HINT_GONE | HINT_ARRIVED;
	bool mount = dir->flags & DIR_MOUNT, bare = dir->flags & DIR_BARE;
	return look->enterable && mount == (look->mounted.filesystem != 0) && bare == look->bare &&
	       !(look->volume->by_name && (look->what & replaced));
}

static Dir *add_dir(const Look *look, const Entry *row)
{
	Dir *dir = tree_add(look->crawl->tree, look->place->dir, row->node,
	        place_dir_ino(look->bare ? &look->now : &row->stat));
	if (look->mounted.filesystem)
		volume_begin(look->crawl, dir, &look->mounted);
	dir->flags |= place_is_hot(look->crawl, row->node) ? DIR_HOT : 0;
	dir->flags |= look->bare ? DIR_BARE : 0;
	return dir;
}

/* Without a hint, a visit found it. */
static void mark_found(const Look *look, Dir *dir, unsigned flags)
{
	Tree *tree = look->crawl->tree;
	if (look->what == 0)
		tree_mark_dirty_behind(tree, dir, flags);
	else
		tree_mark_dirty(tree, dir, flags);
}

static void enter_dir(const Look *look, const Entry *row, bool changed)
{
	Tree *tree = look->crawl->tree;
	Dir *dir = tree_find(tree, row->node);
	if (dir && !is_same_place(look, dir)) {
		tree_remove(tree, dir, reconcile_forget_dir, look->crawl);
		dir = NULL;
	}
	if (!look->enterable)
		return;
	bool new = !dir;
	if (new)
		dir = add_dir(look, row);
	else if (look->mounted.filesystem)
		volume_begin(look->crawl, dir, &look->mounted); /* The device may differ now. */
	if (new || changed || look->deep || (dir->flags & (DIR_DENIED | DIR_MISSED)))
		mark_found(look, dir, new || changed || look->deep ? DIR_DEEP : 0);
}

static bool reconcile_put(const Look *look, bool needs_content, Entry *out, GError **error)
{
	return writer_put(look->crawl->writer, look->place->dir->node, look->name, &look->now,
	        needs_content, out, error);
}

/* Reading again costs little, and converts nothing if the bytes are the same. */
static bool is_cheap(const Look *look)
{
	return look->now.size <= SAFE_COPY_BYTES;
}

/* Events report every write to the files of a watched directory: then a new ctime alone means new
 * permissions, owner or links. Without events, and where the file is or was reachable by another
 * name, its content may have changed and its times may have been set back. */
static bool trusts_times(const Look *look)
{
	const Dir *dir = look->place->dir;
	bool elsewhere = ((look->what & HINT_MOVED) || look->linked) && is_cheap(look);
	return look->what != 0 && !elsewhere && dir->watch >= 0 && (dir->flags & DIR_VISITED);
}

/* True for a write that may leave the times as they are: within one clock tick, with the times set
 * back afterwards, or through a mapping, which only the close reports. */
static bool may_hide_a_write(const Look *look)
{
	return (look->what & HINT_MODIFIED) || ((look->what & HINT_CLOSED) && is_cheap(look));
}

/* The mode bits do not tell, because of access control lists. */
static bool reconcile_may(const Look *look, int mode)
{
	return safe_may(
	        look->place->root->agent, look->place->fd, look->name, mode, AT_SYMLINK_NOFOLLOW);
}

/* The permissions changed while the bytes are the same: checks whether the file can still be read,
 * or can be read now. */
static bool refresh_rights(const Look *look, Entry *row, GError **error)
{
	Writer *writer = look->crawl->writer;
	bool readable = reconcile_may(look, R_OK);
	if (row->state == INODE_FAILED && readable)
		return reconcile_put(look, true, row, error) &&
		       writer_set_inode_state(writer, row->inode, row->state = INODE_PENDING,
		               REASON_NONE, NULL, error);
	if (!reconcile_same_facts(&row->stat, &look->now) &&
	        !writer_update_stat(writer, row->inode, &look->now, error))
		return false;
	if (readable || row->state == INODE_FAILED)
		return true;
	row->state = INODE_FAILED;
	tell_changed(look->crawl, row);
	return writer_set_inode_state(
	        writer, row->inode, INODE_FAILED, REASON_UNREADABLE, NULL, error);
}

static bool refresh_file(const Look *look, Entry *row, GError **error)
{
	const EntryStat *old = &row->stat;
	bool same = reconcile_same_facts(old, &look->now);
	bool read_again = !same_content(old, &look->now) || may_hide_a_write(look) ||
	                  look->unsure || (!same && !trusts_times(look));
	if (!read_again) {
		if ((!same || (look->what & HINT_FACTS)) && !refresh_rights(look, row, error))
			return false;
		tell_content(look, row); /* Report the file, even if only because it is back. */
		return true;
	}
	tell_changed(look->crawl, row);
	if (!reconcile_put(look, true, row, error))
		return false;
	if (row->state != INODE_PENDING &&
	        !writer_set_inode_state(look->crawl->writer, row->inode, row->state = INODE_PENDING,
	                REASON_NONE, NULL, error))
		return false;
	tell_content(look, row);
	return true;
}

static bool refresh_by_name(const Look *look, Entry *row, GError **error)
{
	if (!reconcile_put(look, false, row, error))
		return false;
	return row->state == INODE_DONE ||
	       writer_set_inode_state(look->crawl->writer, row->inode, row->state = INODE_DONE,
	               REASON_NONE, NULL, error);
}

/* A directory that was closed for a moment may have hidden others below it. A visit may already
 * have noted its new permissions. */
static void refresh_dir(const Look *look, const Entry *row, bool arrived, bool changed)
{
	bool recheck = changed || (look->what & HINT_FACTS);
	bool closed = recheck && !reconcile_may(look, R_OK | X_OK);
	enter_dir(look, row, arrived || closed || !same_rights(&row->stat, &look->now));
	Dir *dir = tree_find(look->crawl->tree, row->node);
	if (dir && recheck)
		tree_mark_denied(look->crawl->tree, dir);
}

/* Handles a row whose inode is still the one at its name. */
static bool reconcile_refresh(const Look *look, Entry *row, bool moved, GError **error)
{
	bool changed = !reconcile_same_facts(&row->stat, &look->now);
	bool orphan = row->state == INODE_ORPHAN;
	if (!reconcile_revive(look, row, error))
		return false;
	if (row->stat.kind == ENTRY_FILE && look->by_name)
		return refresh_by_name(look, row, error);
	if (row->stat.kind == ENTRY_FILE) {
		if (orphan)
			tell_content(look, row);
		return refresh_file(look, row, error);
	}
	if (changed && !writer_update_stat(look->crawl->writer, row->inode, &look->now, error))
		return false;
	if (row->stat.kind == ENTRY_DIR)
		refresh_dir(look, row, (moved || orphan) && !look->kept, changed);
	return true;
}

static bool is_gone(int code)
{
	return code == ENOENT || code == ENOTDIR || code == ENAMETOOLONG || code == ELOOP;
}

/* True for errors that may pass. Missing permission is not among them: an event reports its end. */
static bool may_pass(int code)
{
	return !is_gone(code) && code != EACCES && code != EPERM && code != EXDEV;
}

/* Tells whether the place of this node still holds the inode: 1 yes, 0 no, -1 error. *unknown_r: it
 * could not be determined. */
static int is_in_place(
        Crawl *crawl, int64_t node, const EntryStat *stat, bool *unknown_r, GError **error)
{
	g_autofree char *root = NULL, *relative = NULL;
	SafeCrossings crossings;
	struct statx st;
	Entry row;
	if (orphans_has(crawl->orphans, node))
		return 0;
	if (!writer_must_get(crawl->writer, node, &row, error))
		return -1;
	if (row.parent == 0) /* A root stays where it is. */
		return 1;
	if (!crawl_locate(crawl, node, &root, &relative, &crossings, error))
		return -1;
	const Dir *dir = tree_find(crawl->tree, row.parent);
	Root *there = dir ? place_root_of(crawl, dir) : NULL;
	if (!root || !there || place_root_fd(there) < 0)
		return 0;
	autofd fd = safe_open_path(there->agent, place_root_fd(there), relative, &crossings);
	if (fd < 0 || safe_stat_fd(there->agent, fd, volume_ask(volume_of(crawl, dir)), &st) != 0) {
		*unknown_r |= may_pass(errno);
		return 0;
	}
	EntryStat now =
	        place_stat(crawl, volume_of(crawl, dir), row.parent, path_base_name(relative), &st);
	return reconcile_same_identity(&now, stat) ? 1 : 0;
}

/* Finds a node of this inode whose place is empty: the inode has moved here from there. *known_r:
 * the index knows the inode. 0: there is no such node. An inode with several names may just have
 * gained one; if not, the old name goes by its own hint. Nothing is lost, because names share the
 * inode's row, and ten thousand names do not each look up all others. */
static bool find_origin(Look *look, int64_t *node_r, bool *known_r, GError **error)
{
	g_autoptr(GArray) nodes = NULL;
	*node_r = 0;
	if (!writer_find_identity(
	            look->crawl->writer, &look->now, look->linked ? 1 : G_MAXINT, &nodes, error))
		return false;
	*known_r = nodes->len > 0;
	for (guint i = 0; !look->linked && i < nodes->len && *node_r == 0; i++) {
		int64_t node = g_array_index(nodes, int64_t, i);
		int there = is_in_place(look->crawl, node, &look->now, &look->unknown, error);
		if (there < 0)
			return false;
		if (there == 0)
			*node_r = node;
	}
	return true;
}

static bool move_here(Look *look, int64_t node, GError **error)
{
	Crawl *crawl = look->crawl;
	Dir *dir = tree_find(crawl->tree, node);
	Entry row;
	if (dir && dir_is_below(look->place->dir, dir))
		return true; /* The rows above are out of date: their own hints correct them first.
		              */
	look->kept = dir && dir_move_keeps_rules(crawl, dir, look->place, look->name);
	if (!writer_move(crawl->writer, node, look->place->dir->node, look->name, error))
		return false;
	if (dir)
		tree_move(crawl->tree, dir, look->place->dir);
	if (!writer_must_get(crawl->writer, node, &row, error))
		return false;
	if (row.stat.kind == ENTRY_DIR)
		place_forget_rules(crawl);
	if (!reconcile_refresh(look, &row, true, error))
		return false;
	dir = look->kept ? tree_find(crawl->tree, node) : NULL;
	if (dir)
		dir_move_mark(crawl, dir);
	return true;
}

/* All was copied to another disk, and the row is still that of the original. */
static bool is_copied_here(const Look *look, const Entry *former)
{
	return look->what == 0 && look->volume->renumbered && former->stat.kind == look->now.kind;
}

/* Was a file renamed over the former one, as many editors save, or created where that one was
 * removed? No event told that the former one was renamed, so it turns up nowhere unless it has
 * another name. With other permissions, the old text would be shown to those who may read the new
 * one.
 */
static bool is_saved_over(const Look *look, const Entry *former, int64_t other)
{
	return (look->what & HINT_ARRIVED) && !(look->what & HINT_LEFT) && other == 0 &&
	       former->stat.kind == ENTRY_FILE && former->state != INODE_ORPHAN &&
	       look_has_content(look) && same_rights(&former->stat, &look->now);
}

/* The row of the former file becomes that of the file which is there now: the name is not written
 * again, and the old text is found until the new one is there. 1: done, 0: it does not apply, -1:
 * error. */
static int take_over(Look *look, const Entry *former, GError **error)
{
	Crawl *crawl = look->crawl;
	int64_t other;
	if (!former || look->mounted.filesystem != 0 ||
	        former->stat.filesystem != look->now.filesystem)
		return 0;
	if (!find_other(crawl, &former->stat, former->node, &other, error))
		return -1;
	if (!is_copied_here(look, former) && !is_saved_over(look, former, other))
		return 0;
	Entry row = *former;
	int done = writer_renumber(crawl->writer, &row, &look->now, error);
	if (done <= 0)
		return done;
	forget_below(crawl, row.node);
	look->unsure = true;
	return reconcile_refresh(look, &row, true, error) ? 1 : -1;
}

/* The name is new, or its row has another inode. */
static bool reconcile_arrive(Look *look, const Entry *former, GError **error)
{
	int64_t origin;
	bool known;
	Entry row;
	int taken = take_over(look, former, error);
	if (taken != 0)
		return taken > 0;
	if (former && !reconcile_make_orphan(look, former, error))
		return false;
	if (!find_origin(look, &origin, &known, error))
		return false;
	if (look->unknown)
		return true;
	if (origin)
		return move_here(look, origin, error);
	if (known && look->now.kind == ENTRY_DIR) {
		look->unknown = true; /* The inode was at two places within a moment, so it is being
		                         moved. */
		return true;
	}
	if (!reconcile_put(look, look_has_content(look), &row, error))
		return false;
	if (row.stat.kind == ENTRY_DIR)
		enter_dir(look, &row, true);
	if (known) /* The inode is known by another name: it may just have been read, with other
	              stat data. */
		tell_changed(look->crawl, &row);
	tell_content(look, &row);
	return true;
}

/* It is not entered, only recorded by its name. Its inode number belongs to another file system, so
 * one derived from the place is used instead. */
static bool stand_in(Look *look, GError **error)
{
	look->enterable = false;
	look->by_name = true;
	look->now.ino = look->place->dir->node;
	look->now.birth_ns = g_str_hash(look->name);
	return writer_filesystem(
	        look->crawl->writer, VOLUME_NONE, "none", &look->now.filesystem, error);
}

static bool reconcile_look_at_mount(Look *look, const struct statx *st, GError **error)
{
	int admitted =
	        volume_admit(look->crawl, look->place, look->name, st, &look->mounted, error);
	if (admitted <= 0)
		return admitted == 0 && stand_in(look, error);
	look->now = place_stat(look->crawl, &look->mounted, PLACE_TOP, "", st);
	return true;
}

static bool reconcile_found(Look *look, Entry *row, bool found, GError **error)
{
	if (found && volume_is_away(look->crawl, look->place, look->name, row, &look->now)) {
		look->bare = true;
		enter_dir(look, row, false);
		return true;
	}
	if (found && reconcile_same_identity(&row->stat, &look->now))
		return reconcile_refresh(look, row, false, error);
	return reconcile_arrive(look, found ? row : NULL, error);
}

bool reconcile_is_excluded(
        const Crawl *crawl, const Place *place, const char *name, const struct statx *st)
{
	if (S_ISDIR(st->stx_mode) && own_is_dir(crawl->own, st))
		return true;
	return rules_dir_excluded(place->rules) ||
	       rules_entry_excluded(place->rules, name, st->stx_mode);
}

/* An excluded name may be another name of a file that is covered. */
static bool look_behind_excluded(const Look *look, const struct statx *st, GError **error)
{
	int64_t node;
	const Volume *volume = look->volume;
	if (!S_ISREG(st->stx_mode) || st->stx_nlink < 2 || look->what == 0 || volume->by_name)
		return true;
	EntryStat now = place_stat(look->crawl, volume, look->place->dir->node, look->name, st);
	return find_other(look->crawl, &now, 0, &node, error) &&
	       look_at_other(look->crawl, node, error);
}

/* A file may have other names, which share its row. */
static bool reconcile_exclude(const Look *look, const Entry *row, GError **error)
{
	return row->stat.kind == ENTRY_DIR ? reconcile_discard(look->crawl, row, error)
	                                   : reconcile_remove(look->crawl, row, error);
}

static int look_find_row(const Look *look, Entry *out, GError **error)
{
	if (!look->read)
		return writer_lookup(
		        look->crawl->writer, look->place->dir->node, look->name, out, error);
	if (look->row)
		*out = *look->row;
	return look->row ? 1 : 0;
}

static ReconcileResult reconcile_row(Look *look, const struct statx *st, GError **error)
{
	Entry row;
	bool done;
	const Volume *volume = look->volume;
	int found = look_find_row(look, &row, error);
	if (found < 0)
		return RECONCILE_FAILED;
	if (reconcile_is_excluded(look->crawl, look->place, look->name, st)) {
		done = (!found || reconcile_exclude(look, &row, error)) &&
		       look_behind_excluded(look, st, error);
		return done ? RECONCILE_ABSENT : RECONCILE_FAILED;
	}
	look->enterable = S_ISDIR(st->stx_mode);
	look->linked = S_ISREG(st->stx_mode) && st->stx_nlink > 1 && !volume->by_name;
	look->now = place_stat(look->crawl, volume, look->place->dir->node, look->name, st);
	if (volume_ends(volume, st) && !reconcile_look_at_mount(look, st, error))
		return RECONCILE_FAILED;
	done = reconcile_found(look, &row, found > 0, error);
	if (!done)
		return RECONCILE_FAILED;
	return look->unknown ? RECONCILE_UNKNOWN : RECONCILE_PRESENT;
}

static ReconcileResult reconcile_look(Look *look, GError **error)
{
	struct statx st;
	const Place *place = look->place;
	look->volume = volume_of(look->crawl, place->dir);
	SafeStat how = volume_ask(look->volume);
	if (safe_stat(place->root->agent, place->fd, look->name, how, &st) == 0) {
		bool went = (look->what & (HINT_MOVED | HINT_GONE)) && !(look->what & HINT_ARRIVED);
		bool renamed = went && alias_is(look->crawl, place, look->name);
		return renamed ? RECONCILE_GONE : reconcile_row(look, &st, error);
	}
	/* Any other error says nothing about the entry, so its row stays. */
	if (is_gone(errno))
		return RECONCILE_GONE;
	return may_pass(errno) ? RECONCILE_UNKNOWN : RECONCILE_PRESENT;
}

ReconcileResult reconcile_entry(Crawl *crawl, const Place *place, const char *name, unsigned what,
        bool deep, GError **error)
{
	Look look = {.crawl = crawl, .place = place, .name = name, .what = what, .deep = deep};
	return reconcile_look(&look, error);
}

ReconcileResult reconcile_with_row(Crawl *crawl, const Place *place, const char *name,
        const Entry *row, bool deep, GError **error)
{
	Look look = {.crawl = crawl,
	        .place = place,
	        .name = name,
	        .deep = deep,
	        .read = true,
	        .row = row};
	return reconcile_look(&look, error);
}

bool reconcile_gone(
        Crawl *crawl, const Place *place, const char *name, int64_t now_us, GError **error)
{
	struct statx st;
	Entry row;
	int64_t other;
	SafeStat how = volume_ask(volume_of(crawl, place->dir));
	bool back = safe_stat(place->root->agent, place->fd, name, how, &st) == 0
	                    ? !alias_is(crawl, place, name)
	                    : !is_gone(errno);
	if (back)
		return true; /* Another hint leads to it. */
	int found = writer_lookup(crawl->writer, place->dir->node, name, &row, error);
	if (found <= 0)
		return found == 0;
	if (volume_is_away(crawl, place, name, &row, NULL)) {
		forget_below(crawl, row.node);
		return true;
	}
	if (!find_other(crawl, &row.stat, row.node, &other, error) ||
	        !look_at_other(crawl, other, error))
		return false;
	if (other || !is_worth_keeping(&row))
		return reconcile_remove(crawl, &row, error);
	return make_orphan(crawl, &row, now_us, error);
}
