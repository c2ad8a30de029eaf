/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/commands.h"
#include "ui-cli/app/confine-client.h"
#include "ui-cli/app/index-changes.h"
#include "ui-cli/app/resolve-files.h"
#include "ui-cli/app/search-query.h"
#include "ui-cli/app/watched-paths.h"
#include "ui-cli/print/json-writer.h"
#include "common/base/i18n.h"
#include "common/base/text.h"
#include "index/search/search.h"
#include "ui-cli/print/printer.h"
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	WATCH_MAX = 10000, /* matches */
	WATCH_SHARE = 4 /* the query takes at most a fifth of the time */
};

/* Returns the set of paths that match now: char * -> the path of the file, both owned. The index
 * stays open: if nobody else has it open, each opening makes its log anew, which looks like a
 * change. NULL: *code_r is the exit code. */
static GHashTable *watch_ask(Cli *cli, int *code_r)
{
	const SearchOptions options = {
	        .limit = WATCH_MAX + 1, .sort = SORT_PATH, .dups = DUPS_SHOW, .uid = geteuid()};
	g_autoptr(GError) error = NULL;
	/* Dates are relative to now, and a saved search may have been changed. */
	g_autoptr(Query) query = search_query_again(cli);

	*code_r = EXIT_USAGE;
	if (!query)
		return NULL;
	g_autoptr(SearchResult) result = NULL;
	bool resolved = cli_fresh_reader(cli, &error) && resolve_files(cli, query, &error);
	if (resolved)
		result = search_run(cli->reader, query, &options, &error);
	if (!result) {
		*code_r = resolved ? cli_fail(error) : search_fail_file(query, error);
		return NULL;
	}
	if (result->hits->len > WATCH_MAX) {
		cli_say(_("more than %d entries match, which is too many to watch; narrow the "
		          "query"),
		        WATCH_MAX);
		return NULL;
	}
	GHashTable *now = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	for (guint i = 0; i < result->hits->len; i++) {
		const Info *info = &((const Hit *)result->hits->pdata[i])->info;
		g_hash_table_insert(now, info_full_path(info), g_strdup(info->path));
	}
	return now;
}

static void watch_print(const Cli *cli, bool begins, const char *path)
{
	g_autoptr(GString) out = g_string_new(NULL);

	if (cli->quiet)
		return;
	if (cli->json) {
		json_open(out, NULL, '{');
		json_text(out, "type", begins ? "begin" : "cease");
		json_path(out, path);
		json_time(out, "time", time(NULL), false);
		json_close(out, '}');
	} else {
		g_string_append(out, begins ? "+ " : "- ");
		if (cli->null || !cli->out.terminal)
			g_string_append(out, path);
		else
			text_append_escaped(out, path, -1);
	}
	g_string_append_c(out, cli->null && !cli->json ? '\0' : '\n');
	screen_put_now(&cli->out, out);
}

/* False: no command can be started any more. */
static bool watch_run_command(const Cli *cli, const char *path)
{
	g_autoptr(GError) error = NULL;
	if (!options_has(cli->args, "exec") || starter_run(cli->starter, path, &error))
		return true;
	if (error)
		cli_say("%s", error->message);
	else
		cli_say(_("the command failed for %s"), path);
	return !error;
}

/* Tells what differs from before. False: nobody reads the output any more, or no command can be
 * started; what was not told yet comes at the next start. */
static bool watch_tell(const Cli *cli, WatchedPaths *watched, GHashTable *now)
{
	g_autoptr(GPtrArray) gone = watched_paths_without(watched, now);
	g_autoptr(GList) paths = g_list_sort(g_hash_table_get_keys(now), (GCompareFunc)strcmp);

	for (guint i = 0; i < gone->len && !ferror(stdout); i++) {
		watch_print(cli, false, gone->pdata[i]);
		watched_paths_remove(watched, gone->pdata[i]);
	}
	for (GList *each = paths; each && !ferror(stdout); each = each->next) {
		if (watched_paths_has(watched, each->data))
			continue;
		watch_print(cli, true, each->data);
		if (!watch_run_command(cli, g_hash_table_lookup(now, each->data)))
			return false;
		watched_paths_add(watched, each->data);
	}
	return !ferror(stdout);
}

/* Matches that are there when a query is watched for the first time are not news. */
static void watch_begin(const Cli *cli, WatchedPaths *watched, GHashTable *now)
{
	GHashTableIter each;
	gpointer path;
	guint n = g_hash_table_size(now);
	g_hash_table_iter_init(&each, now);
	while (g_hash_table_iter_next(&each, &path, NULL))
		watched_paths_add(watched, path);
	cli_note(cli,
	        ngettext("%u entry matches now; from now on, changes are printed.",
	                "%u entries match now; from now on, changes are printed.", n),
	        n);
}

/* Asks once and tells the difference. False: *code_r is the exit code. */
static bool watch_once(Cli *cli, WatchedPaths *watched, int *code_r)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GHashTable) now = watch_ask(cli, code_r);
	bool read = true;

	if (!now)
		return false;
	if (watched_paths_is_new(watched))
		watch_begin(cli, watched, now);
	else
		read = watch_tell(cli, watched, now);
	if (!watched_paths_write(watched, &error)) {
		*code_r = cli_fail(error);
		return false;
	}
	*code_r = EXIT_INTERRUPTED;
	return read;
}

static int watch_follow(Cli *cli, WatchedPaths *watched, IndexChanges *changes)
{
	int code;
	for (;;) {
		int64_t begun_us = g_get_monotonic_time();
		if (!watch_once(cli, watched, &code))
			return code;
		int64_t took_ms = (g_get_monotonic_time() - begun_us) / 1000;
		switch (index_changes_wait(
		        changes, STDOUT_FILENO, (int)MIN(took_ms * WATCH_SHARE, 60000))) {
		case INDEX_CHANGED:
			break;
		case INDEX_REPLACED:
			cli_say(_("the directory of the index was replaced: start this again"));
			return EXIT_ABSENT;
		case INDEX_CHANGES_INTERRUPTED:
			return EXIT_INTERRUPTED;
		case INDEX_CHANGES_ENDED:
			return EXIT_OK;
		}
	}
}

/* It need not run yet, but without it the index does not change. */
static void watch_look_for_daemon(Cli *cli)
{
	if (cli_daemon(cli, NULL) < 0) {
		cli_note(cli, _("tarsierd is not running: nothing is printed until it is."));
		return;
	}
	close(cli->daemon_fd);
	cli->daemon_fd = -1;
}

int cmd_watch(Cli *cli)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Query) query = search_query(cli);
	if (!query)
		return EXIT_USAGE;
	if (!cli_reader(cli, &error)) /* says what to do if there is no index yet */
		return cli_fail(error);
	g_clear_pointer(&cli->reader, reader_close);
	g_autofree char *text = search_text(cli, 0);
	g_autoptr(WatchedPaths) watched = watched_paths_open(cli->index_dir, text, &error);
	if (!watched) {
		int code = cli_fail(error);
		return g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_AGAIN) ? EXIT_BUSY : code;
	}
	g_autoptr(IndexChanges) changes = index_changes_new(cli->index_dir, &error);
	if (!changes)
		return cli_fail(error);
	watch_look_for_daemon(cli);
	confine_client(cli, query_names_files(query));
	return watch_follow(cli, watched, changes);
}
