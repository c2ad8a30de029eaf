/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/watched-paths.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "common/base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct WatchedPaths {
	char *file;
	int lock;
	bool is_new;
	GHashTable *paths; /* a set of char * */
};

static bool watched_paths_lock(WatchedPaths *watched, GError **error)
{
	g_autofree char *file = g_strconcat(watched->file, ".lock", NULL);
	watched->lock = open(file, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (watched->lock >= 0 && fchmod(watched->lock, 0600) == 0 &&
	        flock(watched->lock, LOCK_EX | LOCK_NB) == 0)
		return true;
	int number = errno;
	if (number == EWOULDBLOCK)
		g_set_error_literal(error, G_FILE_ERROR, G_FILE_ERROR_AGAIN,
		        _("this query is watched already"));
	else
		g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(number), "%s: %s", file,
		        g_strerror(number));
	return false;
}

static bool watched_paths_read(WatchedPaths *watched, GError **error)
{
	g_autofree char *bytes = NULL;
	gsize length = 0;
	g_autoptr(GError) why = NULL;

	if (!g_file_get_contents(watched->file, &bytes, &length, &why)) {
		watched->is_new = g_error_matches(why, G_FILE_ERROR, G_FILE_ERROR_NOENT);
		if (!watched->is_new)
			g_propagate_error(error, g_steal_pointer(&why));
		return watched->is_new;
	}
	/* g_file_get_contents() adds a NUL, so the last path ends even if the file is cut. */
	for (gsize at = 0; at < length; at += strlen(bytes + at) + 1)
		watched_paths_add(watched, bytes + at);
	return true;
}

WatchedPaths *watched_paths_open(const char *index_dir, const char *query, GError **error)
{
	g_autoptr(WatchedPaths) watched = g_new0(WatchedPaths, 1);
	g_autofree char *dir = g_build_filename(index_dir, "watches", NULL);
	g_autofree char *name = g_compute_checksum_for_string(G_CHECKSUM_SHA256, query, -1);

	watched->file = g_build_filename(dir, name, NULL);
	watched->lock = -1;
	watched->paths = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	if (!paths_make_private_dir(dir, error) || !watched_paths_lock(watched, error) ||
	        !watched_paths_read(watched, error))
		return NULL;
	return g_steal_pointer(&watched);
}

void watched_paths_free(WatchedPaths *watched)
{
	if (!watched)
		return;
	if (watched->lock >= 0)
		close(watched->lock);
	g_hash_table_unref(watched->paths);
	g_free(watched->file);
	g_free(watched);
}

bool watched_paths_is_new(const WatchedPaths *watched)
{
	return watched->is_new;
}

bool watched_paths_has(const WatchedPaths *watched, const char *path)
{
	return g_hash_table_contains(watched->paths, path);
}

GPtrArray *watched_paths_without(const WatchedPaths *watched, GHashTable *set)
{
	GPtrArray *gone = g_ptr_array_new();
	GHashTableIter each;
	gpointer path;
	g_hash_table_iter_init(&each, watched->paths);
	while (g_hash_table_iter_next(&each, &path, NULL)) {
		if (!g_hash_table_contains(set, path))
			g_ptr_array_add(gone, path);
	}
	g_ptr_array_sort(gone, text_compare_elements);
	return gone;
}

void watched_paths_add(WatchedPaths *watched, const char *path)
{
	g_hash_table_add(watched->paths, g_strdup(path));
}

void watched_paths_remove(WatchedPaths *watched, const char *path)
{
	g_hash_table_remove(watched->paths, path);
}

bool watched_paths_write(WatchedPaths *watched, GError **error)
{
	g_autoptr(GString) bytes = g_string_new(NULL);
	GHashTableIter each;
	gpointer path;
	g_hash_table_iter_init(&each, watched->paths);
	while (g_hash_table_iter_next(&each, &path, NULL))
		g_string_append_len(bytes, path, (gssize)strlen(path) + 1);
	watched->is_new = false;
	return paths_write_private(
	        watched->file, bytes->str, bytes->len, G_FILE_SET_CONTENTS_CONSISTENT, error);
}
