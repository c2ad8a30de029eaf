/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/commands.h"
#include "common/base/i18n.h"
#ifdef HAVE_JANSSON
#include "ui-cli/app/confine-client.h"
#include "ui-cli/cmd/mcp/mcp-serve.h"
#include <unistd.h>
#endif

int cmd_mcp(Cli *cli)
{
#ifdef HAVE_JANSSON
	if (isatty(STDIN_FILENO))
		cli_note(cli, _("An assistant starts this program and speaks to it; press Ctrl-D "
		                "to end it. \"tarsier help mcp\" tells more."));
	confine_client_make_index_dir(cli);
	confine_client(cli, false);
	return mcp_serve(cli);
#else
	cli_say(_("tarsier was built without jansson, so it cannot serve assistants"));
	return EXIT_USAGE;
#endif
}
