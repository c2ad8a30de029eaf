/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/daemon-client.h"
#include "common/ipc/control.h"
#include "index/read/access.h"
#include "index/read/reachable.h"
#include "ui-cli/app/target.h"
#include <unistd.h>

enum { CALL_TIMEOUT_MS = 10000, SYNC_GRACE_MS = 5000 };

bool daemon_sync_ms(Cli *cli, int64_t ms, bool again, GError **error)
{
	GVariantDict arguments;
	g_autoptr(GVariant) answer = NULL;
	gboolean done = FALSE;
	int timeout = ms > G_MAXINT - SYNC_GRACE_MS ? -1 : (int)ms + SYNC_GRACE_MS;

	g_variant_dict_init(&arguments, NULL);
	g_variant_dict_insert(&arguments, "timeout_ms", "x", ms);
	g_variant_dict_insert(&arguments, "again", "b", again);
	answer = control_call(
	        cli->daemon_fd, "sync", g_variant_dict_end(&arguments), timeout, error);
	if (answer)
		g_variant_lookup(answer, "done", "b", &done);
	return done;
}

GVariant *daemon_status(Cli *cli, GError **error)
{
	return control_call(cli->daemon_fd, "status", NULL, CALL_TIMEOUT_MS, error);
}

char *daemon_current(GVariant *status)
{
	g_autoptr(GVariant) value =
	        g_variant_lookup_value(status, "current", G_VARIANT_TYPE_BYTESTRING);
	const char *path = value ? g_variant_get_bytestring(value) : "";
	bool told = *path && reachable(path) && access_allows(path, ENTRY_FILE, geteuid());
	return told ? g_strdup(path) : NULL;
}

/* The paths of the arguments, as "aay"; of a member, that of its container. */
static GVariant *daemon_path_list(const Cli *cli)
{
	GVariantBuilder paths;
	g_variant_builder_init(&paths, G_VARIANT_TYPE("aay"));
	for (unsigned i = 0; i < cli_n_words(cli); i++) {
		g_autofree char *path = NULL, *member = NULL;
		target_split(cli_word(cli, i), &path, &member);
		g_variant_builder_add_value(&paths, g_variant_new_bytestring(path));
	}
	return g_variant_builder_end(&paths);
}

GVariant *daemon_call_paths(Cli *cli, const char *request, GError **error)
{
	GVariantDict arguments;
	g_variant_dict_init(&arguments, NULL);
	g_variant_dict_insert_value(&arguments, "paths", daemon_path_list(cli));
	return control_call(
	        cli->daemon_fd, request, g_variant_dict_end(&arguments), CALL_TIMEOUT_MS, error);
}
