/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/commands.h"
#include "common/base/i18n.h"
#include "common/base/install-dirs.h"
#include <string.h>

/* The installed file. In a tree that is not installed, TARSIER_DATA names the directory. */
static char *completion_file(const char *shell)
{
	const char *dir = g_getenv("TARSIER_DATA");
	return g_build_filename(dir && *dir ? dir : PKGDATADIR, "completions", shell, NULL);
}

int cmd_completion(Cli *cli)
{
	static const char *const shells[] = {"bash", "zsh", "fish", NULL};
	const char *shell = cli_word(cli, 0);
	g_autofree char *file = NULL, *text = NULL;
	g_autoptr(GError) error = NULL;
	gsize length;

	if (!g_strv_contains(shells, shell)) {
		cli_say(_("name a shell: bash, zsh or fish"));
		return EXIT_USAGE;
	}
	file = completion_file(shell);
	if (!g_file_get_contents(file, &text, &length, &error))
		return cli_fail(error);
	fwrite(text, 1, length, stdout);
	return EXIT_OK;
}
