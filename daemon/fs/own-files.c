/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/fs/own-files.h"
#include "daemon/fs/safeopen.h"
#include <dirent.h>
#include <fcntl.h>
#include <glib.h>
#include <stdint.h>
#include <unistd.h>

typedef struct {
	char *path;
	uint32_t major, minor;
	uint64_t ino;
} OwnDir;

struct Own {
	GArray *dirs; /* of OwnDir */
};

static void own_dir_clear(gpointer data)
{
	g_free(((OwnDir *)data)->path);
}

Own *own_new(const char *const *dirs)
{
	Own *own = g_new0(Own, 1);
	own->dirs = g_array_new(FALSE, FALSE, sizeof(OwnDir));
	g_array_set_clear_func(own->dirs, own_dir_clear);
	for (; *dirs; dirs++) {
		struct statx st;
		if (statx(AT_FDCWD, *dirs, 0, STATX_BASIC_STATS, &st) != 0)
			continue;
		OwnDir dir = {g_strdup(*dirs), st.stx_dev_major, st.stx_dev_minor, st.stx_ino};
		g_array_append_val(own->dirs, dir);
	}
	return own;
}

void own_free(Own *own)
{
	g_array_unref(own->dirs);
	g_free(own);
}

static bool own_files_same_device(const OwnDir *dir, const struct statx *st)
{
	return dir->major == st->stx_dev_major && dir->minor == st->stx_dev_minor;
}

bool own_is_dir(const Own *own, const struct statx *st)
{
	for (guint i = 0; i < own->dirs->len; i++) {
		const OwnDir *dir = &g_array_index(own->dirs, OwnDir, i);
		if (own_files_same_device(dir, st) && dir->ino == st->stx_ino)
			return true;
	}
	return false;
}

static bool own_files_holds(const OwnDir *dir, const struct statx *st)
{
	DIR *stream = opendir(dir->path);
	bool found = false;
	if (!stream)
		return false;
	for (struct dirent *entry; !found && (entry = readdir(stream));)
		found = entry->d_ino == st->stx_ino;
	closedir(stream);
	return found;
}

bool own_is_file(const Own *own, const struct statx *st)
{
	if (st->stx_nlink < 2)
		return false;
	for (guint i = 0; i < own->dirs->len; i++) {
		const OwnDir *dir = &g_array_index(own->dirs, OwnDir, i);
		if (own_files_same_device(dir, st) && own_files_holds(dir, st))
			return true;
	}
	return false;
}
