/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/commands.h"
#include "ui-cli/app/daemon-wait.h"
#include "ui-cli/app/client-status.h"
#include "ui-cli/cmd/follow-status.h"
#include "common/base/i18n.h"

enum { WAIT_FOREVER_S = 10000000 };

static void cmd_status_show(const Cli *cli, const Status *status)
{
	g_autoptr(GString) out = g_string_new(NULL);
	if (cli->json)
		status_append_json(out, status);
	else
		status_append_human(&cli->out, out, status);
	if (!cli->quiet)
		screen_put(&cli->out, out);
}

/* For scripts that read JSON the object tells all, and the exit status whether it is well. */
static int cmd_status_check(const Cli *cli, const Status *status)
{
	g_autoptr(GPtrArray) problems = status_problems(status);

	if (cli->json)
		cmd_status_show(cli, status);
	for (guint i = 0; i < problems->len && !cli->quiet && !cli->json; i++) {
		g_autofree char *line = screen_escaped(problems->pdata[i]);
		printf("%s\n", line);
	}
	if (!status->has_index)
		return status->index_code;
	if (!status->running && !status->silent)
		return EXIT_ABSENT;
	return problems->len > 0 ? EXIT_PARTIAL : EXIT_OK;
}

int cmd_status(Cli *cli)
{
	bool follows = options_has(cli->args, "follow"), checks = options_has(cli->args, "check");

	if (options_has(cli->args, "wait")) {
		int code = daemon_wait(cli, options_number(cli->args, "wait", WAIT_FOREVER_S));
		if (code != EXIT_OK || (!cli->json && !follows && !checks))
			return code;
	}
	if (follows)
		return follow_status(cli);
	g_autoptr(Status) status = status_gather(cli);
	if (checks)
		return cmd_status_check(cli, status);
	cmd_status_show(cli, status);
	return status->has_index ? EXIT_OK : status->index_code;
}
