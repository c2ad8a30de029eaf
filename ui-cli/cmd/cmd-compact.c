/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd-compact.c - frees the space of deleted entries and erases their words */
#include <config.h>
#include "ui-cli/cmd/commands.h"
#include "ui-cli/app/choices.h"
#include "ui-cli/app/daemon-client.h"
#include "common/ipc/control.h"

enum { FOR_EVER_MS = -1 };

static int cmd_compact_call_daemon(Cli *cli, bool scrub)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GVariant) answer = NULL;
	GVariantDict arguments;

	g_variant_dict_init(&arguments, NULL);
	g_variant_dict_insert(&arguments, "scrub", "b", (gboolean)scrub);
	answer = control_call(
	        cli->daemon_fd, "compact", g_variant_dict_end(&arguments), FOR_EVER_MS, &error);
	return answer ? EXIT_OK : cli_fail(cli, error);
}

int cmd_compact(Cli *cli)
{
	g_autoptr(GError) error = NULL;
	bool scrub = options_has(cli->args, "scrub");

	if (scrub)
		choices_scrub(cli);
	if (cli_daemon(cli, &error) >= 0)
		return cmd_compact_call_daemon(cli, scrub);
	if (!g_error_matches(error, CONTROL_ERROR, CONTROL_ERROR_ABSENT))
		return cli_fail(cli, error);
	return daemon_run_compact(cli, scrub);
}
