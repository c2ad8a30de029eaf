/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/fetch/fetch-program.h"
#include "common/base/install-dirs.h"
#include "common/sandbox/program-spawn.h"
#include <glib.h>

char *fetch_program_path(void)
{
	const char *own = g_getenv("TARSIER_FETCH");
	return g_strdup(own && *own ? own : PKGLIBEXECDIR "/tarsier-fetch");
}

char *partition_program_path(void)
{
	g_autofree char *fetch = fetch_program_path();
	g_autofree char *dir = g_path_get_dirname(fetch);
	return g_build_filename(dir, "tarsier-partition", NULL);
}

char *partition_passwords_path(void)
{
	const char *own = g_getenv("PGPASSFILE");
	return own && *own ? g_strdup(own) : g_build_filename(g_get_home_dir(), ".pgpass", NULL);
}

int fetch_program_spawn(const char *path, int control, pid_t *pid_r)
{
	g_auto(GStrv) environment = program_environment(NULL);
	char *arguments[] = {(char *)path, NULL};
	return program_spawn_on(path, arguments, environment, control, pid_r);
}

int partition_program_spawn(const char *path, int control, pid_t *pid_r)
{
	g_autofree char *passwords = partition_passwords_path();
	char **environment =
	        g_environ_setenv(program_environment(NULL), "PGPASSFILE", passwords, TRUE);
	char *arguments[] = {(char *)path, NULL};
	int result = program_spawn_on(path, arguments, environment, control, pid_r);
	g_strfreev(environment);
	return result;
}
