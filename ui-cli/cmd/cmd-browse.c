/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd-browse.c - becomes the program that serves the local page */
#include <config.h>
#include "ui-cli/cmd/commands.h"
#include "common/base/i18n.h"
#include "common/base/install-dirs.h"
#include <errno.h>
#include <unistd.h>

static const char *cmd_browse_program(void)
{
	const char *own = g_getenv("TARSIER_BROWSE");
	return own && *own ? own : PKGLIBEXECDIR "/tarsier-browse";
}

/* Its options are some of ours, and the words stay as they are. */
static char **cmd_browse_command(const Cli *cli, const char *program)
{
	static const char *const places[] = {"config", "index"}, *const flags[] = {
	                                                                 "quiet", "no-open"};
	g_autoptr(GStrvBuilder) command = g_strv_builder_new();
	g_strv_builder_add(command, program);
	for (size_t i = 0; i < G_N_ELEMENTS(places); i++) {
		const char *value = options_value(cli->args, places[i]);
		g_autofree char *option = g_strconcat("--", places[i], NULL);
		if (value)
			g_strv_builder_add_many(command, option, value, NULL);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(flags); i++) {
		g_autofree char *option = g_strconcat("--", flags[i], NULL);
		if (options_has(cli->args, flags[i]))
			g_strv_builder_add(command, option);
	}
	g_strv_builder_add(command, "--");
	for (unsigned i = 0; i < cli_n_words(cli); i++)
		g_strv_builder_add(command, cli_word(cli, i));
	return g_strv_builder_end(command);
}

int cmd_browse(Cli *cli)
{
	const char *program = cmd_browse_program();
	g_auto(GStrv) command = cmd_browse_command(cli, program);
	execv(program, command);
	if (errno == ENOENT)
		cli_say(_("the program for the page is not installed: tarsier was built without "
		          "libmicrohttpd, or %s is missing (Debian: package "
		          "tarsier-desktop)"),
		        program);
	else
		cli_say("%s: %s", program, g_strerror(errno));
	return EXIT_USAGE;
}
