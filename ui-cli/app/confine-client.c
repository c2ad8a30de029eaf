/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/confine-client.h"
#include "common/base/mounts.h"
#include "common/base/paths.h"
#include "common/sandbox/confine.h"
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* An index that was chosen without a configuration has roots that are not known before it is read.
 */
static bool knows_roots(const Cli *cli)
{
	bool other_index = options_has(cli->args, "index") || g_getenv("TARSIER_INDEX");
	bool other_config = options_has(cli->args, "config") || g_getenv("TARSIER_CONFIG");
	return !other_index || other_config;
}

/* The caller frees the array, but not its elements. NULL: everything, because the roots are not
 * known or cannot be opened safely. */
static GPtrArray *readable_paths(Cli *cli, const char *config_dir)
{
	const Settings *settings = knows_roots(cli) ? cli_settings(cli, NULL) : NULL;
	const char *const *roots = settings ? settings_roots(settings) : NULL;
	if (!roots || mounts_any_may_hang(roots)) /* a rule needs an open directory */
		return NULL;
	GPtrArray *paths = g_ptr_array_new();
	g_ptr_array_add(paths, (char *)config_dir);
	for (; *roots; roots++)
		g_ptr_array_add(paths, (char *)*roots);
	g_ptr_array_add(paths, NULL);
	return paths;
}

void confine_client_make_index_dir(const Cli *cli)
{
	if (!options_has(cli->args, "index"))
		paths_make_private_dir(cli->index_dir, NULL);
}

SandboxLevel confine_client(Cli *cli, bool any_file)
{
	g_autofree char *config_dir = g_path_get_dirname(cli->config_file);
	g_autofree char *runtime_dir = g_path_get_dirname(cli->socket_path);
	const char *const own_dirs[] = {cli->index_dir, cli->cache_dir, runtime_dir, NULL};
	g_autoptr(GPtrArray) readable = any_file ? NULL : readable_paths(cli, config_dir);
	/* The last search is kept in one of these, and a directory that is not there gets no rule.
	 */
	if (access(cli->index_dir, F_OK) == 0 && !paths_make_private_dir(runtime_dir, NULL))
		paths_make_private_dir(cli->cache_dir, NULL);
	cli->confined = true;
	cli->index_dir_fd = open(cli->index_dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return confine(
	        &(Confinement){own_dirs, readable ? (const char *const *)readable->pdata : NULL});
}

SandboxLevel confine_client_to_system(void)
{
	static const char *const none[] = {NULL};
	return confine(&(Confinement){none, none});
}

int confine_client_tell(Cli *cli)
{
	printf("%s\n", sandbox_level_name(confine_client(cli, false)));
	return EXIT_OK;
}
