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

/* No proxy, no file of certificates, no settings of the resolver or of libraries. */
static char **fetch_program_environment(void)
{
	static const char *const kept[] = {"ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"};
	g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
	g_strv_builder_add_many(builder, "LC_ALL=C.UTF-8", "LD_BIND_NOW=1", "MALLOC_ARENA_MAX=1",
	        "PATH=/usr/bin:/bin", "HOME=/nonexistent", NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(kept); i++) {
		const char *value = g_getenv(kept[i]);
		g_autofree char *entry = value ? g_strconcat(kept[i], "=", value, NULL) : NULL;
		if (entry)
			g_strv_builder_add(builder, entry);
	}
	return g_strv_builder_end(builder);
}

int fetch_program_spawn(const char *path, int control, pid_t *pid_r)
{
	g_auto(GStrv) environment = fetch_program_environment();
	char *arguments[] = {(char *)path, NULL};
	return program_spawn_on(path, arguments, environment, control, pid_r);
}

int partition_program_spawn(const char *path, int control, pid_t *pid_r)
{
	g_autofree char *passwords = partition_passwords_path();
	char **environment =
	        g_environ_setenv(fetch_program_environment(), "PGPASSFILE", passwords, TRUE);
	char *arguments[] = {(char *)path, NULL};
	int result = program_spawn_on(path, arguments, environment, control, pid_r);
	g_strfreev(environment);
	return result;
}
