/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/web.h"
#include "ui-cli/app/daemon-client.h"
#include "common/base/i18n.h"
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

/* The frontier is part of the daemon, whose program takes the place of this one. */
int web_plan(Cli *cli)
{
	const char *trace = options_value(cli->args, "simulate");
	g_autofree char *program = daemon_program();

	if (!trace) {
		cli_say(_("web plan needs --simulate TRACE; see \"tarsier help web\""));
		return EXIT_USAGE;
	}
	fflush(NULL);
	g_autofree char *option = g_strconcat("--simulate-web=", trace, NULL);
	execl(program, program, option, (char *)NULL);
	cli_say("%s: %s", program, g_strerror(errno));
	return EXIT_ABSENT;
}
