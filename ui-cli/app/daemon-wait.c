/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/daemon-wait.h"
#include "ui-cli/app/daemon-client.h"
#include "common/base/i18n.h"
#include <string.h>

/* The pause may begin while the client waits. */
enum { FIRST_LOOK_MS = 250, NEXT_LOOK_MS = 1000 };

/* Work that a low battery or a busy computer holds up has a reason, and goes on by itself. */
static bool daemon_wait_is_paused(Cli *cli)
{
	g_autoptr(GVariant) status = daemon_status(cli, NULL);
	const char *state = "", *reason = "";
	if (status) {
		g_variant_lookup(status, "state", "&s", &state);
		g_variant_lookup(status, "reason", "&s", &reason);
	}
	return strcmp(state, "paused") == 0 && *reason == '\0';
}

int daemon_wait(Cli *cli, unsigned seconds)
{
	g_autoptr(GError) error = NULL;
	int64_t left_ms = (int64_t)seconds * 1000;
	bool done = false, first = true;

	if (cli_daemon(cli, &error) < 0)
		return cli_fail(error);
	while (!done && !error && (first || left_ms > 0)) {
		int64_t ms = MIN(left_ms, first ? FIRST_LOOK_MS : NEXT_LOOK_MS);
		done = daemon_sync_ms(cli, ms, !first, &error);
		left_ms -= ms;
		first = false;
		if (!done && !error && daemon_wait_is_paused(cli)) {
			cli_say(_("indexing is paused; \"tarsier resume\" continues it"));
			return EXIT_BUSY;
		}
	}
	if (error)
		return cli_fail(error);
	return done ? EXIT_OK : EXIT_BUSY;
}
