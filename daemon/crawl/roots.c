/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/crawl/roots.h"
#include "common/base/autofd.h"
#include "common/base/paths.h"
#include "daemon/fs/agent-launcher.h"
#include "daemon/crawl/place.h"
#include "daemon/crawl/reconcile.h"
#include "daemon/fs/safeopen.h"
#include "daemon/crawl/visit.h"
#include "daemon/crawl/volumes.h"
#include <errno.h>
#include <fcntl.h>

enum { OFFLINE_POLL_US = 30 * 1000 * 1000, STUCK_POLL_US = 3 * 1000 * 1000 };

void root_free(gpointer data)
{
	Root *root = data;
	if (root->fd >= 0)
		close(root->fd);
	agent_free(root->agent);
	g_free(root->path);
	g_free(root);
}

Root *root_new(const char *path)
{
	Root *root = g_new0(Root, 1);
	root->path = g_strdup(path);
	root->fd = -1;
	root->state = ROOT_OFFLINE;
	return root;
}

static bool root_is_away(const Root *root)
{
	return root->state == ROOT_OFFLINE || root->state == ROOT_DENIED ||
	       root->state == ROOT_STUCK;
}

static void roots_forget_dir(Dir *dir, void *data)
{
	Crawl *crawl = data;
	watcher_forget(crawl->watcher, dir);
	volume_forget(crawl, dir);
}

void root_forget_dir(Crawl *crawl, Root *root)
{
	g_clear_pointer(&crawl->visit, visit_free);
	if (root->dir)
		tree_remove(crawl->tree, root->dir, roots_forget_dir, crawl);
	root->dir = NULL;
}

static bool is_empty_dir(const Root *root, int root_fd)
{
	autofd fd = safe_open_dir(root->agent, root_fd, "", NULL);
	return fd >= 0 && safe_is_empty(root->agent, fd);
}

/* The daemon may read the roots that were there when it started. An agent may read others. */
static bool root_is_refused(const Root *root)
{
	if (!agent_launcher_of_process())
		return false;
	autofd fd = open(root->path, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC);
	return fd < 0 && errno == EACCES;
}

/* The table of mounts decides first, so that no file system that may hang is touched. */
static void choose_agent(Crawl *crawl, Root *root)
{
	bool wanted = mounts_may_hang(crawl->mounts, root->path) || root_is_refused(root);
	if (wanted && !root->agent)
		root->agent = agent_new(crawl->stop, root->path);
	if (wanted || !root->agent)
		return;
	root_forget_dir(
	        crawl, root); /* The old directory is gone, and a visit may still wait for it. */
	g_clear_pointer(&root->agent, agent_free);
}

static bool is_on_device(Crawl *crawl, Root *root, const struct statx *st)
{
	struct statx there;
	choose_agent(crawl, root);
	autofd fd = safe_open_root(root->agent, root->path);
	return fd >= 0 && safe_stat_fd(root->agent, fd, SAFE_ASK, &there) == 0 &&
	       there.stx_dev_major == st->stx_dev_major && there.stx_dev_minor == st->stx_dev_minor;
}

bool roots_have_left(Crawl *crawl, int64_t filesystem, const struct statx *st)
{
	Entry row;
	for (guint i = 0; i < crawl->roots->len; i++) {
		Root *root = crawl->roots->pdata[i];
		int found = writer_lookup(crawl->writer, 0, root->path, &row, NULL);
		if (found < 0 || (found > 0 && row.stat.filesystem == filesystem &&
		                         !is_on_device(crawl, root, st)))
			return false;
	}
	return true;
}

/* 0 also for another, empty file system: the bare mount point of one that is unmounted. row: of the
 * root; NULL: there is none. */
static int identify_root(Crawl *crawl, const Root *root, int fd, const struct statx *st,
        const Entry *row, Volume *out, GError **error)
{
	bool empty = row && is_empty_dir(root, fd);
	const VolumePlace place = {root->agent, fd, st, row && !empty ? row->stat.filesystem : 0};
	int identified = volume_identify(crawl, &place, out, error);
	if (identified > 0 && empty && row->stat.filesystem != out->filesystem)
		return 0;
	if (identified > 0 && row)
		out->renumbered |= out->by_name && !entry_is_by_name(&row->stat);
	return identified;
}

/* found: there is a row, which gets the new facts. */
static bool put_root(Crawl *crawl, const Root *root, const Volume *volume, const EntryStat *now,
        bool found, Entry *row, GError **error)
{
	if (found && volume->renumbered && writer_renumber(crawl->writer, row, now, error) < 0)
		return false;
	return writer_put(crawl->writer, 0, root->path, now, false, row, error);
}

static bool adopt_root(Crawl *crawl, Root *root, int fd, const struct statx *st, GError **error)
{
	Entry row;
	Volume volume;
	int found = writer_lookup(crawl->writer, 0, root->path, &row, error);
	if (found < 0)
		return false;
	int identified = identify_root(crawl, root, fd, st, found ? &row : NULL, &volume, error);
	if (identified <= 0)
		return identified == 0;
	EntryStat now = place_stat(crawl, &volume, PLACE_TOP, "", st);
	if (!put_root(crawl, root, &volume, &now, found, &row, error))
		return false;
	root->volume = volume;
	root->state = ROOT_SCANNING;
	root->dir = tree_add(crawl->tree, NULL, row.node, place_dir_ino(&now));
	root->dir->flags |= place_is_hot(crawl, row.node) ? DIR_HOT : 0;
	tree_mark_dirty(crawl->tree, root->dir, DIR_DEEP);
	return true;
}

static RootState roots_state_of(Root *root, int code)
{
	if (root->agent && agent_is_stuck(root->agent))
		return ROOT_STUCK;
	return code == EACCES ? ROOT_DENIED : ROOT_OFFLINE;
}

/* Checks that the root exists and is the directory that is known. If not, a new directory is
 * adopted, or the root is offline. */
static bool check_root(Crawl *crawl, Root *root, GError **error)
{
	struct statx st;
	root->missed |= root_is_away(root);
	choose_agent(crawl, root);
	autofd fd = safe_open_root(root->agent, root->path);
	bool there = fd >= 0 && safe_stat_fd(root->agent, fd, SAFE_ASK, &st) == 0 &&
	             !own_is_dir(crawl->own, &st);
	if (there && root->dir && (root->dir->ino == 0 || root->dir->ino == st.stx_ino) &&
	        root->volume.device_major == st.stx_dev_major &&
	        root->volume.device_minor == st.stx_dev_minor) {
		if (root_is_away(root) || (root->dir->flags & DIR_MISSED))
			tree_mark_dirty(crawl->tree, root->dir, DIR_DEEP);
		return true;
	}
	int code = fd < 0 ? errno : 0;
	root_forget_dir(crawl, root);
	if (root->fd >= 0)
		close(root->fd);
	root->fd = -1;
	root->state = roots_state_of(root, code);
	return !there || adopt_root(crawl, root, fd, &st, error);
}

bool roots_check(Crawl *crawl, int64_t now_us, GError **error)
{
	crawl->offline_poll_us = INT64_MAX;
	for (guint i = 0; i < crawl->roots->len; i++) {
		Root *root = crawl->roots->pdata[i];
		if (!check_root(crawl, root, error))
			return false;
		int64_t again_us =
		        now_us + (root->state == ROOT_STUCK ? STUCK_POLL_US : OFFLINE_POLL_US);
		if (root_is_away(root))
			crawl->offline_poll_us = MIN(crawl->offline_poll_us, again_us);
	}
	return true;
}

typedef struct {
	const char *const *roots;
	GArray *gone; /* of Entry */
} RootPurge;

static void find_purged(const char *name, const Entry *entry, void *data)
{
	RootPurge *purge = data;
	if (!path_is_web(name) && !g_strv_contains(purge->roots, name))
		g_array_append_val(purge->gone, *entry);
}

bool roots_purge(Crawl *crawl, const char *const *roots, GError **error)
{
	g_autoptr(GArray) gone = g_array_new(FALSE, FALSE, sizeof(Entry));
	RootPurge purge = {roots, gone};
	if (!writer_children(crawl->writer, 0, find_purged, &purge, error))
		return false;
	for (guint i = 0; i < gone->len; i++) {
		crawl->purged = true;
		if (!reconcile_discard(crawl, &g_array_index(gone, Entry, i), error))
			return false;
	}
	return true;
}
