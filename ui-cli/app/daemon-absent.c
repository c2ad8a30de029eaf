/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/daemon-absent.h"
#include "common/base/i18n.h"

void daemon_absent_note(Cli *cli)
{
	const Settings *settings = cli->daemon_fd < 0 ? cli_settings(cli, NULL) : NULL;
	if (settings && settings_roots(settings)[0])
		cli_note(
		        cli, _("tarsierd is not running, so newer changes are not found; \"tarsier "
		               "index\" brings the index up to date."));
}
