/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd-compact.c - frees the space of deleted entries and erases their words */
#include <config.h>
#include "ui-cli/cmd/commands.h"
#include "ui-cli/app/choices.h"
#include "ui-cli/app/daemon-client.h"
#include "ui-cli/app/progress.h"
#include "common/base/autofd.h"
#include "common/ipc/control.h"
#include <poll.h>

enum { COMPACT_LOOK_MS = 250, FOR_EVER_MS = -1 };

static bool has_answered(int fd)
{
	struct pollfd answer = {fd, POLLIN, 0};
	return poll(&answer, 1, COMPACT_LOOK_MS) > 0;
}

/* The answer comes when all is done. Until then, progress is asked on the other connection. */
static int cmd_compact_call_daemon(Cli *cli, bool scrub)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GVariant) answer = NULL;
	g_autoptr(Progress) progress = progress_new(cli, PROGRESS_INDEX, false);
	autofd fd = control_connect(cli->socket_path, &error);
	GVariantDict arguments;

	if (fd < 0)
		return cli_fail(error);
	g_variant_dict_init(&arguments, NULL);
	g_variant_dict_insert(&arguments, "scrub", "b", (gboolean)scrub);
	if (!control_send(fd, "compact", g_variant_dict_end(&arguments), &error))
		return cli_fail(error);
	while (!has_answered(fd))
		if (!progress_update(progress))
			return EXIT_INTERRUPTED;
	answer = control_answer(fd, FOR_EVER_MS, &error);
	return answer ? EXIT_OK : cli_fail(error);
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
		return cli_fail(error);
	return daemon_run_compact(cli, scrub);
}
