/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd-mount.c - becomes the program that shows searches as directories */
#include <config.h>
#include "ui-cli/cmd/commands.h"
#include "common/base/i18n.h"
#include "common/base/install-dirs.h"
#include "ui-cli/app/sibling.h"

int cmd_mount(Cli *cli)
{
	static const char *const flags[] = {"quiet", NULL};
	return sibling_become(cli, "TARSIER_MOUNT", PKGLIBEXECDIR "/tarsier-mount", flags,
	        _("the program for the directory is not installed: tarsier was built without "
	          "libfuse, or %s is missing (Debian: package tarsier-desktop)"));
}
