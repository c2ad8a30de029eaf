/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd-roots.c - the verbs add, remove and roots: the watched directories, sites and feeds */
#include <config.h>
#include "ui-cli/cmd/commands.h"
#include "ui-cli/cmd/sources.h"
#include "ui-cli/app/daemon-client.h"
#include "ui-cli/app/root-kind.h"
#include "ui-cli/app/source-list.h"
#include "ui-cli/print/json-writer.h"
#include "common/ipc/control.h"
#include "common/base/i18n.h"
#include "common/base/text.h"
#include <stdlib.h>
#include <string.h>

static bool is_root(const Settings *settings, const char *dir)
{
	return g_strv_contains(settings_listed(settings), dir);
}

/* The watched directory that the directory lies in, or NULL. */
static const char *outer_root(const Settings *settings, const char *dir)
{
	for (const char *const *root = settings_listed(settings); *root; root++) {
		size_t length = strlen(*root);
		bool top = length > 0 && (*root)[length - 1] == '/';
		if (g_str_has_prefix(dir, *root) && (top || dir[length] == '/'))
			return *root;
	}
	return NULL;
}

static bool add_one(Cli *cli, const char *dir, GError **error)
{
	if (!g_file_test(dir, G_FILE_TEST_IS_DIR)) {
		bool other = g_file_test(dir, G_FILE_TEST_EXISTS);
		g_set_error(error, G_FILE_ERROR, other ? G_FILE_ERROR_NOTDIR : G_FILE_ERROR_NOENT,
		        other ? _("%s is not a directory") : _("%s does not exist"), dir);
		return false;
	}
	if (is_root(cli->settings, dir)) {
		cli_note(cli, _("%s is already watched."), dir);
		return true;
	}
	const char *outer = outer_root(cli->settings, dir);
	g_autofree char *note = root_kind_note(dir, NULL);
	if (!settings_add_root(cli->config_file, dir, error))
		return false;
	if (outer)
		cli_note(cli,
		        _("%s lies in %s, which is watched already; now it is watched by itself "
		          "too."),
		        dir, outer);
	else
		cli_note(cli, _("%s is now watched."), dir);
	if (note)
		cli_note(cli, "%s", note);
	return true;
}

/* web: sites or feeds were added. */
static int notify_daemon(Cli *cli, bool web)
{
	g_autoptr(GError) error = NULL;

	if (!cli_reload_daemon(cli, &error))
		return cli_fail(error);
	if (cli->daemon_fd >= 0)
		return EXIT_OK;
	if (web)
		cli_note(cli, _("tarsierd is not running: sites and feeds are visited while it "
		                "runs (\"systemctl --user enable --now tarsierd\")."));
	else
		cli_note(cli, _("tarsierd is not running: \"tarsier index\" indexes once, "
		                "\"systemctl --user enable --now tarsierd\" keeps the index up to "
		                "date."));
	return EXIT_OK;
}

/* The absolute path of a word, as the configuration has it: with symbolic links resolved unless it
 * is listed with them. The caller frees it. */
static char *word_path(const Settings *settings, const char *word)
{
	char *path = cli_absolute(word);
	char *real = is_root(settings, path) ? NULL : realpath(path, NULL);
	if (!real)
		return path;
	g_free(path);
	path = g_strdup(real);
	free(real);
	return path;
}

static int add_watched_dir(Cli *cli, const char *word)
{
	g_autoptr(GError) error = NULL;
	const Settings *settings = cli_settings(cli, &error);

	if (!settings)
		return cli_fail(error);
	g_autofree char *dir = word_path(settings, word);
	if (root_kind_refuses(dir, NULL))
		return EXIT_USAGE;
	return add_one(cli, dir, &error) ? EXIT_OK : cli_fail(error);
}

/* Adds all words; a site that is not there does not keep the next one out. *added_r: any was
 * added. */
static int add_words(Cli *cli, const SourceOptions *options, bool *added_r)
{
	int code = EXIT_OK;

	for (unsigned i = 0; i < cli_n_words(cli) && code <= EXIT_NOTHING; i++) {
		const char *word = cli_word(cli, i);
		int one = source_is_url(word) ? source_add(cli, word, options)
		                              : add_watched_dir(cli, word);
		*added_r |= one == EXIT_OK;
		code = MAX(code, one);
	}
	return code;
}

static bool any_word_is_url(const Cli *cli)
{
	for (unsigned i = 0; i < cli_n_words(cli); i++)
		if (source_is_url(cli_word(cli, i)))
			return true;
	return false;
}

static int add_default(Cli *cli)
{
	const char *home = g_get_home_dir();

	cli_note(cli, _("No directory given; using your home directory, %s."), home);
	return add_watched_dir(cli, home);
}

int cmd_add(Cli *cli)
{
	const char *opml = options_value(cli->args, "opml");
	bool web = opml || any_word_is_url(cli);
	SourceOptions options;
	bool added = false;
	int code = EXIT_OK;

	if (source_options_given(cli) && !web) {
		cli_say(_("these options of add are for the URL of a site or feed"));
		return EXIT_USAGE;
	}
	if (!source_options_read(cli, &options))
		return EXIT_USAGE;
	if (opml)
		code = source_add_opml(cli, opml, &options);
	else if (cli_n_words(cli) == 0)
		code = add_default(cli);
	added = (opml || cli_n_words(cli) == 0) && (code == EXIT_OK || code == EXIT_PARTIAL);
	if (code == EXIT_OK || code == EXIT_PARTIAL) {
		int words = add_words(cli, &options, &added);
		code = words <= EXIT_NOTHING ? MAX(code, words) : words;
	}
	source_options_clear(&options);
	int notified = added ? notify_daemon(cli, web) : EXIT_OK;
	return code != EXIT_OK ? code : notified;
}

static void say_roots(const Settings *settings)
{
	g_autofree char *roots = g_strjoinv(", ", (char **)settings_listed(settings));
	if (*roots)
		cli_say(_("the watched directories are: %s"), roots);
	else
		cli_say(_("no directory is watched"));
}

static void say_sources(const Settings *settings)
{
	unsigned n;
	const SettingsSource *sources = settings_sources(settings, &n);
	if (n == 0)
		cli_say(_("no site and no feed is read"));
	else
		cli_say(_("the sites and feeds are:"));
	for (unsigned i = 0; i < n; i++)
		cli_say("  %s", sources[i].url);
}

/* Without a daemon, "tarsierd --once --purge" purges. Without an index there is nothing to purge.
 */
static int cmd_roots_purge(Cli *cli)
{
	g_autoptr(GError) error = NULL;

	if (cli_daemon(cli, &error) >= 0)
		return cli_reload_daemon(cli, &error) ? EXIT_OK : cli_fail(error);
	if (!g_error_matches(error, CONTROL_ERROR, CONTROL_ERROR_ABSENT))
		return cli_fail(error);
	g_clear_error(&error);
	if (!cli_reader(cli, &error) && g_error_matches(error, INDEX_ERROR, INDEX_ERROR_NONE_YET))
		return EXIT_OK;
	int code = daemon_run_purge(cli);
	if (code != EXIT_BUSY)
		return code;
	cli_note(cli,
	        _("Words of it are left on the disk; \"tarsier compact --scrub\" erases them."));
	return EXIT_OK;
}

/* Tells how to leave out a directory within a watched one. */
static void say_marker(const Settings *settings, const char *dir)
{
	const char *outer = outer_root(settings, dir);
	const char *const *markers = settings_list(settings, "index", "markers", outer);
	if (outer && g_strv_contains(markers, "noindex") && g_file_test(dir, G_FILE_TEST_IS_DIR))
		cli_say(_("it lies in %s; an empty file .noindex in it keeps it out of the index"),
		        outer);
}

/* Says so if a word is nothing that can be removed. */
static bool can_remove(const Settings *settings, const char *word)
{
	g_autoptr(GError) error = NULL;
	if (!source_is_url(word)) {
		g_autofree char *dir = word_path(settings, word);
		if (is_root(settings, dir))
			return true;
		cli_say(_("%s is not a watched directory"), dir);
		say_roots(settings);
		say_marker(settings, dir);
		return false;
	}
	g_autofree char *url = settings_source_url(word, &error);
	if (url && settings_source(settings, url))
		return true;
	cli_say(_("%s is not a site or feed that was added"), url ? url : word);
	say_sources(settings);
	return false;
}

static bool roots_are_removed(const Cli *cli, const char *root)
{
	for (unsigned i = 0; i < cli_n_words(cli); i++) {
		g_autofree char *dir = word_path(cli->settings, cli_word(cli, i));
		if (strcmp(dir, root) == 0)
			return true;
	}
	return false;
}

static bool remove_watched_dir(Cli *cli, const char *dir, GError **error)
{
	const char *outer = outer_root(cli->settings, dir);
	if (!settings_remove_root(cli->config_file, dir, error))
		return false;
	if (outer && !roots_are_removed(cli, outer))
		cli_note(cli, _("%s is no longer watched by itself, but still as a part of %s."),
		        dir, outer);
	else
		cli_note(cli, _("%s is no longer watched."), dir);
	return true;
}

static bool remove_word(Cli *cli, const char *word, GError **error)
{
	if (!source_is_url(word)) {
		g_autofree char *dir = word_path(cli->settings, word);
		return remove_watched_dir(cli, dir, error);
	}
	g_autofree char *url = settings_source_url(word, error);
	if (!url || !settings_remove_source(cli->config_file, url, error))
		return false;
	cli_note(cli, _("%s is no longer read."), url);
	return true;
}

/* Removes what the words name; twice named is removed once. *any_r: something was removed. Returns
 * the exit code. */
static int remove_words(Cli *cli, bool *any_r)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GHashTable) removed =
	        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (unsigned i = 0; i < cli_n_words(cli); i++) {
		const char *word = cli_word(cli, i);
		char *name = source_is_url(word) ? settings_source_url(word, NULL)
		                                 : word_path(cli->settings, word);
		if (!g_hash_table_add(removed, name))
			continue;
		if (!remove_word(cli, word, &error))
			return cli_fail(error);
		*any_r = true;
	}
	return EXIT_OK;
}

int cmd_remove(Cli *cli)
{
	g_autoptr(GError) error = NULL;
	const Settings *settings = cli_settings(cli, &error);

	if (!settings)
		return cli_fail(error);
	if (cli_n_words(cli) == 0) {
		cli_say(_("name a directory, site or feed to remove"));
		say_roots(settings);
		say_sources(settings);
		return EXIT_USAGE;
	}
	for (unsigned i = 0; i < cli_n_words(cli); i++)
		if (!can_remove(settings, cli_word(cli, i)))
			return EXIT_USAGE;
	bool any = false;
	int code = remove_words(cli, &any);
	int purged = any ? cmd_roots_purge(cli) : EXIT_OK;
	return code != EXIT_OK ? code : purged;
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

/* One line with the URL in a pipe; a second one with the facts on a terminal. */
static void print_source(const Cli *cli, GString *out, const SourceState *state)
{
	const char *url = state->source->url;

	if (cli->json) {
		source_append_json(out, state);
	} else if (cli->out.terminal && !cli->null) {
		g_autofree char *facts = source_text(state);
		g_string_append_printf(out, "%s%s%s\n    ", screen_on(&cli->out, STYLE_PATH), url,
		        screen_off(&cli->out));
		text_append_escaped(out, facts, -1);
	} else {
		g_string_append(out, url);
	}
	g_string_append_c(out, cli->null && !cli->json ? '\0' : '\n');
}

int cmd_roots(Cli *cli)
{
	g_autoptr(GError) error = NULL;
	const Settings *settings = cli_settings(cli, &error);
	g_autoptr(GString) out = g_string_new(NULL);

	if (!settings)
		return cli_fail(error);
	if (options_has(cli->args, "opml"))
		return source_print_opml(cli);
	const char *const *roots = settings_listed(settings);
	g_autoptr(SourceList) sources = source_list_new(cli);
	for (const char *const *root = roots; *root && !cli->quiet; root++)
		print_root(cli, out, *root);
	for (guint i = 0; i < sources->states->len && !cli->quiet; i++)
		print_source(cli, out, &g_array_index(sources->states, SourceState, i));
	screen_put(&cli->out, out);
	if (roots[0] || sources->states->len > 0)
		return EXIT_OK;
	cli_note(cli, _("No directory is watched; \"tarsier add DIR\" adds one."));
	return EXIT_NOTHING;
}
