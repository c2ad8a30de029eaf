/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/manager.h"
#include <glib.h>
#ifdef HAVE_SYSTEMD
#include <systemd/sd-daemon.h>
#endif

struct Manager {
	guint watchdog;
};

Manager *manager_new(void)
{
	return g_new0(Manager, 1);
}

void manager_free(Manager *manager)
{
	g_clear_handle_id(&manager->watchdog, g_source_remove);
	g_free(manager);
}

#ifdef HAVE_SYSTEMD
static gboolean feed(gpointer data)
{
	sd_notify(0, "WATCHDOG=1");
	return G_SOURCE_CONTINUE;
}

void manager_ready(Manager *manager)
{
	uint64_t usec;
	sd_notify(0, "READY=1");
	if (sd_watchdog_enabled(0, &usec) > 0)
		manager->watchdog =
		        g_timeout_add_seconds(MAX(1, usec / G_USEC_PER_SEC / 2), feed, NULL);
}

void manager_stopping(Manager *manager)
{
	sd_notify(0, "STOPPING=1");
}
#else
void manager_ready(Manager *manager)
{
}

void manager_stopping(Manager *manager)
{
}
#endif
