/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/paths.h"
#include "common/base/autofd.h"
#include "common/base/i18n.h"
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

/* GLib gives "/" for a directory that was removed. */
char *paths_current_dir(void)
{
	g_autofree char *dir = g_get_current_dir();
	if (strcmp(dir, "/") != 0)
		return g_steal_pointer(&dir);
	char *real = g_file_read_link("/proc/self/cwd", NULL);
	return real && g_path_is_absolute(real) ? real : g_steal_pointer(&dir);
}

char *paths_absolute(const char *path)
{
	g_autofree char *cwd = g_path_is_absolute(path) ? NULL : paths_current_dir();
	return g_canonicalize_filename(path, cwd);
}

/* A base directory of the XDG Base Directory Specification, which says that relative values are
 * ignored. */
static char *base_dir(const char *variable, const char *below_home)
{
	const char *set = g_getenv(variable);
	if (set && g_path_is_absolute(set))
		return paths_absolute(set);
	g_autofree char *dir = g_build_filename(g_get_home_dir(), below_home, NULL);
	return g_canonicalize_filename(dir, "/");
}

/* The path from the option, else from the environment, made absolute; NULL if neither is set. */
static char *paths_chosen(const char *option, const char *variable)
{
	const char *path = option ? option : g_getenv(variable);
	return path && *path ? paths_absolute(path) : NULL;
}

static char *default_index_dir(void)
{
	g_autofree char *base = base_dir("XDG_DATA_HOME", ".local/share");
	return g_build_filename(base, "tarsier", NULL);
}

static bool is_default_index(const char *index_dir)
{
	g_autofree char *given = paths_absolute(index_dir);
	g_autofree char *usual = default_index_dir();
	return strcmp(given, usual) == 0;
}

char *paths_index_dir(const char *option)
{
	char *dir = paths_chosen(option, "TARSIER_INDEX");
	return dir ? dir : default_index_dir();
}

char *paths_config_file(const char *option)
{
	char *file = paths_chosen(option, "TARSIER_CONFIG");
	if (file)
		return file;
	g_autofree char *base = base_dir("XDG_CONFIG_HOME", ".config");
	return g_build_filename(base, "tarsier", "tarsier.conf", NULL);
}

char *paths_cache_dir(const char *index_dir)
{
	if (!is_default_index(index_dir))
		return g_build_filename(index_dir, "cache", NULL);
	g_autofree char *base = base_dir("XDG_CACHE_HOME", ".cache");
	return g_build_filename(base, "tarsier", NULL);
}

char *paths_socket(const char *index_dir)
{
	const char *runtime = g_getenv("XDG_RUNTIME_DIR");
	if (!runtime || !g_path_is_absolute(runtime) || !is_default_index(index_dir))
		return g_build_filename(index_dir, "ctl", NULL);
	return g_build_filename(runtime, "tarsier", "ctl", NULL);
}

char *paths_expand(const char *path)
{
	static const char *const home_words[] = {"~", "$HOME", "${HOME}"};
	for (size_t i = 0; i < G_N_ELEMENTS(home_words); i++) {
		size_t length = strlen(home_words[i]);
		if (strncmp(path, home_words[i], length) != 0)
			continue;
		if (path[length] == '\0' || path[length] == '/')
			return g_canonicalize_filename(
			        path + length + (path[length] == '/'), g_get_home_dir());
	}
	return g_path_is_absolute(path) ? paths_absolute(path) : NULL;
}

static bool paths_fail(GError **error, const char *dir, const char *what, int code)
{
	g_autofree char *shown = g_filename_display_name(dir);
	g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(code), "%s: %s: %s", shown, what,
	        g_strerror(code));
	return false;
}

static bool paths_refuse(GError **error, const char *dir, const char *why)
{
	g_autofree char *shown = g_filename_display_name(dir);
	g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_PERM, "%s: %s", shown, why);
	return false;
}

/* mkdir() with a mode that does not depend on the umask. */
static bool make_one(const char *dir, GError **error)
{
	if (mkdir(dir, 0700) != 0)
		return errno == EEXIST ||
		       paths_fail(error, dir, _("cannot create the directory"), errno);
	autofd fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && errno == EACCES) /* the umask removed our own permissions */
		return chmod(dir, 0700) == 0 ||
		       paths_fail(error, dir, _("cannot set the permissions"), errno);
	if (fd < 0 || fchmod(fd, 0700) != 0)
		return paths_fail(error, dir, _("cannot set the permissions"), errno);
	return true;
}

static bool make_with_parents(const char *dir, GError **error)
{
	if (g_access(dir, F_OK) == 0)
		return true;
	g_autofree char *parent = g_path_get_dirname(dir);
	return make_with_parents(parent, error) && make_one(dir, error);
}

/* The directory is ours, is not a symbolic link, and is closed to other users. */
static bool paths_close_to_others(const char *dir, GError **error)
{
	struct stat st;
	autofd fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && (errno == ELOOP || errno == ENOTDIR))
		return paths_refuse(error, dir, _("not a directory, but a link or a file"));
	if (fd < 0 || fstat(fd, &st) != 0)
		return paths_fail(error, dir, _("cannot open the directory"), errno);
	if (st.st_uid != geteuid())
		return paths_refuse(error, dir, _("the directory belongs to another user"));
	if ((st.st_mode & 0777) == 0700)
		return true;
	if (fchmod(fd, 0700) != 0 || fstat(fd, &st) != 0 || (st.st_mode & 077))
		return paths_refuse(error, dir, _("other users have access to the directory"));
	return true;
}

bool paths_make_private_dir(const char *dir, GError **error)
{
	g_autofree char *absolute = paths_absolute(dir);
	return make_with_parents(absolute, error) && paths_close_to_others(absolute, error);
}

bool paths_write_private(const char *file, const char *bytes, size_t length,
        GFileSetContentsFlags flags, GError **error)
{
	if (!g_file_set_contents_full(file, bytes, (gssize)length, flags, 0600, error))
		return false;
	return chmod(file, 0600) == 0 || /* the umask removed our own permissions */
	       paths_fail(error, file, _("cannot set the permissions"), errno);
}

bool paths_is_below(const char *path, const char *dir)
{
	size_t length = dir ? strlen(dir) : 0;
	if (strncmp(path, dir ? dir : "", length) != 0)
		return false;
	return length == 0 || path[length] == '\0' || path[length] == '/' || dir[length - 1] == '/';
}
