/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd-browse.c - becomes the program that serves the local page */
#include <config.h>
#include "ui-cli/cmd/commands.h"
#include "common/base/i18n.h"
#include "common/base/install-dirs.h"
#include "ui-cli/app/sibling.h"

int cmd_browse(Cli *cli)
{
	static const char *const flags[] = {"quiet", "no-open", NULL};
	return sibling_become(cli, "TARSIER_BROWSE", PKGLIBEXECDIR "/tarsier-browse", flags,
	        _("the program for the page is not installed: tarsier was built without "
	          "libmicrohttpd, or %s is missing (Debian: package tarsier-desktop)"));
}
