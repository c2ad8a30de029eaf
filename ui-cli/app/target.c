/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/target.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool target_exists(const char *path)
{
	struct stat st;
	return lstat(path, &st) == 0;
}

/* No URL in canonical form has a "|" that is not the member's. */
static void target_split_url(const char *argument, char **path_r, char **member_r)
{
	const char *bar = strchr(argument, '|');
	g_autofree char *outer = bar ? g_strndup(argument, bar - argument) : g_strdup(argument);
	*path_r = cli_absolute(outer);
	*member_r = bar ? g_strdup(bar + 1) : NULL;
}

void target_split(const char *argument, char **path_r, char **member_r)
{
	*member_r = NULL;
	if (path_is_web(argument)) {
		target_split_url(argument, path_r, member_r);
		return;
	}
	*path_r = cli_absolute(argument);
	if (target_exists(*path_r))
		return;
	for (const char *bar = strchr(argument, '|'); bar; bar = strchr(bar + 1, '|')) {
		g_autofree char *outer = g_strndup(argument, bar - argument);
		g_autofree char *path = *outer ? cli_absolute(outer) : NULL;
		if (path && target_exists(path)) {
			g_free(*path_r);
			*path_r = g_steal_pointer(&path);
			*member_r = g_strdup(bar + 1);
			return;
		}
	}
}

bool target_is_number(const char *text, uint64_t *number_r)
{
	guint64 number;
	if (!g_ascii_string_to_unsigned(text, 10, 1, G_MAXINT64, &number, NULL))
		return false;
	*number_r = number;
	return true;
}

bool target_is_id(const char *text, uint64_t *id_r)
{
	return g_str_has_prefix(text, "id:") && target_is_number(text + strlen("id:"), id_r);
}

bool target_is_missing(Cli *cli, const char *path)
{
	struct stat st;
	if (path_is_web(path) || lstat(path, &st) == 0 || (errno != ENOENT && errno != ENOTDIR))
		return false;
	g_autoptr(GPtrArray) infos = NULL;
	return !cli_reader(cli, NULL) || !reader_info(cli->reader, path, &infos, NULL) ||
	       infos->len == 0;
}

bool target_has_no_text(Cli *cli, const char *argument)
{
	g_autofree char *path = NULL, *member = NULL;
	struct stat st;
	target_split(argument, &path, &member);
	if (path_is_web(path)) {
		g_autoptr(Info) info = target_info(cli, argument, false, NULL);
		if (!info)
			cli_say(_("%s is not in the index; \"tarsier info\" tells why"), path);
		else if (info->stat.kind == ENTRY_DIR)
			cli_say(_("%s is a site or feed; \"tarsier list\" lists what the index has "
			          "of it"),
			        path);
		return !info || info->stat.kind == ENTRY_DIR;
	}
	if (target_is_missing(cli, path)) {
		cli_say(_("%s does not exist"), path);
		return true;
	}
	bool directory = stat(path, &st) == 0 && S_ISDIR(st.st_mode);
	if (directory)
		cli_say(_("%s is a directory; \"tarsier list\" lists what the index has of it"),
		        path);
	return directory;
}

char *target_real_path(const char *path)
{
	g_autofree char *dir = g_path_get_dirname(path);
	g_autofree char *name = g_path_get_basename(path);
	char *real = realpath(dir, NULL);
	char *whole = real ? g_build_filename(real, name, NULL) : NULL;
	free(real);
	return whole;
}

/* The first row with this member that the user may be told of. any: of whatever member. */
static Info *target_first(
        Cli *cli, const GPtrArray *infos, bool any, const char *member, GError **error)
{
	Visible *visible = cli_visible(cli, error);
	for (guint i = 0; visible && i < infos->len; i++) {
		Info *info = infos->pdata[i];
		if ((!any && g_strcmp0(info->member, member) != 0) ||
		        !visible_entry(visible, info, &info->stale))
			continue;
		info->offline = visible_is_away(visible, info);
		return info;
	}
	return NULL;
}

static Info *target_take(GPtrArray *infos, Info *info)
{
	guint at;
	return info && g_ptr_array_find(infos, info, &at) ? g_ptr_array_steal_index_fast(infos, at)
	                                                  : NULL;
}

static Info *target_pick(
        Cli *cli, Reader *reader, const char *path, const char *member, GError **error)
{
	g_autoptr(GPtrArray) infos = NULL;
	if (!path || !reader_info(reader, path, &infos, error))
		return NULL;
	return target_take(infos, target_first(cli, infos, false, member, error));
}

static Info *target_pick_id(Cli *cli, Reader *reader, uint64_t id, GError **error)
{
	g_autoptr(GPtrArray) infos = NULL;
	if (!reader_info_by_id(reader, (int64_t)id, &infos, error))
		return NULL;
	return target_take(infos, target_first(cli, infos, true, NULL, error));
}

Info *target_entry(Cli *cli, const char *path, const char *member, GError **error)
{
	Reader *reader = cli_reader(cli, error);
	return reader ? target_pick(cli, reader, path, member, error) : NULL;
}

Info *target_info(Cli *cli, const char *argument, bool number_is_id, GError **error)
{
	Reader *reader = cli_reader(cli, error);
	g_autofree char *path = NULL, *member = NULL;
	g_autoptr(GError) local = NULL;
	uint64_t id;
	Info *info = NULL;

	if (!reader)
		return NULL;
	if (number_is_id && (target_is_number(argument, &id) || target_is_id(argument, &id)))
		return target_pick_id(cli, reader, id, error);
	/* an item of a feed may have a name that is not a URL in canonical form */
	if (path_is_web(argument))
		info = target_pick(cli, reader, argument, NULL, &local);
	if (info || local) {
		if (local)
			g_propagate_error(error, g_steal_pointer(&local));
		return info;
	}
	target_split(argument, &path, &member);
	info = target_pick(cli, reader, path, member, &local);
	if (!info && !local) {
		g_autofree char *real = target_real_path(path);
		if (g_strcmp0(real, path) != 0)
			info = target_pick(cli, reader, real, member, &local);
	}
	if (local)
		g_propagate_error(error, g_steal_pointer(&local));
	return info;
}

static bool target_below(const char *const *roots, const char *path)
{
	while (*roots && !paths_is_below(path, *roots))
		roots++;
	return *roots != NULL;
}

/* The path with all links resolved, if that lies below a root; else NULL. The caller frees it. */
static char *target_resolve(const char *const *roots, const char *path)
{
	char *real = realpath(path, NULL);
	char *below = real && target_below(roots, real) ? g_strdup(real) : NULL;
	free(real);
	return below;
}

/* The index has nothing below a link, which is an entry like a file. */
static bool target_is_link_to_dir(const char *path)
{
	return g_file_test(path, G_FILE_TEST_IS_SYMLINK) && g_file_test(path, G_FILE_TEST_IS_DIR);
}

char *target_below_root(const Settings *settings, const char *argument)
{
	const char *const *roots = settings_roots(settings);
	g_autofree char *path = cli_absolute(argument);
	g_autofree char *real = NULL;

	if (target_below(roots, path))
		return g_steal_pointer(&path);
	real = target_real_path(path);
	if (real && target_below(roots, real))
		return g_steal_pointer(&real);
	return target_resolve(roots, path);
}

char *target_dir(Cli *cli, const char *argument)
{
	const Settings *settings = cli_settings(cli, NULL);
	g_autofree char *path = cli_absolute(argument);
	if (!settings || path_is_web(path))
		return g_steal_pointer(&path);
	const char *const *roots = settings_roots(settings);
	if (target_below(roots, path) && !target_is_link_to_dir(path))
		return g_steal_pointer(&path);
	char *real = target_resolve(roots, path);
	return real ? real : g_steal_pointer(&path);
}

char *target_place(Cli *cli, const char *argument, char **member_r)
{
	g_autofree char *path = NULL;
	*member_r = NULL;
	if (!argument)
		return NULL;
	target_split(argument, &path, member_r);
	return *member_r ? g_steal_pointer(&path) : target_dir(cli, argument);
}

bool target_is_inside(const char *member, const char *within)
{
	size_t length = within ? strlen(within) : 0;
	return !within ||
	       (member && strncmp(member, within, length) == 0 && strchr("|/", member[length]));
}
