/* SPDX-License-Identifier: GPL-3.0-or-later */
/* paths.h - where configuration, index, cache and control socket are
 *
 * The places follow the XDG Base Directory Specification. Directories are created with mode 0700
 * and files with 0600, whatever the umask. Paths are raw bytes. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <string.h>

/* option: the value of --index or --config, or NULL. Without it the environment decides
 * (TARSIER_INDEX, TARSIER_CONFIG), then the default. Both return an absolute path that the caller
 * frees. */
char *paths_index_dir(const char *option); /* $XDG_DATA_HOME/tarsier */
char *paths_config_file(const char *option); /* $XDG_CONFIG_HOME/tarsier/tarsier.conf */
/* Cache and socket belong to one index. The default index has the cache "$XDG_CACHE_HOME/tarsier"
 * and the socket "$XDG_RUNTIME_DIR/tarsier/ctl". Any other index keeps both in its own directory
 * ("cache", "ctl"), and so does the default index if XDG_RUNTIME_DIR is not set. The caller frees
 * both. */
char *paths_cache_dir(const char *index_dir);
char *paths_socket(const char *index_dir);

/* The current directory. If it was removed, its former path followed by " (deleted)": a relative
 * path then names nothing, instead of a file elsewhere. The caller frees it. */
char *paths_current_dir(void);
/* The path, absolute and without ".", ".." and trailing slash; symbolic links are not resolved. The
 * caller frees it. */
char *paths_absolute(const char *path);

/* Expands a path as people write it: a leading "~", "$HOME" or "${HOME}" means the home directory.
 * The result is absolute, without ".", ".." and trailing slash; symbolic links are not resolved.
 * The caller frees it. NULL if the path is not absolute after that. */
char *paths_expand(const char *path);

/* Is path the directory dir, or below it? Both are absolute and canonical; nothing is looked up. If
 * dir is NULL, the answer is yes. */
bool paths_is_below(const char *path, const char *dir);

/* Is it the URL of a document of a site or feed? All other paths of the index begin with "/". */
static inline bool path_is_web(const char *path)
{
	return *path != '/' && strstr(path, "://") != NULL;
}

/* The part behind the last slash: all of a path that has none, nothing of one that ends with it. */
static inline const char *path_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Creates a directory and its missing parents. Fails if the path is a symbolic link or a file,
 * belongs to another user, or is open to other users and cannot be closed. */
bool paths_make_private_dir(const char *dir, GError **error);
/* Replaces the file by one with mode 0600, which nobody sees incomplete. flags: durable or not.
 * Errors: those of g_file_set_contents_full(), and of setting the mode. */
bool paths_write_private(const char *file, const char *bytes, size_t length,
        GFileSetContentsFlags flags, GError **error);
