/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/last-search.h"
#include "common/base/autofd.h"
#include "common/base/paths.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

static char *file_in(const char *dir)
{
	return g_build_filename(dir, "last-search", NULL);
}

/* The file is written beside the old one and renamed, so that no reader sees an incomplete list. It
 * is not synced, because it is worthless after a crash. */
static bool last_search_replace(const char *file, const GString *bytes)
{
	g_autofree char *beside = g_strconcat(file, ".XXXXXX", NULL);
	autofd fd = g_mkstemp_full(beside, O_WRONLY | O_CLOEXEC, 0600);

	if (fd < 0)
		return false;
	if (write(fd, bytes->str, bytes->len) == (ssize_t)bytes->len && rename(beside, file) == 0)
		return true;
	unlink(beside);
	return false;
}

static bool write_to(const char *dir, const GString *bytes)
{
	g_autofree char *file = file_in(dir);
	return paths_make_private_dir(dir, NULL) && last_search_replace(file, bytes);
}

void last_search_save(const char *socket_path, const char *cache_dir, const SearchResult *result,
        unsigned first_rank)
{
	g_autofree char *runtime_dir = g_path_get_dirname(socket_path);
	g_autoptr(GString) bytes = g_string_new(NULL);

	g_string_append_printf(bytes, "%u", first_rank);
	g_string_append_c(bytes, '\0');
	for (guint i = 0; i < result->hits->len; i++) {
		const Hit *hit = g_ptr_array_index(result->hits, i);
		g_string_append_len(bytes, hit->info.path, strlen(hit->info.path) + 1);
		if (hit->info.member)
			g_string_append(bytes, hit->info.member);
		g_string_append_c(bytes, '\0');
	}
	if (!write_to(runtime_dir, bytes))
		write_to(cache_dir, bytes);
}

/* The string at *position, which moves behind its NUL; NULL at the end. */
static const char *last_search_next_string(const char *bytes, gsize length, gsize *position)
{
	const char *start = bytes + *position;
	const char *end = *position < length ? memchr(start, '\0', length - *position) : NULL;
	if (!end)
		return NULL;
	*position = end + 1 - bytes;
	return start;
}

static char *path_in(const char *bytes, gsize length, unsigned rank)
{
	gsize position = 0;
	const char *first = last_search_next_string(bytes, length, &position);
	guint64 at;

	if (!first || !g_ascii_string_to_unsigned(first, 10, 1, G_MAXUINT, &at, NULL))
		return NULL;
	for (;; at++) {
		const char *path = last_search_next_string(bytes, length, &position);
		if (!path || !last_search_next_string(bytes, length, &position))
			return NULL;
		if (at == rank)
			return g_strdup(path);
	}
}

char *last_search_path(const char *socket_path, const char *cache_dir, unsigned rank)
{
	g_autofree char *runtime_dir = g_path_get_dirname(socket_path);
	const char *dirs[] = {runtime_dir, cache_dir};

	for (size_t i = 0; i < G_N_ELEMENTS(dirs); i++) {
		g_autofree char *file = file_in(dirs[i]);
		g_autofree char *bytes = NULL;
		gsize length;
		if (g_file_get_contents(file, &bytes, &length, NULL))
			return path_in(bytes, length, rank);
	}
	return NULL;
}
