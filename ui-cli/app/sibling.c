/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/sibling.h"
#include <errno.h>
#include <unistd.h>

static void sibling_add_places(const Cli *cli, GStrvBuilder *command)
{
	static const char *const places[] = {"config", "index"};
	for (size_t i = 0; i < G_N_ELEMENTS(places); i++) {
		const char *value = options_value(cli->args, places[i]);
		g_autofree char *option = g_strconcat("--", places[i], NULL);
		if (value)
			g_strv_builder_add_many(command, option, value, NULL);
	}
}

static char **sibling_command(const Cli *cli, const char *program, const char *const *flags)
{
	g_autoptr(GStrvBuilder) command = g_strv_builder_new();
	g_strv_builder_add(command, program);
	sibling_add_places(cli, command);
	for (; *flags; flags++) {
		g_autofree char *option = g_strconcat("--", *flags, NULL);
		if (options_has(cli->args, *flags))
			g_strv_builder_add(command, option);
	}
	g_strv_builder_add(command, "--");
	for (unsigned i = 0; i < cli_n_words(cli); i++)
		g_strv_builder_add(command, cli_word(cli, i));
	return g_strv_builder_end(command);
}

int sibling_become(const Cli *cli, const char *variable, const char *program,
        const char *const *flags, const char *missing)
{
	const char *own = g_getenv(variable);
	if (own && *own)
		program = own;
	g_auto(GStrv) command = sibling_command(cli, program, flags);
	execv(program, command);
	if (errno == ENOENT)
		cli_say(missing, program);
	else
		cli_say("%s: %s", program, g_strerror(errno));
	return EXIT_USAGE;
}
