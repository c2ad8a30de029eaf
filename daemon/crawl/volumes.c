/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/crawl/volumes.h"
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

static bool is_mounted(const Volume *volume)
{
	g_autoptr(Mounts) now = mounts_new(NULL);
	mounts_read(now, NULL, NULL);
	return mounts_origin(now, volume->device_major, volume->device_minor) != NULL;
}

/* True if another file system that is mounted has this row: of a disk and its copy, with one UUID,
 * files would be taken for each other. */
static bool is_copy(const Volume *volume, const Volume *other)
{
	bool one_device = volume->device_major == other->device_major &&
	                  volume->device_minor == other->device_minor;
	return other->filesystem == volume->filesystem && !one_device && is_mounted(other);
}

static bool has_copy(const Crawl *crawl, const Volume *volume)
{
	GHashTableIter iter;
	gpointer other;
	for (guint i = 0; i < crawl->roots->len; i++) {
		const Root *root = crawl->roots->pdata[i];
		if (root->dir && is_copy(volume, &root->volume))
			return true;
	}
	g_hash_table_iter_init(&iter, crawl->volumes);
	while (g_hash_table_iter_next(&iter, NULL, &other))
		if (is_copy(volume, other))
			return true;
	return false;
}

int volume_identify(
        Crawl *crawl, Agent *agent, int fd, const struct statx *st, Volume *out, GError **error)
{
	g_auto(Filesystem) filesystem = {0};
	int64_t here = 0;
	if (!filesystem_identify(agent, fd, st, &filesystem))
		return 0;
	*out = (Volume){0, st->stx_dev_major, st->stx_dev_minor, filesystem.remote,
	        filesystem.folds_case, filesystem.by_name};
	if (!writer_filesystem(
	            crawl->writer, filesystem.identity, filesystem.type, &out->filesystem, error))
		return -1;
	if (!filesystem.identity_here)
		return 1;
	bool known = has_copy(crawl, out)
	                     ? writer_filesystem(crawl->writer, filesystem.identity_here,
	                               filesystem.type, &here, error)
	                     : writer_find_filesystem(
	                               crawl->writer, filesystem.identity_here, &here, error);
	if (here)
		out->filesystem = here;
	return known ? 1 : -1;
}

int volume_admit(Crawl *crawl, const Place *place, const char *name, const struct statx *st,
        Volume *out, GError **error)
{
	if (!S_ISDIR(st->stx_mode) || mounts_above(place->dir) >= SAFE_CROSSINGS ||
	        !is_ordinary(crawl, st) || is_covered(crawl, st, dir_at(crawl, place, name)))
		return 0;
	autofd fd = safe_enter(
	        place->root->agent, place->fd, name, st->stx_dev_major, st->stx_dev_minor);
	return fd < 0 ? 0 : volume_identify(crawl, place->root->agent, fd, st, out, error);
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
