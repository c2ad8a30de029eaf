/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/root-kind.h"
#include "common/base/i18n.h"
#include "common/base/mounts.h"
#include "ui-cli/app/cli.h"
#include <string.h>

static MountKind root_kind_of(const char *dir, const char *table)
{
	Mounts *mounts = mounts_new(table);
	mounts_read(mounts, NULL, NULL);
	MountKind kind = mounts_kind_of_path(mounts, dir);
	mounts_free(mounts);
	return kind;
}

/* In a container, /dev is a file system like another. */
bool root_kind_refuses(const char *dir, const char *table)
{
	bool refused = root_kind_of(dir, table) == MOUNT_PSEUDO || strcmp(dir, "/dev") == 0;
	if (refused)
		cli_say(_("%s is made by the kernel and holds no documents; it is not added"), dir);
	return refused;
}

char *root_kind_note(const char *dir, const char *table)
{
	MountKind kind = root_kind_of(dir, table);
	if (strcmp(dir, "/") == 0)
		return g_strdup(_("This is the whole system, with all programs: the first index "
		                  "takes long and much room. \"tarsier remove /\" undoes it; "
		                  "\"tarsier add\" alone takes your home directory."));
	if (kind == MOUNT_NETWORK || kind == MOUNT_AUTO)
		return g_strdup_printf(_("%s lies on a network file system: what changes there is "
		                         "found when its directories are compared, not at once."),
		        dir);
	return NULL;
}
