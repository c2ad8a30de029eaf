/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/run-command.h"
#include <signal.h>
#include <string.h>

static char *replace_braces(const char *text, const char *path)
{
	g_auto(GStrv) parts = g_strsplit(text, "{}", -1);
	return g_strjoinv(path, parts);
}

/* In the child: only the process that starts it may ignore interrupts (starter.h). */
static void run_command_take_interrupts(gpointer data)
{
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
}

static bool run_command_run(char **argv, int *status_r, GError **error)
{
	return g_spawn_sync(NULL, argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_CHILD_INHERITS_STDIN,
	        run_command_take_interrupts, NULL, NULL, NULL, status_r, error);
}

bool run_for_path(char *const *command, const char *path, GError **error)
{
	g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);
	int status;

	for (char *const *word = command; *word; word++)
		g_ptr_array_add(argv, replace_braces(*word, path));
	g_ptr_array_add(argv, NULL);
	return run_command_run((char **)argv->pdata, &status, error) &&
	       g_spawn_check_wait_status(status, NULL);
}
