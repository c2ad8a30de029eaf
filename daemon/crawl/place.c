/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/crawl/place.h"
#include "common/base/autofd.h"
#include "common/base/time-ns.h"
#include "daemon/crawl/digest.h"
#include "daemon/fs/safeopen.h"
#include "daemon/crawl/volumes.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <xxhash.h>

enum { RULES_CACHED = 256 };

void place_clear(Place *place)
{
	if (place->fd >= 0)
		close(place->fd);
	place->fd = -1;
	g_clear_pointer(&place->rules, rules_dir_unref);
	g_clear_pointer(&place->path, g_free);
}

Root *place_root_of(const Crawl *crawl, const Dir *dir)
{
	const Dir *top = dir_top(dir);
	for (guint i = 0; i < crawl->roots->len; i++) {
		Root *root = crawl->roots->pdata[i];
		if (root->dir == top)
			return root;
	}
	return NULL;
}

/* The part of path below root; NULL: path does not lie below it. */
static const char *place_below(const char *root, const char *path)
{
	size_t length = strlen(root);
	if (length == 1) /* the root directory "/" */
		return path + 1;
	if (strncmp(path, root, length) != 0)
		return NULL;
	if (path[length] == '/')
		return path + length + 1;
	return path[length] == '\0' ? path + length : NULL;
}

Root *place_root_of_path(const Crawl *crawl, const char *path, const char **relative_r)
{
	for (guint i = 0; i < crawl->roots->len; i++) {
		Root *root = crawl->roots->pdata[i];
		*relative_r = place_below(root->path, path);
		if (*relative_r)
			return root;
	}
	return NULL;
}

int place_root_fd(Root *root)
{
	if (root->fd < 0)
		root->fd = safe_open_root(root->agent, root->path);
	return root->fd;
}

static int64_t timestamp_ns(struct statx_timestamp t)
{
	return time_ns(t.tv_sec, t.tv_nsec);
}

static EntryStat place_facts(const struct statx *st)
{
	return (EntryStat){
	        .ino = st->stx_ino,
	        .birth_ns = st->stx_mask & STATX_BTIME ? timestamp_ns(st->stx_btime) : 0,
	        .kind = entry_kind_of_mode(st->stx_mode),
	        .size = st->stx_size,
	        .mtime_ns = timestamp_ns(st->stx_mtime),
	        .ctime_ns = timestamp_ns(st->stx_ctime),
	        .uid = st->stx_uid,
	        .gid = st->stx_gid,
	        .mode = st->stx_mode & 07777,
	};
}

/* Stands for the inode number, and has a key of the index, so that nobody can make two names that
 * share it. */
static uint64_t number_of_name(const Crawl *crawl, int64_t parent, const char *name)
{
	uint64_t hash = XXH3_64bits_withSeed(&parent, sizeof parent, digest_key(crawl->writer));
	return XXH3_64bits_withSeed(name, strlen(name), hash);
}

EntryStat place_stat(const Crawl *crawl, const Volume *volume, int64_t parent, const char *name,
        const struct statx *st)
{
	EntryStat stat = place_facts(st);
	stat.filesystem = volume->filesystem;
	if (volume->by_name) {
		stat.ino = number_of_name(crawl, parent, name);
		stat.birth_ns = ENTRY_BY_NAME;
	}
	return stat;
}

EntryStat place_stat_again(const EntryStat *row, const struct statx *st)
{
	EntryStat stat = place_facts(st);
	stat.filesystem = row->filesystem;
	if (entry_is_by_name(row)) {
		stat.ino = row->ino;
		stat.birth_ns = ENTRY_BY_NAME;
	}
	return stat;
}

uint64_t place_dir_ino(const EntryStat *stat)
{
	return entry_is_by_name(stat) ? 0 : stat->ino;
}

static PlaceResult result_of(int code)
{
	switch (code) {
	case ENOENT:
	case ENOTDIR:
	case ELOOP:
	case ENAMETOOLONG:
		return PLACE_GONE;
	case EACCES:
	case EPERM:
		return PLACE_DENIED;
	default:
		return PLACE_AWAY;
	}
}

/* An open root exists, even if only its name could be opened. */
static PlaceResult result_of_root(int code)
{
	PlaceResult result = result_of(code);
	return result == PLACE_GONE ? PLACE_AWAY : result;
}

/* The mode of the owner is never narrowed by an access control list. */
static bool owner_may_search(const struct statx *st)
{
	return (st->stx_mode & S_IXUSR) && st->stx_uid == geteuid();
}

static PlaceResult open_dir(
        const Crawl *crawl, Root *root, const Dir *dir, const char *relative, int *fd_r)
{
	SafeCrossings crossings;
	struct statx st;
	int root_fd = place_root_fd(root);
	if (root_fd < 0)
		return PLACE_AWAY;
	volume_crossings(crawl, dir, relative, &crossings);
	autofd fd = safe_open_dir(root->agent, root_fd, relative, &crossings);
	if (fd < 0 || safe_stat_fd(root->agent, fd, SAFE_CACHED, &st) != 0)
		return *relative ? result_of(errno) : result_of_root(errno);
	/* Without permission to stat the entries their names are useless. */
	if (!owner_may_search(&st) && !safe_may(root->agent, fd, ".", X_OK, 0))
		return errno == EACCES || errno == EPERM ? PLACE_DENIED : PLACE_AWAY;
	if (dir->ino != 0 && st.stx_ino != dir->ino)
		return *relative ? PLACE_GONE : PLACE_AWAY;
	*fd_r = autofd_steal(&fd);
	return PLACE_OPEN;
}

/* A directory whose rules are read. */
typedef struct {
	Root *root;
	Dir *dir;
	int fd; /* -1: it is not open yet */
	const char *path;
	SafeList *list; /* of its entries, NULL: none */
} RulesPlace;

static RulesDir *find_rules(Crawl *crawl, const RulesPlace *place, GError **error);

static int open_marker(const RulesFiles *files, int dir_fd, const char *name)
{
	enum { MOST_BYTES = 1 << 20 };
	return safe_copy(files->data, dir_fd, name, MOST_BYTES);
}

static bool marker_exists(const RulesFiles *files, int dir_fd, const char *name)
{
	return safe_may(files->data, dir_fd, name, F_OK, AT_SYMLINK_NOFOLLOW);
}

static bool marker_may_exist(const RulesFiles *files, const char *name)
{
	return safe_list_may_have(files->data, name);
}

/* NULL: there was no answer in time, so nothing is known. */
static RulesDir *ask_rules(Crawl *crawl, RulesDir *parent, int fd, const RulesPlace *place)
{
	Agent *agent = place->root->agent;
	const RulesFiles asked = {open_marker, marker_exists, NULL, agent};
	const RulesFiles listed = {NULL, NULL, marker_may_exist, place->list};
	if (!agent && !place->list)
		return rules_dir_enter(crawl->rules, parent, fd, place->path);
	RulesDir *rules =
	        rules_dir_enter_by(crawl->rules, parent, fd, place->path, agent ? &asked : &listed);
	if (agent && agent_is_stuck(agent))
		g_clear_pointer(&rules, rules_dir_unref);
	return rules;
}

static RulesDir *enter_rules(Crawl *crawl, const RulesPlace *place, int fd, GError **error)
{
	g_autoptr(RulesDir) parent = NULL;
	if (place->dir->parent) {
		g_autofree char *path = g_path_get_dirname(place->path);
		const RulesPlace above = {place->root, place->dir->parent, -1, path, NULL};
		parent = find_rules(crawl, &above, error);
		if (!parent)
			return NULL;
	}
	return ask_rules(crawl, parent, fd, place);
}

/* Takes the rules from the cache, or reads them from the directory. NULL without error: the
 * directory cannot be reached now. */
static RulesDir *find_rules(Crawl *crawl, const RulesPlace *place, GError **error)
{
	autofd own_fd = -1;
	int fd = place->fd;
	const int64_t *node = &place->dir->node;
	RulesDir *rules = g_hash_table_lookup(crawl->rules_cache, node);
	if (rules)
		return rules_dir_ref(rules);
	if (fd < 0) {
		const char *relative = place_below(place->root->path, place->path);
		if (!relative ||
		        open_dir(crawl, place->root, place->dir, relative, &own_fd) != PLACE_OPEN)
			return NULL;
		fd = own_fd;
	}
	rules = enter_rules(crawl, place, fd, error);
	if (!rules)
		return NULL;
	if (g_hash_table_size(crawl->rules_cache) >= RULES_CACHED)
		g_hash_table_remove_all(crawl->rules_cache);
	g_hash_table_insert(
	        crawl->rules_cache, g_memdup2(node, sizeof(*node)), rules_dir_ref(rules));
	return rules;
}

void place_forget_rules(Crawl *crawl)
{
	g_hash_table_remove_all(crawl->rules_cache);
}

bool place_is_hot(const Crawl *crawl, int64_t node)
{
	return crawl->hot && g_hash_table_contains(crawl->hot, &node);
}

PlaceResult place_enter(Crawl *crawl, Dir *dir, Place *out, GError **error)
{
	*out = (Place){.dir = dir, .root = place_root_of(crawl, dir), .fd = -1};
	if (!out->root)
		return PLACE_GONE;
	out->path = writer_path(crawl->writer, dir->node, error);
	if (!out->path)
		return PLACE_FAILED;
	const char *relative = place_below(out->root->path, out->path);
	if (!relative)
		return PLACE_GONE;
	return open_dir(crawl, out->root, dir, relative, &out->fd);
}

PlaceResult place_find_rules(Crawl *crawl, Place *place, SafeList *list, GError **error)
{
	const RulesPlace here = {place->root, place->dir, place->fd, place->path, list};
	place->rules = find_rules(crawl, &here, error);
	return place->rules ? PLACE_OPEN : PLACE_AWAY;
}

PlaceResult place_open(Crawl *crawl, Dir *dir, Place *out, GError **error)
{
	PlaceResult result = place_enter(crawl, dir, out, error);
	return result == PLACE_OPEN ? place_find_rules(crawl, out, NULL, error) : result;
}
