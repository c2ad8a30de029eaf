/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/why-not.h"
#include "ui-cli/app/target.h"
#include "common/base/autofd.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "common/rules/rules.h"
#include "index/read/access.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *root_of(const Settings *settings, const char *path)
{
	const char *const *root = settings_roots(settings);
	while (*root && !paths_is_below(path, *root))
		root++;
	return *root;
}

static char *why_not_cannot(const char *path, int code)
{
	if (code == ENOENT)
		return g_strdup_printf(_("%s does not exist"), path);
	return g_strdup_printf("%s: %s", path, g_strerror(code));
}

/* A descent from the root, one directory at a time, like the crawler's. */
typedef struct {
	Rules *rules;
	RulesDir *dir;
	int fd;
	GString *path;
} Descent;

static void descent_clear(Descent *d)
{
	if (d->fd >= 0)
		close(d->fd);
	if (d->dir)
		rules_dir_unref(d->dir);
	g_string_free(d->path, TRUE);
}

/* Enters the directory open as fd and takes ownership of fd. Returns the rule that excludes its
 * contents, or NULL. */
static const char *why_not_enter(Descent *d, int fd)
{
	RulesDir *dir = rules_dir_enter(d->rules, d->dir, fd, d->path->str);

	if (d->dir)
		rules_dir_unref(d->dir);
	if (d->fd >= 0)
		close(d->fd);
	d->dir = dir;
	d->fd = fd;
	return rules_dir_excluded(dir);
}

/* Goes down one component. NULL: continue; otherwise the answer. */
static char *why_not_step(Descent *d, const char *name, bool last)
{
	struct stat st;
	const char *rule;
	int fd;

	if (*d->path->str == '\0' || d->path->str[d->path->len - 1] != '/')
		g_string_append_c(d->path, '/');
	g_string_append(d->path, name);
	if (fstatat(d->fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return why_not_cannot(d->path->str, errno);
	rule = rules_entry_excluded(d->dir, name, st.st_mode);
	if (rule) /* about the file itself, which the user has named */
		return last ? g_strdup(rule) : g_strdup_printf("%s: %s", d->path->str, rule);
	if (S_ISLNK(st.st_mode) && !last)
		return g_strdup_printf(
		        _("%s is a symbolic link; links are not followed"), d->path->str);
	if (!S_ISDIR(st.st_mode))
		return last ? NULL : g_strdup_printf(_("%s is not a directory"), d->path->str);
	fd = openat(d->fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return why_not_cannot(d->path->str, errno);
	rule = why_not_enter(d, fd);
	return rule && !last ? g_strdup_printf("%s: %s", d->path->str, rule) : NULL;
}

static char *why_not_descend(Rules *rules, const char *root, const char *rest)
{
	Descent d = {rules, NULL, -1, g_string_new(root)};
	g_auto(GStrv) names = g_strsplit(rest, "/", -1);
	int fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char *answer = NULL;

	if (fd < 0) {
		answer = why_not_cannot(root, errno);
	} else {
		const char *rule = why_not_enter(&d, fd);
		if (rule)
			answer = g_strdup_printf("%s: %s", root, rule);
	}
	for (char **name = names; *name && !answer; name++) {
		if (**name)
			answer = why_not_step(&d, *name, name[1] == NULL);
	}
	descent_clear(&d);
	return answer;
}

static bool why_not_may_read(const char *path)
{
	struct stat st;
	return lstat(path, &st) != 0 || !S_ISREG(st.st_mode) ||
	       access_allows(path, ENTRY_FILE, geteuid());
}

char *why_not_kept_out(Cli *cli, const Settings *settings, const char *path)
{
	const char *root = root_of(settings, path);
	g_autoptr(Rules) rules = NULL;
	char *answer;

	if (path_is_web(path))
		return g_strdup_printf(_("no page of a site or feed that was added has this URL; "
		                         "\"tarsier web visit %s\" tells more"),
		        path);
	if (!root)
		return g_strdup_printf(
		        _("it is not in a watched directory; \"tarsier add\" adds one"));
	rules = rules_new(settings, cli->index_dir);
	answer = why_not_descend(rules, root, path + strlen(root));
	if (!answer && !why_not_may_read(path))
		answer = why_not_cannot(path, EACCES);
	return answer;
}

char *why_not_indexed(Cli *cli, const Settings *settings, const char *path)
{
	if (target_is_missing(cli, path))
		return why_not_cannot(path, ENOENT);
	char *answer = why_not_kept_out(cli, settings, path);
	if (answer)
		return answer;
	if (cli_daemon(cli, NULL) >= 0)
		return g_strdup(_("no rule excludes it; it is waiting to be indexed"));
	return g_strdup(_(
	        "no rule excludes it, but tarsierd is not running; \"tarsier index\" indexes it"));
}

char *why_not_member(Cli *cli, const Settings *settings, const char *member)
{
	g_autoptr(Rules) rules = rules_new(settings, cli->index_dir);
	const char *rule = rules_member_excluded(rules, member);
	return g_strdup(rule ? rule : _("the container has no such member, or it is not indexed"));
}

bool why_not_note_missing(Cli *cli, const char *directory)
{
	bool missing = target_is_missing(cli, directory);
	if (missing)
		cli_note(cli, _("%s does not exist."), directory);
	return missing;
}

static bool why_not_note_offline(Cli *cli, const char *directory)
{
	g_autoptr(Info) info = target_info(cli, directory, false, NULL);
	bool offline = info && info->offline;
	if (offline)
		cli_note(cli, _("%s is offline; \"is:offline\" finds what the index has of it."),
		        directory);
	return offline;
}

bool why_not_note_empty(Cli *cli, const char *directory)
{
	if (why_not_note_missing(cli, directory) || why_not_note_offline(cli, directory))
		return true;
	const Settings *settings = cli_settings(cli, NULL);
	g_autofree char *below = target_dir(cli, directory);
	g_autofree char *why = settings ? why_not_kept_out(cli, settings, below) : NULL;
	if (why)
		cli_note(cli, _("%s is not in the index: %s."), directory, why);
	return why != NULL;
}
