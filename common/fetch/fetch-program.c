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
