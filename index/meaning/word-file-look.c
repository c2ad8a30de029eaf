/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/meaning/word-file-look.h"
#include "common/base/autofd.h"
#include "common/base/i18n.h"
#include "common/base/mounts.h"
#include "index/meaning/word-file.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOOK_READ_BYTES = 64 << 10 };

const char *word_file_obstacle(const char *path)
{
	const char *const paths[] = {path, NULL};
	if (path[0] != '/')
		return _("the path does not begin with /");
	if (mounts_any_may_hang(paths))
		return _("it lies on a network or FUSE file system, which may not answer");
	return NULL;
}

/* The numbers of each word are read, and forgotten. */
static bool look_wants(void *data, const char *word, size_t length)
{
	return true;
}

static void look_take(void *data, const float *numbers, unsigned n)
{
}

/* False with error if what was read is refused. */
static bool look_read(int fd, WordFile *file, GError **error)
{
	g_autofree char *buffer = g_malloc(LOOK_READ_BYTES);
	for (size_t read_bytes = 0; read_bytes < WORD_FILE_LOOK_BYTES;) {
		ssize_t n = read(fd, buffer, LOOK_READ_BYTES);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			g_set_error_literal(error, G_FILE_ERROR, g_file_error_from_errno(errno),
			        g_strerror(errno));
			return false;
		}
		if (n == 0)
			return word_file_end(file, error);
		if (!word_file_feed(file, buffer, n, error))
			return false;
		read_bytes += n;
	}
	return true;
}

char *word_file_look(const char *path)
{
	static const WordFileFuncs funcs = {look_wants, look_take};
	struct stat st;
	const char *why = word_file_obstacle(path);
	if (why)
		return g_strdup(why);
	autofd fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) != 0)
		return g_strdup(g_strerror(errno));
	if (!S_ISREG(st.st_mode))
		return g_strdup(_("it is not a regular file"));
	g_autoptr(WordFile) file = word_file_new(&funcs, NULL);
	g_autoptr(GError) error = NULL;
	return look_read(fd, file, &error) ? NULL : g_strdup(error->message);
}
