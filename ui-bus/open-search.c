/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-bus/open-search.h"
#include "common/base/i18n.h"
#include "common/base/install-dirs.h"
#include "ui-cli/app/viewer.h"
#include <errno.h>
#include <gio/gio.h>
#include <unistd.h>

enum { TERMINAL_MS = 1000 }; /* a terminal that cannot be shown ends within this time */

/* How a terminal takes the command that runs in it: the words of command, and those after. */
typedef struct {
	const char *program, *option; /* option NULL: none is needed */
} Terminal;

/* The choice of the user, that of the administrator, then what may be there. */
static const Terminal terminals[] = {
        {"xdg-terminal-exec", NULL},
        {"x-terminal-emulator", "-e"},
        {"kgx", "--"},
        {"ptyxis", "--"},
        {"gnome-terminal", "--"},
        {"konsole", "-e"},
        {"xfce4-terminal", "-x"},
        {"mate-terminal", "-x"},
        {"alacritty", "-e"},
        {"kitty", NULL},
        {"foot", NULL},
        {"xterm", "-e"},
};

static void open_search_add_client(
        GStrvBuilder *command, const Cli *cli, const char *verb, const char *text)
{
	static const char *const kept[] = {"config", "index"};
	g_autofree char *found = g_find_program_in_path("tarsier");
	g_strv_builder_add_many(command, found ? found : BINDIR "/tarsier", verb, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(kept); i++) {
		g_autofree char *option = g_strconcat("--", kept[i], NULL);
		const char *value = options_value(cli->args, kept[i]);
		if (value)
			g_strv_builder_add_many(command, option, value, NULL);
	}
	g_strv_builder_add_many(command, "--", text, NULL);
}

/* Does a terminal show the search? */
static bool open_search_in_terminal(const Cli *cli, const Terminal *terminal, const char *text)
{
	g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
	g_autoptr(GError) error = NULL;
	g_strv_builder_add(builder, terminal->program);
	if (terminal->option)
		g_strv_builder_add(builder, terminal->option);
	open_search_add_client(builder, cli, "tui", text);
	g_auto(GStrv) command = g_strv_builder_end(builder);
	if (viewer_start_program(command, TERMINAL_MS, &error))
		return true;
	if (!g_error_matches(error, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT))
		cli_say("%s", error->message);
	return false;
}

static bool open_search_has_browser(void)
{
	g_autoptr(GAppInfo) browser = g_app_info_get_default_for_uri_scheme("http");
	return browser != NULL;
}

/* Becomes the page. Returns only if it cannot. */
static void open_search_in_browser(const Cli *cli, const char *text)
{
	g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
	open_search_add_client(builder, cli, "browse", text);
	g_auto(GStrv) command = g_strv_builder_end(builder);
	execv(command[0], command);
	cli_say(_("%s cannot be started: %s"), command[0], g_strerror(errno));
}

int open_search(Cli *cli, const char *text)
{
	for (size_t i = 0; i < G_N_ELEMENTS(terminals); i++)
		if (open_search_in_terminal(cli, &terminals[i], text))
			return EXIT_OK;
	if (open_search_has_browser())
		open_search_in_browser(cli, text);
	else
		cli_say(_("the search cannot be shown, because neither a terminal program (such as "
		          "xterm) nor a browser is installed"));
	return EXIT_PARTIAL;
}
