/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - the search boxes of desktops: the service on the bus, and what it starts */
#include <config.h>
#include "common/base/i18n.h"
#include "common/base/log.h"
#include "common/base/paths.h"
#include "index/read/reader-memory.h"
#include "ui-bus/bus-serve.h"
#include "ui-bus/finder.h"
#include "ui-bus/open-hit-id.h"
#include "ui-bus/open-search.h"
#include "ui-cli/app/confine-client.h"
#include "ui-cli/app/search-query.h"
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

/* The last ones are for the program itself, and for "tarsier doctor". */
static const Option bus_options[] = {
        {0, "config", OPTION_TEXT, "FILE", NULL},
        {0, "index", OPTION_TEXT, "DIR", NULL},
        {0, "idle", OPTION_NUMBER, "SECONDS", NULL},
        {0, "version", OPTION_FLAG, NULL, NULL},
        {0, "find", OPTION_FLAG, NULL, NULL},
        {0, "open", OPTION_TEXT, "ID", NULL},
        {0, "look", OPTION_FLAG, NULL, NULL},
        {0, "confinement", OPTION_FLAG, NULL, NULL},
        OPTION_END,
};

/* This program, and the options that each of its processes needs. */
static char **bus_command(const Arguments *args)
{
	static const char *const kept[] = {"config", "index"};
	g_autoptr(GStrvBuilder) command = g_strv_builder_new();
	g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
	g_strv_builder_add(command, self ? self : "/proc/self/exe");
	for (size_t i = 0; i < G_N_ELEMENTS(kept); i++) {
		const char *value = options_value(args, kept[i]);
		g_autofree char *absolute = value ? paths_absolute(value) : NULL;
		g_autofree char *option = g_strconcat("--", kept[i], NULL);
		if (absolute)
			g_strv_builder_add_many(command, option, absolute, NULL);
	}
	return g_strv_builder_end(command);
}

static int bus_main_serve(const Arguments *args)
{
	g_autoptr(GError) error = NULL;
	g_auto(GStrv) command = bus_command(args);
	if (bus_serve(command, options_number(args, "idle", BUS_IDLE_S), &error))
		return EXIT_OK;
	cli_say("%s", error->message);
	return EXIT_PARTIAL;
}

static int bus_main_run(Arguments *args)
{
	if (options_has(args, "version")) {
		printf("tarsier-bus %s\n", PACKAGE_VERSION);
		options_free(args);
		return EXIT_OK;
	}
	g_autoptr(Cli) cli = cli_new(args);
	g_autofree char *text = search_text(cli, 0);
	const char *id = options_value(args, "open");
	if (options_has(args, "confinement"))
		return confine_client_tell(cli);
	if (options_has(args, "find"))
		return finder_run(cli, STDIN_FILENO);
	if (id)
		return open_hit_id(cli, id, text);
	return options_has(args, "look") ? open_search(cli, text) : bus_main_serve(args);
}

/* A core dump could contain queries and results. */
static void bus_main_hide_memory(void)
{
#ifndef __SANITIZE_ADDRESS__ /* the leak check needs ptrace access */
	prctl(PR_SET_DUMPABLE, 0);
#endif
}

int main(int argc, char **argv)
{
	static const Option *const tables[] = {bus_options, NULL};
	g_autoptr(GError) error = NULL;
	bus_main_hide_memory();
	i18n_init();
	reader_use_arena();
	log_init("tarsier-bus", false);
	Arguments *args = options_parse(argv + 1, tables, true, &error);
	if (args)
		return bus_main_run(args);
	cli_say("%s", error->message);
	return EXIT_USAGE;
}
