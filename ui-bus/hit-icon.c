/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-bus/hit-icon.h"
#include "common/base/paths.h"
#include <string.h>
#include <sys/stat.h>

/* A thumbnail that is older than its file shows what the file was. */
static bool hit_icon_is_current(const char *thumbnail, const struct stat *file)
{
	struct stat st;
	return lstat(thumbnail, &st) == 0 && S_ISREG(st.st_mode) &&
	       st.st_mtim.tv_sec >= file->st_mtim.tv_sec;
}

/* NULL: there is none. The caller frees it. */
static char *hit_icon_thumbnail(const char *path)
{
	static const char *const sizes[] = {"large", "normal"};
	struct stat file;
	g_autofree char *uri = path && *path == '/' ? g_filename_to_uri(path, NULL, NULL) : NULL;
	if (!uri || lstat(path, &file) < 0 || !S_ISREG(file.st_mode))
		return NULL;
	g_autofree char *hash = g_compute_checksum_for_string(G_CHECKSUM_MD5, uri, -1);
	g_autofree char *name = g_strconcat(hash, ".png", NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
		g_autofree char *thumbnail = g_build_filename(
		        g_get_user_cache_dir(), "thumbnails", sizes[i], name, NULL);
		if (hit_icon_is_current(thumbnail, &file))
			return g_steal_pointer(&thumbnail);
	}
	return NULL;
}

static char *hit_icon_type(const char *mime, bool folder)
{
	return g_content_type_from_mime_type(folder  ? "inode/directory"
	                                     : *mime ? mime
	                                             : "application/octet-stream");
}

GIcon *hit_icon(const char *path, const char *mime, bool folder)
{
	g_autofree char *thumbnail = hit_icon_thumbnail(path);
	if (thumbnail) {
		g_autoptr(GFile) file = g_file_new_for_path(thumbnail);
		return g_file_icon_new(file);
	}
	g_autofree char *type = hit_icon_type(mime, folder);
	return g_content_type_get_icon(type);
}

char *hit_icon_name(const char *path, const char *mime, bool folder)
{
	char *thumbnail = hit_icon_thumbnail(path);
	if (thumbnail)
		return thumbnail;
	g_autofree char *type = hit_icon_type(mime, folder);
	g_autoptr(GIcon) icon = g_content_type_get_icon(type);
	const char *const *names =
	        G_IS_THEMED_ICON(icon) ? g_themed_icon_get_names(G_THEMED_ICON(icon)) : NULL;
	return g_strdup(names && names[0] ? names[0] : "text-x-generic");
}
