/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/service/confine-service.h"
#include "common/base/mounts.h"
#include "common/settings/conffile.h"
#include <stdlib.h>
#include <string.h>

/* ---- the agent launcher's process */

static unsigned confine_agent_launcher(void)
{
	static const char *const nothing[] = {NULL};
	return confine(&(Confinement){.writable = nothing});
}

static char **launcher_read_roots(void *config)
{
	Settings *settings = settings_load(config, NULL, NULL);
	char **roots = settings ? g_strdupv((char **)settings_roots(settings)) : NULL;
	if (settings)
		settings_free(settings);
	return roots;
}

/* The files of the configuration, and the file of word vectors that it names. */
static bool launcher_is_config(const char *path, void *config)
{
	if (settings_reads(config, path))
		return true;
	Settings *settings = settings_load(config, NULL, NULL);
	bool named = settings &&
	             strcmp(path, settings_string(settings, "search", "embedding", NULL)) == 0;
	if (settings)
		settings_free(settings);
	return named;
}

/* ---- the daemon */

static bool needs_launcher(const Settings *settings, bool watch)
{
	return watch || mounts_any_may_hang(settings_roots(settings));
}

static int open_config_by_launcher(const char *path, int flags)
{
	return agent_launcher_open_config(agent_launcher_of_process(), path);
}

AgentLauncher *confine_service_launcher(const char *config, const Settings *settings, bool watch)
{
	const AgentLauncherRules rules = {confine_agent_launcher, confine_agent,
	        launcher_read_roots, launcher_is_config, (char *)config, settings_roots(settings)};
	if (!needs_launcher(settings, watch))
		return NULL;
	AgentLauncher *launcher = agent_launcher_new(&rules);
	if (launcher)
		conffile_open_by(open_config_by_launcher);
	return launcher;
}

/* The caller frees the array. */
static char **service_readable(const char *config, const Settings *settings)
{
	GPtrArray *paths = g_ptr_array_new();
	Mounts *mounts = mounts_new(NULL);
	mounts_read(mounts, NULL, NULL);
	char *real = realpath(config, NULL); /* it may be a link to another directory */
	g_ptr_array_add(paths, g_path_get_dirname(config));
	if (real)
		g_ptr_array_add(paths, g_strdup(real));
	free(real);
	for (const char *const *root = settings_roots(settings); *root; root++)
		if (!mounts_may_hang(mounts, *root))
			g_ptr_array_add(paths, g_strdup(*root));
	const char *vectors = settings_string(settings, "search", "embedding", NULL);
	if (vectors[0] == '/' && !mounts_may_hang(mounts, vectors))
		g_ptr_array_add(paths, g_strdup(vectors));
	g_ptr_array_add(paths, NULL);
	mounts_free(mounts);
	return (char **)g_ptr_array_free(paths, FALSE);
}

SandboxLevel confine_service(
        const char *config, const Settings *settings, const char *const *writable, bool watch)
{
	bool everything = needs_launcher(settings, watch) && !agent_launcher_of_process();
	g_auto(GStrv) readable = everything ? NULL : service_readable(config, settings);
	return confine(&(Confinement){writable, (const char *const *)readable});
}
