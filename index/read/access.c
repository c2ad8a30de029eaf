/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/read/access.h"
#include "common/base/paths.h"
#include "common/base/time-ns.h"
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool in_group(uint32_t uid, gid_t gid)
{
	gid_t groups[256];
	int n = G_N_ELEMENTS(groups);
	const struct passwd *passwd = getpwuid(uid);
	if (!passwd || getgrouplist(passwd->pw_name, passwd->pw_gid, groups, &n) < 0)
		return false;
	for (int i = 0; i < n; i++)
		if (groups[i] == gid)
			return true;
	return false;
}

/* Where an entry is, for calls that take no path of PATH_MAX bytes. */
typedef struct {
	int dir; /* AT_FDCWD: the path is short enough; -1: it cannot be reached, with errno */
	const char *rest; /* of the path, below dir */
} AccessPlace;

static void access_place_clear(AccessPlace *place)
{
	int code = errno;
	if (place->dir >= 0)
		close(place->dir);
	errno = code;
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(AccessPlace, access_place_clear)

/* The last slash before which the path can be opened; NULL: a name is too long. */
static const char *access_step_end(const char *path)
{
	return memrchr(path + 1, '/', PATH_MAX - 2);
}

static void access_place_step(AccessPlace *place)
{
	const char *end = access_step_end(place->rest);
	g_autofree char *step = end ? g_strndup(place->rest, end - place->rest) : NULL;
	int dir = step ? openat(place->dir, step, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
	if (!step)
		errno = ENAMETOOLONG;
	access_place_clear(place);
	place->dir = dir;
	place->rest = step ? end + 1 : place->rest;
}

/* Opens the directories of a long path in steps. */
static AccessPlace access_place(const char *path)
{
	AccessPlace place = {AT_FDCWD, path};
	while (place.dir != -1 && strlen(place.rest) >= PATH_MAX)
		access_place_step(&place);
	return place;
}

/* Judges by owner, group and mode alone: an access control list can only be checked for the user
 * that the process runs as. */
static bool mode_allows(const char *path, uint32_t uid, mode_t wanted)
{
	struct stat st;
	g_auto(AccessPlace) place = access_place(path);
	if (fstatat(place.dir, place.rest, &st, 0) != 0)
		return false;
	if (st.st_uid == uid)
		return (st.st_mode >> 6 & wanted) == wanted;
	if (in_group(uid, st.st_gid))
		return (st.st_mode >> 3 & wanted) == wanted;
	return (st.st_mode & wanted) == wanted;
}

/* Checks for a user other than the one the process runs as. */
static bool other_may_read(const char *path, EntryKind kind, uint32_t uid)
{
	if (kind == ENTRY_FILE && !mode_allows(path, uid, 4))
		return false;
	g_autofree char *dir = g_path_get_dirname(path);
	while (mode_allows(dir, uid, 1)) {
		if (strcmp(dir, "/") == 0)
			return true;
		char *above = g_path_get_dirname(dir);
		g_free(dir);
		dir = above;
	}
	return false;
}

EntryPresence access_check(const char *path, const EntryStat *stat, uint32_t uid, bool *stale_r)
{
	struct statx now;
	*stale_r = false;
	if (path_is_web(path))
		return stat->uid == uid ? ENTRY_SEEN : ENTRY_GONE;
	g_auto(AccessPlace) place = access_place(path);
	if (statx(place.dir, place.rest, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, STATX_BASIC_STATS,
	            &now) != 0)
		return ENTRY_GONE;
	if (entry_kind_of_mode(now.stx_mode) != stat->kind)
		return ENTRY_GONE;
	if (uid != geteuid() && !other_may_read(path, stat->kind, uid))
		return ENTRY_GONE;
	if (stat->kind == ENTRY_FILE && faccessat(place.dir, place.rest, R_OK, AT_EACCESS) != 0)
		return ENTRY_GONE;
	int64_t mtime_ns = time_ns(now.stx_mtime.tv_sec, now.stx_mtime.tv_nsec);
	*stale_r = stat->kind == ENTRY_FILE &&
	           ((int64_t)now.stx_size != stat->size || mtime_ns != stat->mtime_ns);
	return ENTRY_SEEN;
}

bool access_lists(const char *path, uint32_t uid)
{
	g_autofree char *dir = g_path_get_dirname(path);
	if (path_is_web(path))
		return uid == geteuid();
	if (uid != geteuid() &&
	        !(mode_allows(dir, uid, 5) && other_may_read(path, ENTRY_OTHER, uid)))
		return false;
	g_auto(AccessPlace) above = access_place(dir), place = access_place(path);
	return faccessat(above.dir, above.rest, R_OK | X_OK, AT_EACCESS) == 0 &&
	       faccessat(place.dir, place.rest, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

bool access_allows(const char *path, EntryKind kind, uint32_t uid)
{
	if (path_is_web(path))
		return uid == geteuid();
	if (uid != geteuid() && !other_may_read(path, kind, uid))
		return false;
	g_auto(AccessPlace) place = access_place(path);
	return faccessat(place.dir, place.rest, kind == ENTRY_FILE ? R_OK : F_OK,
	               AT_EACCESS | AT_SYMLINK_NOFOLLOW) == 0;
}
