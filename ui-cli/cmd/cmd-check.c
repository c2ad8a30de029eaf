/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/commands.h"
#include "index/store/db-marks.h"
#include "ui-cli/app/daemon-client.h"
#include "ui-cli/print/printer.h"
#include "index/copies/dups.h"
#include "index/read/reader-page.h"
#include "index/store/db.h"
#include "common/ipc/control.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "common/base/time-ns.h"
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* Checks the index for damage and prints a line for each problem. Returns their number, -1 on
 * error. */
static int check_itself(Cli *cli, GError **error)
{
	g_autoptr(GPtrArray) problems = NULL;

	if (!reader_check(cli->reader, &problems, error))
		return -1;
	for (guint i = 0; i < problems->len && !cli->quiet; i++) {
		g_autofree char *line = screen_escaped(problems->pdata[i]);
		screen_write(stdout, line);
		screen_write(stdout, "\n");
	}
	return (int)problems->len;
}

typedef struct {
	const Cli *cli;
	uint64_t entries, different;
} Compare;

static bool is_same(const Info *info)
{
	struct stat st;

	errno = 0;
	if (path_is_web(info->path))
		return true; /* it is on no file system */
	if (lstat(info->path, &st) != 0)
		return false;
	if (info->stat.kind == ENTRY_DIR || info->inode_state == INODE_PENDING)
		return true;
	return st.st_size == info->stat.size &&
	       time_ns(st.st_mtim.tv_sec, st.st_mtim.tv_nsec) == info->stat.mtime_ns;
}

static bool cmd_check_compare(const Info *info, void *data)
{
	Compare *c = data;

	if (info->member)
		return true;
	c->entries++;
	if (is_same(info))
		return true;
	c->different++;
	if (c->cli->verbose && errno != EACCES)
		cli_note(c->cli, "%s", info->path);
	return true;
}

typedef struct {
	const Cli *cli;
	int n;
} FalsePairs;

static void cmd_check_add_pair(const char *one, const char *other, void *data)
{
	FalsePairs *pairs = data;
	g_autofree char *first = screen_escaped(one), *second = screen_escaped(other);
	pairs->n++;
	if (pairs->cli->quiet)
		return;
	g_autofree char *line =
	        g_strdup_printf(_("%s and %s are listed as equal, but differ\n"), first, second);
	screen_write(stdout, line);
}

static bool cmd_check_ignore_group(const DupGroup *group, void *data)
{
	return true;
}

/* Compares the bytes of all files that the index takes for equal, and prints a line for each pair
 * that differs. Returns their number, -1 on error. */
static int cmd_check_copies(Cli *cli, GError **error)
{
	FalsePairs pairs = {cli, 0};
	const DupOptions options = {.exact = true,
	        .uid = geteuid(),
	        .differ = cmd_check_add_pair,
	        .differ_data = &pairs};
	if (!reader_dups(cli->reader, &options, cmd_check_ignore_group, NULL, error))
		return -1;
	return pairs.n;
}

typedef struct {
	const Cli *cli;
	int n; /* pages that cannot be read */
	bool any_damaged;
} UnreadPages;

static void cmd_check_add_page(const char *url, const GError *failure, void *data)
{
	UnreadPages *pages = data;
	bool damaged = g_error_matches(failure, WARC_ERROR, WARC_ERROR_DAMAGED);
	g_autofree char *name = screen_escaped(url);
	pages->n++;
	pages->any_damaged |= damaged;
	if (pages->cli->quiet)
		return;
	g_autofree char *line =
	        damaged ? g_strdup_printf(_("%s: its stored page is damaged\n"), name)
	                : g_strdup_printf(_("%s: its stored page cannot be read (%s)\n"), name,
	                          failure->message);
	screen_write(stdout, line);
}

/* Rebuilds a damaged index; otherwise reads the files again that are wrongly taken for equal, and
 * indexes the files that differ from their rows. */
static int cmd_check_repair(Cli *cli, bool damaged, bool false_pairs)
{
	g_autoptr(GError) error = NULL;

	if (cli_daemon(cli, &error) >= 0) {
		cli_say(_("tarsierd is running; stop it first: systemctl --user stop tarsierd"));
		return EXIT_BUSY;
	}
	if (!g_error_matches(error, CONTROL_ERROR, CONTROL_ERROR_ABSENT))
		return cli_fail(error);
	g_clear_pointer(&cli->reader, reader_close);
	if (damaged && !db_mark_damaged(cli->index_dir, _("found by a check"), &error))
		return cli_fail(error);
	int code = false_pairs && !damaged ? daemon_run_verify(cli) : daemon_run_once(cli, NULL);
	if (code == EXIT_OK)
		cli_note(cli, damaged ? _("The index was built anew.")
		                      : _("The index was brought up to date."));
	return code;
}

/* With --repair, an unreadable index is rebuilt; without it, that is an error. */
static int cmd_check_fail(Cli *cli, bool repairs, const GError *error)
{
	if (repairs && g_error_matches(error, INDEX_ERROR, INDEX_ERROR_DAMAGED))
		return cmd_check_repair(cli, true, false);
	return cli_fail(error);
}

int cmd_check(Cli *cli)
{
	g_autoptr(GError) error = NULL;
	Compare files = {cli, 0, 0};
	bool repairs = options_has(cli->args, "repair");
	UnreadPages pages = {.cli = cli};
	int problems, pairs;

	if (!cli_reader(cli, &error))
		return cmd_check_fail(cli, repairs, error);
	problems = check_itself(cli, &error);
	pairs = problems < 0 ? -1 : cmd_check_copies(cli, &error);
	if (pairs < 0 || !reader_check_stores(cli->reader, cmd_check_add_page, &pages, &error) ||
	        !reader_list(cli->reader, NULL, cmd_check_compare, &files, &error))
		return cmd_check_fail(cli, repairs, error);
	cli_note(cli, _("%lu entries, %d problems, %lu differ from the file system"),
	        (unsigned long)files.entries, problems + pairs + pages.n,
	        (unsigned long)files.different);
	if (pages.any_damaged)
		cli_note(cli, _("A damaged page is found by its text, and stored again by the next "
		                "visit of tarsierd."));
	if ((problems + pairs > 0 || files.different > 0) && repairs)
		return cmd_check_repair(cli, problems > 0, pairs > 0);
	if (files.different > 0)
		cli_note(cli, _("\"tarsier index\" indexes changed files."));
	if (problems > 0)
		return EXIT_DAMAGED;
	return pairs > 0 || pages.n > 0 || files.different > 0 ? EXIT_PARTIAL : EXIT_OK;
}
