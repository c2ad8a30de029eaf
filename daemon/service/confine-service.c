/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/service/confine-service.h"
#include "common/base/mounts.h"
#include "common/settings/conffile.h"
#include <stdlib.h>

/* ---- the agent launcher's process */

typedef struct {
	const char *config;
	Settings *settings; /* as they were last read without an error */
} LauncherSettings;

static unsigned confine_agent_launcher(void)
{
	static const char *const nothing[] = {NULL};
	return confine(&(Confinement){.writable = nothing});
}

static bool launcher_is_root(const char *path, void *data)
{
	LauncherSettings *known = data;
	Settings *now = settings_load(known->config, NULL, NULL);
	if (now) {
		settings_free(known->settings);
		known->settings = now;
	}
	return g_strv_contains(settings_roots(known->settings), path);
}

static bool launcher_is_config(const char *path, void *data)
{
	const LauncherSettings *known = data;
	return settings_reads(known->config, path);
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

AgentLauncher *confine_service_launcher(const char *config, Settings *settings, bool watch)
{
	LauncherSettings known = {config, settings};
	const AgentLauncherRules rules = {confine_agent_launcher, confine_agent, launcher_is_root,
	        launcher_is_config, &known};
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
