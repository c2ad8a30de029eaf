/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/daemon-absent.h"
#include "common/base/i18n.h"
#include <unistd.h>

void daemon_absent_note(Cli *cli)
{
	const Settings *settings = cli->daemon_fd < 0 ? cli_settings(cli, NULL) : NULL;
	if (settings && settings_roots(settings)[0])
		cli_note(
		        cli, _("tarsierd is not running, so newer changes are not found; \"tarsier "
		               "index\" brings the index up to date."));
}

/* The manager of a user listens on this socket. */
static bool daemon_absent_has_manager(void)
{
	const char *runtime = g_getenv("XDG_RUNTIME_DIR");
	g_autofree char *socket =
	        runtime ? g_build_filename(runtime, "systemd", "private", NULL) : NULL;
	return socket && access(socket, F_OK) == 0;
}

void daemon_absent_say(void)
{
	if (daemon_absent_has_manager())
		cli_say(_("tarsierd is not running; start it with \"systemctl --user start "
		          "tarsierd\""));
	else
		cli_say(_("tarsierd is not running; there is no systemd user session, so start "
		          "tarsierd yourself"));
}
