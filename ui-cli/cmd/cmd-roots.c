/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd-roots.c - the verbs add, remove and roots: the watched directories */
#include <config.h>
#include "ui-cli/cmd/commands.h"
#include "ui-cli/app/daemon-client.h"
#include "ui-cli/print/json-writer.h"
#include "common/ipc/control.h"
#include "common/base/i18n.h"
#include "common/base/text.h"
#include <string.h>

static bool is_root(const Settings *settings, const char *dir)
{
	return g_strv_contains(settings_listed(settings), dir);
}

static bool add_one(Cli *cli, const char *dir, GError **error)
{
	if (!g_file_test(dir, G_FILE_TEST_IS_DIR)) {
		g_set_error(
		        error, G_FILE_ERROR, G_FILE_ERROR_NOTDIR, _("%s is not a directory"), dir);
		return false;
	}
	if (is_root(cli->settings, dir)) {
		cli_note(cli, _("%s is already watched."), dir);
		return true;
	}
	if (!settings_add_root(cli->config_file, dir, error))
		return false;
	cli_note(cli, _("%s is now watched."), dir);
	return true;
}

static int notify_daemon(Cli *cli)
{
	g_autoptr(GError) error = NULL;

	if (!cli_reload_daemon(cli, &error))
		return cli_fail(cli, error);
	if (cli->daemon_fd < 0)
		cli_note(cli,
		        _("tarsierd is not running: \"tarsier index\" indexes once, \"systemctl "
		          "--user enable --now tarsierd\" keeps the index up to date."));
	return EXIT_OK;
}

int cmd_add(Cli *cli)
{
	g_autoptr(GError) error = NULL;
	const char *home = g_get_home_dir();

	if (!cli_settings(cli, &error))
		return cli_fail(cli, error);
	if (cli_n_words(cli) == 0) {
		cli_note(cli, _("No directory given; using your home directory, %s."), home);
		g_ptr_array_add(cli->args->words, (char *)home);
	}
	for (unsigned i = 0; i < cli_n_words(cli); i++) {
		g_autofree char *dir = cli_absolute(cli_word(cli, i));
		if (!add_one(cli, dir, &error))
			return cli_fail(cli, error);
	}
	return notify_daemon(cli);
}

static void say_roots(const Settings *settings)
{
	g_autofree char *roots = g_strjoinv(", ", (char **)settings_listed(settings));
	if (*roots)
		cli_say(_("the watched directories are: %s"), roots);
	else
		cli_say(_("no directory is watched"));
}

/* Without a daemon, "tarsierd --once" purges. Without an index there is nothing to purge. */
static int cmd_roots_purge(Cli *cli)
{
	g_autoptr(GError) error = NULL;

	if (cli_daemon(cli, &error) >= 0)
		return cli_reload_daemon(cli, &error) ? EXIT_OK : cli_fail(cli, error);
	if (!g_error_matches(error, CONTROL_ERROR, CONTROL_ERROR_ABSENT))
		return cli_fail(cli, error);
	g_clear_error(&error);
	if (!cli_reader(cli, &error) && g_error_matches(error, INDEX_ERROR, INDEX_ERROR_NONE_YET))
		return EXIT_OK;
	return daemon_run_once(cli, NULL, false);
}

int cmd_remove(Cli *cli)
{
	g_autoptr(GError) error = NULL;
	const Settings *settings = cli_settings(cli, &error);

	if (!settings)
		return cli_fail(cli, error);
	if (cli_n_words(cli) == 0) {
		cli_say(_("name a directory to remove"));
		say_roots(settings);
		return EXIT_USAGE;
	}
	for (unsigned i = 0; i < cli_n_words(cli); i++) {
		g_autofree char *dir = cli_absolute(cli_word(cli, i));
		if (!is_root(settings, dir)) {
			cli_say(_("%s is not a watched directory"), dir);
			say_roots(settings);
			return EXIT_USAGE;
		}
	}
	for (unsigned i = 0; i < cli_n_words(cli); i++) {
		g_autofree char *dir = cli_absolute(cli_word(cli, i));
		if (!settings_remove_root(cli->config_file, dir, &error))
			return cli_fail(cli, error);
		cli_note(cli, _("%s is no longer watched."), dir);
	}
	return cmd_roots_purge(cli);
}

static void print_root(const Cli *cli, GString *out, const char *root)
{
	if (cli->json) {
		json_open(out, NULL, '{');
		json_path(out, root);
		json_close(out, '}');
	} else if (cli->out.terminal && !cli->null) {
		screen_append_link(&cli->out, out, STYLE_PATH, root, root);
	} else {
		g_string_append(out, root);
	}
	g_string_append_c(out, cli->null && !cli->json ? '\0' : '\n');
}

int cmd_roots(Cli *cli)
{
	g_autoptr(GError) error = NULL;
	const Settings *settings = cli_settings(cli, &error);
	g_autoptr(GString) out = g_string_new(NULL);

	if (!settings)
		return cli_fail(cli, error);
	const char *const *roots = settings_listed(settings);
	for (const char *const *root = roots; *root && !cli->quiet; root++)
		print_root(cli, out, *root);
	screen_put(&cli->out, out);
	if (roots[0])
		return EXIT_OK;
	cli_note(cli, _("No directory is watched; \"tarsier add DIR\" adds one."));
	return EXIT_NOTHING;
}
