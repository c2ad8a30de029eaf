/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/commands.h"
#include "ui-cli/app/last-search.h"
#include "ui-cli/app/run-command.h"
#include "ui-cli/app/target.h"
#include "common/base/i18n.h"

/* A number is the rank of a hit of the last search, or else a document's ID. NULL: the error was
 * printed and *code is set. */
static char *path_of_number(Cli *cli, uint64_t number, int *code)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Info) info = NULL;
	char *path = NULL;

	if (number <= G_MAXUINT)
		path = last_search_path(cli->socket_path, cli->cache_dir, (unsigned)number);
	if (path)
		return path;
	info = target_info(cli, cli_word(cli, 0), true, &error);
	if (error) {
		*code = cli_fail(cli, error);
		return NULL;
	}
	if (info)
		return g_strdup(info->path);
	cli_say(_("%s is neither a hit of the last search nor a document's ID"), cli_word(cli, 0));
	*code = EXIT_NOTHING;
	return NULL;
}

static char *path_of_file(const char *argument)
{
	g_autofree char *member = NULL;
	char *path;
	target_split(argument, &path, &member);
	return path;
}

int cmd_open(Cli *cli)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *path = NULL;
	uint64_t number;
	int code = EXIT_NOTHING;

	if (target_is_number(cli_word(cli, 0), &number))
		path = path_of_number(cli, number, &code);
	else
		path = path_of_file(cli_word(cli, 0));
	if (!path)
		return code;
	if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
		cli_say(_("%s does not exist"), path);
		return EXIT_NOTHING;
	}
	if (open_in_viewer(path, &error))
		return EXIT_OK;
	cli_say("%s", error->message);
	return EXIT_PARTIAL;
}
