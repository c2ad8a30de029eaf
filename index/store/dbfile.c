/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/store/dbfile.h"
#include "common/base/autofd.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "index/store/db-error.h"
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>

enum { KEEP_DAMAGED_S = 7 * 24 * 3600 };

static const char *const side_files[] = {"-wal", "-shm", "-journal"};

static bool dbfile_fail(GError **error, IndexError code, const char *path, const char *why)
{
	g_autofree char *shown = g_filename_display_name(path);
	g_set_error(error, INDEX_ERROR, code, "%s: %s", shown, why);
	return false;
}

/* A missing file (ENOENT) is allowed. */
static bool check_ours(const char *path, GError **error)
{
	struct stat st;
	if (lstat(path, &st) != 0)
		return errno == ENOENT || db_fail_errno(error, path, errno);
	if (!S_ISREG(st.st_mode))
		return dbfile_fail(error, INDEX_ERROR_OTHER, path, _("not a regular file"));
	if (st.st_uid != geteuid())
		return dbfile_fail(
		        error, INDEX_ERROR_DENIED, path, _("the file belongs to another user"));
	if (st.st_nlink != 1)
		return dbfile_fail(
		        error, INDEX_ERROR_OTHER, path, _("the file has more than one hard link"));
	return true;
}

static bool check_all(const char *path, GError **error)
{
	if (!check_ours(path, error))
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(side_files); i++) {
		g_autofree char *side = g_strconcat(path, side_files[i], NULL);
		if (!check_ours(side, error))
			return false;
	}
	return true;
}

/* Removes the permissions of others. The directory is 0700 and owned by the user, so nobody can
 * exchange the file meanwhile. */
static bool dbfile_close_to_others(const char *path, GError **error)
{
	struct stat st;
	if (lstat(path, &st) != 0)
		return errno == ENOENT || db_fail_errno(error, path, errno);
	if ((st.st_mode & 0777) != 0600 && chmod(path, 0600) != 0)
		return db_fail_errno(error, path, errno);
	return true;
}

static bool make_empty(const char *path, GError **error)
{
	autofd fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return errno == EEXIST || db_fail_errno(error, path, errno);
	if (fchmod(fd, 0600) != 0)
		return db_fail_errno(error, path, errno);
	return true;
}

bool dbfile_prepare(const char *dir, const char *name, GError **error)
{
	g_autofree char *path = g_build_filename(dir, name, NULL);
	g_autoptr(GError) why = NULL;

	if (!paths_make_private_dir(dir, &why)) {
		g_set_error_literal(error, INDEX_ERROR, INDEX_ERROR_OTHER, why->message);
		return false;
	}
	if (!check_all(path, error) || !make_empty(path, error) ||
	        !dbfile_close_to_others(path, error))
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(side_files); i++) {
		g_autofree char *side = g_strconcat(path, side_files[i], NULL);
		if (!dbfile_close_to_others(side, error))
			return false;
	}
	return true;
}

bool dbfile_check(const char *dir, const char *name, GError **error)
{
	g_autofree char *path = g_build_filename(dir, name, NULL);
	struct stat st;

	if (lstat(path, &st) != 0 && (errno == ENOENT || errno == ENOTDIR)) {
		g_set_error(error, INDEX_ERROR, INDEX_ERROR_NONE_YET, _("there is no index yet"));
		return false;
	}
	return check_all(path, error);
}

/* Calls f with the path of each name.damaged-*. */
static void each_damaged(const char *dir, const char *name, void (*f)(const char *path))
{
	g_autofree char *prefix = g_strconcat(name, ".damaged-", NULL);
	g_autoptr(GDir) entries = g_dir_open(dir, 0, NULL);
	const char *entry;
	while (entries && (entry = g_dir_read_name(entries))) {
		if (!g_str_has_prefix(entry, prefix))
			continue;
		g_autofree char *path = g_build_filename(dir, entry, NULL);
		f(path);
	}
}

static void remove_path(const char *path)
{
	unlink(path);
}

static void remove_old(const char *path)
{
	struct stat st;
	if (lstat(path, &st) == 0 &&
	        st.st_ctime < g_get_real_time() / G_USEC_PER_SEC - KEEP_DAMAGED_S)
		unlink(path);
}

void dbfile_remove_damaged(const char *dir, const char *name)
{
	each_damaged(dir, name, remove_path);
}

void dbfile_forget_damaged(const char *dir, const char *name)
{
	each_damaged(dir, name, remove_old);
}

void dbfile_remove(const char *dir, const char *name)
{
	g_autofree char *path = g_build_filename(dir, name, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(side_files); i++) {
		g_autofree char *side = g_strconcat(path, side_files[i], NULL);
		unlink(side);
	}
	unlink(path);
}

bool dbfile_move_aside(const char *dir, const char *name, GError **error)
{
	g_autofree char *path = g_build_filename(dir, name, NULL);
	g_autoptr(GDateTime) now = g_date_time_new_now_utc();
	g_autofree char *date = g_date_time_format(now, "%Y%m%dT%H%M%SZ");
	g_autofree char *aside = g_strdup_printf("%s.damaged-%s", path, date);

	each_damaged(dir, name, remove_path);
	if (rename(path, aside) != 0 && errno != ENOENT)
		return db_fail_errno(error, path, errno);
	dbfile_remove(dir, name);
	return true;
}
