/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/open-file.h"
#include "common/base/autofd.h"
#include "common/base/i18n.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

static int open_file_fail(const char *path, int code, GError **error)
{
	g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(code), "%s: %s", path,
	        code == ELOOP ? _("it is a symbolic link") : g_strerror(code));
	return -1;
}

int open_regular(const char *path, uint64_t *size_r, GError **error)
{
	struct stat st;
	autofd fd = -1;

	/* Check the type first: opening a device can have side effects. */
	if (lstat(path, &st) != 0)
		return open_file_fail(path, errno, error);
	if (!S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode)) {
		g_set_error(
		        error, G_FILE_ERROR, G_FILE_ERROR_INVAL, _("%s: not a regular file"), path);
		return -1;
	}
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
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
