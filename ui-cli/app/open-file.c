/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/open-file.h"
#include "common/base/autofd.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "common/base/time-ns.h"
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

static int open_file_fail(const char *path, int code, GError **error)
{
	g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(code), "%s: %s", path,
	        code == ELOOP ? _("it is a symbolic link") : g_strerror(code));
	return -1;
}

/* path: of the file, for messages. */
static int open_regular_at(
        int dir, const char *name, const char *path, uint64_t *size_r, GError **error)
{
	struct stat st;
	autofd fd = -1;

	/* Check the type first: opening a device can have side effects. */
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return open_file_fail(path, errno, error);
	if (!S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode)) {
		g_set_error(
		        error, G_FILE_ERROR, G_FILE_ERROR_INVAL, _("%s: not a regular file"), path);
		return -1;
	}
	fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) != 0)
		return open_file_fail(path, errno, error);
	if (!S_ISREG(st.st_mode)) {
		g_set_error(
		        error, G_FILE_ERROR, G_FILE_ERROR_INVAL, _("%s: not a regular file"), path);
		return -1;
	}
	*size_r = st.st_size;
	return autofd_steal(&fd);
}

int open_regular(const char *path, uint64_t *size_r, GError **error)
{
	return open_regular_at(AT_FDCWD, path, path, size_r, error);
}

const char *open_root_of(const GPtrArray *roots, const char *path)
{
	const char *root = NULL;
	for (guint i = 0; i < roots->len; i++) {
		const char *each = roots->pdata[i];
		if (paths_is_below(path, each) && (!root || strlen(each) > strlen(root)))
			root = each;
	}
	return root;
}

/* Opens the directory of the path, one component at a time as openat2() would, but on every kernel.
 * -1 with errno. */
static int open_directory_below(const char *root, const char *path)
{
	g_auto(GStrv) names = g_strsplit(path + strlen(root), "/", -1);
	autofd dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	guint last = g_strv_length(names);
	for (guint i = 0; dir >= 0 && i + 1 < last; i++) {
		if (!*names[i])
			continue;
		errno = ELOOP;
		autofd below = g_str_equal(names[i], "..")
		                       ? -1
		                       : openat(dir, names[i],
		                                 O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		int code = errno;
		autofd_close(&dir);
		dir = autofd_steal(&below);
		errno = code;
	}
	return autofd_steal(&dir);
}

/* Is it the file that the index knows, as it knows it? */
static bool open_is_as_indexed(int fd, const EntryStat *indexed)
{
	struct stat st;
	if (fstat(fd, &st) != 0)
		return false;
	int64_t mtime_ns = time_ns(st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	return entry_is_inode(indexed, st.st_ino) && st.st_size == indexed->size &&
	       mtime_ns == indexed->mtime_ns;
}

int open_indexed(const GPtrArray *roots, const Info *info, uint64_t *size_r, GError **error)
{
	const char *path = info->path, *root = open_root_of(roots, path);
	autofd dir = root ? open_directory_below(root, path) : -1;
	if (dir < 0)
		return open_file_fail(path, root ? errno : ENOENT, error);
	g_autofree char *name = g_path_get_basename(path);
	autofd fd = open_regular_at(dir, name, path, size_r, error);
	if (fd < 0 || open_is_as_indexed(fd, &info->stat))
		return autofd_steal(&fd);
	g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_AGAIN,
	        _("%s has changed since it was indexed; \"tarsier extract\" shows its present "
	          "text"),
	        path);
	return -1;
}
