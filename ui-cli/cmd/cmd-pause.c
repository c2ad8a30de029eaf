/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd-pause.c - the verbs pause and resume */
#include <config.h>
#include "ui-cli/cmd/commands.h"
#include "ui-cli/app/duration.h"
#include "common/ipc/control.h"
#include "common/base/i18n.h"

enum { CALL_TIMEOUT_MS = 5000 };

int cmd_pause(Cli *cli)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GVariant) answer = NULL;
	GVariantDict arguments;
	int64_t seconds = 0;
	g_autofree char *duration =
	        g_strjoin(cli_word(cli, 1) ? " " : "", cli_word(cli, 0), cli_word(cli, 1), NULL);

	if (*duration && !duration_parse(duration, &seconds)) {
		cli_say(_("\"%s\" is not a duration; write 30s, 10min, 2h or 1d"), duration);
		return EXIT_USAGE;
	}
	g_variant_dict_init(&arguments, NULL);
	g_variant_dict_insert(&arguments, "seconds", "x", seconds);
	answer = control_call(
	        cli->daemon_fd, "pause", g_variant_dict_end(&arguments), CALL_TIMEOUT_MS, &error);
	return answer ? EXIT_OK : cli_fail(error);
}

int cmd_resume(Cli *cli)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GVariant) answer = NULL;

	answer = control_call(cli->daemon_fd, "resume", NULL, CALL_TIMEOUT_MS, &error);
	return answer ? EXIT_OK : cli_fail(error);
}
