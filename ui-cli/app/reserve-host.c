/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/reserve-host.h"
#include "common/base/autofd.h"
#include "common/ipc/control.h"

enum { RESERVE_CALL_MS = 10000, RESERVE_AGAIN_MS = 100, HOST_IS_ASKED = -1 };

/* With a connection of its own: the daemon ends those that are silent while a site is looked at. */
static GVariant *reserve_call(
        Cli *cli, const char *request, const char *origin, int64_t patience_ms)
{
	GVariantDict arguments;
	autofd daemon = control_connect(cli->socket_path, NULL);
	if (daemon < 0)
		return NULL;
	g_variant_dict_init(&arguments, NULL);
	g_variant_dict_insert(&arguments, "origin", "s", origin);
	g_variant_dict_insert(&arguments, "patience_ms", "x", (gint64)patience_ms);
	return control_call(daemon, request, g_variant_dict_end(&arguments), RESERVE_CALL_MS, NULL);
}

int64_t reserve_host(Cli *cli, const char *origin, int64_t patience_ms)
{
	int64_t end_us = g_get_monotonic_time() + patience_ms * 1000;
	for (;;) {
		gint64 wait_ms;
		g_autoptr(GVariant) answer = reserve_call(cli, "web-reserve", origin, patience_ms);
		if (!answer || !g_variant_lookup(answer, "wait_ms", "x", &wait_ms))
			return -1;
		if (wait_ms != HOST_IS_ASKED)
			return MAX(wait_ms, 0);
		if (g_get_monotonic_time() >= end_us)
			return patience_ms + 1000;
		g_usleep(RESERVE_AGAIN_MS * 1000);
	}
}

void release_host(Cli *cli, const char *origin)
{
	g_autoptr(GVariant) answer = reserve_call(cli, "web-release", origin, 0);
}
