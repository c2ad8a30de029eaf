/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/commands.h"
#include "ui-cli/cmd/sources.h"
#include "ui-cli/app/counts.h"
#include "ui-cli/app/daemon-client.h"
#include "ui-cli/app/progress.h"
#include "ui-cli/app/target.h"
#include "common/ipc/control.h"
#include "common/base/i18n.h"
#include <string.h>

/* FULL_DISK_LOOKS: so often one after the other, 5 s, the disk is full before nobody waits. */
enum { LOOK_EVERY_MS = 250, FULL_DISK_LOOKS = 20 };

static void say_outside(const char *word)
{
	if (source_is_url(word))
		cli_say(_("%s is visited by tarsierd when it is due; \"tarsier web visit %s\" "
		          "tells "
		          "when"),
		        word, word);
	else
		cli_say(_("%s is not in a watched directory; \"tarsier add %s\" adds it"), word,
		        word);
}

/* The absolute paths of the arguments; NULL if one is outside all roots or unknown, which is then
 * printed. */
static char **checked_paths(Cli *cli, const Settings *settings)
{
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);

	for (unsigned i = 0; i < cli_n_words(cli); i++) {
		char *path = target_below_root(settings, cli_word(cli, i));
		if (!path) {
			say_outside(cli_word(cli, i));
			return NULL;
		}
		g_ptr_array_add(paths, path);
		/* A deleted file is brought up to date by forgetting it. */
		if (target_is_missing(cli, path)) {
			cli_say(_("%s does not exist"), path);
			return NULL;
		}
	}
	g_ptr_array_add(paths, NULL);
	g_ptr_array_set_free_func(paths, NULL);
	return (char **)g_ptr_array_free(g_steal_pointer(&paths), FALSE);
}

static bool is_paused(Cli *cli)
{
	g_autoptr(GVariant) status = daemon_status(cli, NULL);
	const char *state = "";
	if (status)
		g_variant_lookup(status, "state", "&s", &state);
	return strcmp(state, "paused") == 0;
}

static bool disk_is_full(Cli *cli)
{
	g_autoptr(GVariant) status = daemon_status(cli, NULL);
	gboolean full = FALSE;
	if (status)
		g_variant_lookup(status, "disk_full", "b", &full);
	return full;
}

static int cmd_index_call_daemon(Cli *cli, char *const *paths)
{
	g_autoptr(Progress) progress = progress_new(cli, PROGRESS_INDEX, false);
	g_autoptr(GError) error = NULL;
	g_autoptr(GVariant) answer = NULL;
	GVariantDict arguments;
	unsigned full = 0;

	if (is_paused(cli)) {
		cli_say(_("indexing is paused; \"tarsier resume\" continues it"));
		return EXIT_BUSY;
	}
	progress_update(progress); /* what the daemon did before does not count */
	g_variant_dict_init(&arguments, NULL);
	g_variant_dict_insert(&arguments, "paths", "^aay", paths);
	answer = control_call(cli->daemon_fd, "index", g_variant_dict_end(&arguments), -1, &error);
	for (bool again = false; answer && !error; again = true) {
		if (daemon_sync_ms(cli, LOOK_EVERY_MS, again, &error))
			break;
		if (!progress_update(progress))
			return EXIT_INTERRUPTED;
		full = disk_is_full(cli) ? full + 1 : 0;
		if (full >= FULL_DISK_LOOKS) {
			g_clear_pointer(&progress, progress_free);
			cli_say(_("the disk of the index is full; tarsierd goes on when it has "
			          "space again"));
			return EXIT_BUSY;
		}
	}
	return error ? cli_fail(error) : EXIT_OK;
}

/* Tells the user what the index has now. */
static void note_result(Cli *cli, const Settings *settings)
{
	IndexStats stats = {0};

	for (const char *const *root = settings_roots(settings); *root; root++)
		if (!g_file_test(*root, G_FILE_TEST_IS_DIR))
			cli_note(cli, _("%s is missing; its index entries are kept."), *root);
	if (!cli->quiet && cli_reader(cli, NULL) && reader_stats(cli->reader, &stats, NULL)) {
		g_autofree char *files = count_files(stats.files);
		g_autofree char *documents = count_documents(stats.documents);
		cli_note(cli, _("The index has %s and %s; %lu failed."), files, documents,
		        (unsigned long)stats.failed);
	}
	index_stats_clear(&stats);
}

static int bring_up_to_date(Cli *cli, char *const *paths)
{
	g_autoptr(GError) error = NULL;

	if (cli_daemon(cli, &error) >= 0)
		return cmd_index_call_daemon(cli, paths);
	if (!g_error_matches(error, CONTROL_ERROR, CONTROL_ERROR_ABSENT))
		return cli_fail(error);
	return daemon_run_once(cli, paths);
}

int cmd_index(Cli *cli)
{
	g_autoptr(GError) error = NULL;
	const Settings *settings = cli_settings(cli, &error);
	g_auto(GStrv) paths = NULL;

	if (!settings)
		return cli_fail(error);
	bool roots = settings_roots(settings)[0];
	if (!roots && !settings_has_any(settings)) {
		cli_say(_("no directory is watched yet; \"tarsier add DIR\" adds one"));
		return EXIT_USAGE;
	}
	if (!roots && cli_n_words(cli) == 0) {
		cli_note(cli,
		        _("No directory is watched. Sites and feeds are visited while tarsierd "
		          "runs."));
		return EXIT_OK;
	}
	paths = checked_paths(cli, settings);
	if (!paths)
		return EXIT_USAGE;
	int code = bring_up_to_date(cli, paths);
	if (code == EXIT_OK)
		note_result(cli, settings);
	return code;
}
