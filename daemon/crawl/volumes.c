/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/crawl/volumes.h"
#include "daemon/crawl/roots.h"
#include "common/base/autofd.h"
#include "daemon/fs/filesystem.h"
#include "daemon/fs/safeopen.h"
#include <string.h>

static const Dir *mount_above(const Dir *dir)
{
	while (dir && !(dir->flags & DIR_MOUNT))
		dir = dir->parent;
	return dir;
}

const Volume *volume_of(const Crawl *crawl, const Dir *dir)
{
	const Dir *mount = mount_above(dir);
	const Root *root = place_root_of(crawl, dir);
	return mount ? g_hash_table_lookup(crawl->volumes, &mount->node)
	             : (root ? &root->volume : NULL);
}

SafeStat volume_ask(const Volume *volume)
{
	return volume && volume->remote ? SAFE_ASK : SAFE_CACHED;
}

static bool is_on(const Volume *volume, const struct statx *st)
{
	return volume->device_major == st->stx_dev_major &&
	       volume->device_minor == st->stx_dev_minor;
}

bool volume_ends(const Volume *volume, const struct statx *st)
{
	return safe_is_elsewhere(st, is_on(volume, st));
}

/* True if a root or another mount covers it already. */
static bool is_covered(const Crawl *crawl, const struct statx *st, const Dir *here)
{
	GHashTableIter iter;
	gpointer node, volume;
	for (guint i = 0; i < crawl->roots->len; i++) {
		const Root *root = crawl->roots->pdata[i];
		if (root->dir && is_on(&root->volume, st))
			return true;
	}
	g_hash_table_iter_init(&iter, crawl->volumes);
	while (g_hash_table_iter_next(&iter, &node, &volume)) {
		if (is_on(volume, st) && (!here || *(int64_t *)node != here->node))
			return true;
	}
	return false;
}

static unsigned mounts_above(const Dir *dir)
{
	unsigned n = 0;
	for (; dir; dir = dir->parent)
		n += (dir->flags & DIR_MOUNT) != 0;
	return n;
}

static Dir *dir_at(Crawl *crawl, const Place *place, const char *name)
{
	Entry row;
	if (writer_lookup(crawl->writer, place->dir->node, name, &row, NULL) != 1)
		return NULL;
	return tree_find(crawl->tree, row.node);
}

/* A part of a file system with its own device number (a subvolume) is not in the table of mounts.
 */
static bool is_ordinary(const Crawl *crawl, const struct statx *st)
{
	MountKind kind = mounts_kind(crawl->mounts, st->stx_dev_major, st->stx_dev_minor);
	return kind == MOUNT_ORDINARY || (kind == MOUNT_UNKNOWN && !safe_is_mount_point(st));
}

/* All that are there; the caller owns the list, and none of its elements. */
static GPtrArray *list_volumes(const Crawl *crawl)
{
	GPtrArray *all = g_ptr_array_new();
	GHashTableIter iter;
	gpointer volume;
	for (guint i = 0; i < crawl->roots->len; i++) {
		Root *root = crawl->roots->pdata[i];
		if (root->dir)
			g_ptr_array_add(all, &root->volume);
	}
	g_hash_table_iter_init(&iter, crawl->volumes);
	while (g_hash_table_iter_next(&iter, NULL, &volume))
		g_ptr_array_add(all, volume);
	return all;
}

static bool is_mounted(const Volume *volume)
{
	g_autoptr(Mounts) now = mounts_new(NULL);
	mounts_read(now, NULL, NULL);
	return mounts_origin(now, volume->device_major, volume->device_minor) != NULL;
}

/* True if another file system that is mounted has this row: of a disk and its copy, with one UUID,
 * files would be taken for each other. */
static bool has_copy(const GPtrArray *all, const Volume *volume, const struct statx *st)
{
	for (guint i = 0; i < all->len; i++) {
		const Volume *other = all->pdata[i];
		if (other->filesystem == volume->filesystem && !is_on(other, st) &&
		        is_mounted(other))
			return true;
	}
	return false;
}

static bool is_there(const GPtrArray *all, int64_t filesystem)
{
	for (guint i = 0; i < all->len; i++)
		if (((const Volume *)all->pdata[i])->filesystem == filesystem)
			return true;
	return false;
}

/* The roots of one file system come one after the other. */
static bool is_renumbered(const GPtrArray *all, int64_t filesystem)
{
	for (guint i = 0; i < all->len; i++) {
		const Volume *other = all->pdata[i];
		if (other->filesystem == filesystem && other->renumbered)
			return true;
	}
	return false;
}

/* The identity of the file system is new: the directory, with all that the index has below it, may
 * have been copied to it. Without birth times, numbers of other files would be believed. */
static bool may_be_copied(
        Crawl *crawl, const VolumePlace *place, const GPtrArray *all, const Volume *volume)
{
	bool numbered = volume->by_name || (place->st->stx_mask & STATX_BTIME);
	return numbered && place->former != 0 && !is_there(all, place->former) &&
	       roots_have_left(crawl, place->former, place->st);
}

static bool find_filesystem(Crawl *crawl, const VolumePlace *place, const Filesystem *filesystem,
        const GPtrArray *all, Volume *out, GError **error)
{
	Writer *w = crawl->writer;
	if (!writer_find_filesystem(w, filesystem->identity, &out->filesystem, error))
		return false;
	if (out->filesystem != 0)
		return true;
	out->renumbered = may_be_copied(crawl, place, all, out);
	if (!out->renumbered)
		return writer_filesystem(
		        w, filesystem->identity, filesystem->type, &out->filesystem, error);
	out->filesystem = place->former;
	return writer_rename_filesystem(w, place->former, filesystem->identity, error);
}

/* The mount point tells a copy. */
static bool tell_copy(
        Crawl *crawl, const Filesystem *filesystem, bool copied, Volume *out, GError **error)
{
	int64_t here = 0;
	if (!filesystem->identity_here)
		return true;
	bool ok = copied ? writer_filesystem(crawl->writer, filesystem->identity_here,
	                           filesystem->type, &here, error)
	                 : writer_find_filesystem(
	                           crawl->writer, filesystem->identity_here, &here, error);
	if (here != 0)
		out->filesystem = here;
	return ok;
}

int volume_identify(Crawl *crawl, const VolumePlace *place, Volume *out, GError **error)
{
	g_auto(Filesystem) filesystem = {0};
	const struct statx *st = place->st;
	if (!filesystem_identify(place->agent, place->fd, st, &filesystem))
		return 0;
	g_autoptr(GPtrArray) all = list_volumes(crawl);
	*out = (Volume){0, st->stx_dev_major, st->stx_dev_minor, filesystem.remote,
	        filesystem.folds_case, filesystem.by_name};
	if (!find_filesystem(crawl, place, &filesystem, all, out, error) ||
	        !tell_copy(crawl, &filesystem, has_copy(all, out, st), out, error))
		return -1;
	out->renumbered |= is_renumbered(all, out->filesystem);
	return 1;
}

int volume_admit(Crawl *crawl, const Place *place, const char *name, const struct statx *st,
        Volume *out, GError **error)
{
	if (!S_ISDIR(st->stx_mode) || mounts_above(place->dir) >= SAFE_CROSSINGS ||
	        !is_ordinary(crawl, st) || is_covered(crawl, st, dir_at(crawl, place, name)))
		return 0;
	autofd fd = safe_enter(
	        place->root->agent, place->fd, name, st->stx_dev_major, st->stx_dev_minor);
	const VolumePlace top = {place->root->agent, fd, st, 0};
	return fd < 0 ? 0 : volume_identify(crawl, &top, out, error);
}

void volume_begin(Crawl *crawl, Dir *dir, const Volume *volume)
{
	dir->flags |= DIR_MOUNT;
	g_hash_table_replace(crawl->volumes, g_memdup2(&dir->node, sizeof(dir->node)),
	        g_memdup2(volume, sizeof(*volume)));
}

void volume_forget(Crawl *crawl, const Dir *dir)
{
	if (dir->flags & DIR_MOUNT)
		g_hash_table_remove(crawl->volumes, &dir->node);
}

/* An unreadable directory counts as not empty: it is not evidence that the rows are stale. */
static bool volumes_is_empty(const Place *place, const char *name)
{
	Agent *agent = place->root->agent;
	autofd fd = safe_open_dir(agent, place->fd, name, NULL);
	return fd < 0 || safe_is_empty(agent, fd);
}

bool volume_is_away(
        Crawl *crawl, const Place *place, const char *name, const Entry *row, const EntryStat *now)
{
	const Volume *volume = volume_of(crawl, place->dir);
	int64_t none;
	if (!volume || row->stat.kind != ENTRY_DIR || row->stat.filesystem == volume->filesystem)
		return false;
	if (!writer_filesystem(crawl->writer, VOLUME_NONE, "none", &none, NULL) ||
	        row->stat.filesystem == none)
		return false;
	return !now || (now->kind == ENTRY_DIR && now->filesystem == volume->filesystem &&
	                       volumes_is_empty(place, name));
}

static size_t volumes_length_of(const char *relative, unsigned components)
{
	const char *end = relative;
	for (; components > 0; components--)
		end = strchrnul(end + (end != relative), '/');
	return end - relative;
}

static void add_crossing(
        const Crawl *crawl, const Dir *dir, const char *relative, SafeCrossings *out)
{
	if (!dir->parent)
		return;
	add_crossing(crawl, dir->parent, relative, out);
	const Volume *volume =
	        dir->flags & DIR_MOUNT ? g_hash_table_lookup(crawl->volumes, &dir->node) : NULL;
	if (!volume || out->n == SAFE_CROSSINGS)
		return;
	out->at[out->n].length = volumes_length_of(relative, dir_depth(dir));
	out->at[out->n].device_major = volume->device_major;
	out->at[out->n++].device_minor = volume->device_minor;
}

void volume_crossings(const Crawl *crawl, const Dir *dir, const char *relative, SafeCrossings *out)
{
	out->n = 0;
	if (g_hash_table_size(crawl->volumes) > 0)
		add_crossing(crawl, dir, relative, out);
}

/* After the next mount it must be visited and watched again, even if the unmount was not
 * noticed. */
void volume_note_unmount(Crawl *crawl, Dir *dir)
{
	const Dir *mount = mount_above(dir);
	Dir *top = mount ? tree_find(crawl->tree, mount->node) : (Dir *)dir_top(dir);
	top->flags |= DIR_MISSED | DIR_DEEP;
	crawl_note_mounts(crawl);
}
