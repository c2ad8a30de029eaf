/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/service/service-manager.h"
#include "common/base/autofd.h"
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

struct Manager {
	char *socket; /* NULL: there is no service manager */
	guint watchdog;
};

Manager *manager_new(void)
{
	Manager *manager = g_new0(Manager, 1);
	manager->socket = g_strdup(g_getenv("NOTIFY_SOCKET"));
	return manager;
}

void manager_free(Manager *manager)
{
	g_clear_handle_id(&manager->watchdog, g_source_remove);
	g_free(manager->socket);
	g_free(manager);
}

bool manager_is_there(const Manager *manager)
{
	return manager->socket != NULL;
}

/* "@name" is an abstract socket: its address begins with NUL and ends only by its length. */
static bool manager_fill_address(struct sockaddr_un *address, socklen_t *size, const char *socket)
{
	size_t length = strlen(socket);
	*address = (struct sockaddr_un){.sun_family = AF_UNIX};
	if (length < 2 || length >= sizeof(address->sun_path) || (*socket != '/' && *socket != '@'))
		return false;
	memcpy(address->sun_path, socket, length);
	if (*socket == '@')
		address->sun_path[0] = '\0';
	*size = offsetof(struct sockaddr_un, sun_path) + length + (*socket == '/');
	return true;
}

static void manager_tell(const Manager *manager, const char *message)
{
	struct sockaddr_un address;
	socklen_t size;
	if (!manager->socket || !manager_fill_address(&address, &size, manager->socket))
		return;
	autofd fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || sendto(fd, message, strlen(message), MSG_NOSIGNAL,
	                      (struct sockaddr *)&address, size) < 0)
		g_debug("manager: cannot be told %s", message);
}

static gboolean manager_feed(gpointer manager)
{
	manager_tell(manager, "WATCHDOG=1");
	return G_SOURCE_CONTINUE;
}

/* Half of the manager's watchdog time, in seconds; 0: no watchdog, or not for this process. */
static unsigned watchdog_s(void)
{
	const char *usec = g_getenv("WATCHDOG_USEC"), *pid = g_getenv("WATCHDOG_PID");
	if (!usec || (pid && g_ascii_strtoll(pid, NULL, 10) != getpid()))
		return 0;
	uint64_t half_s = g_ascii_strtoull(usec, NULL, 10) / G_USEC_PER_SEC / 2;
	return CLAMP(half_s, 1, 3600);
}

void manager_ready(Manager *manager)
{
	unsigned every_s = watchdog_s();
	manager_tell(manager, "READY=1");
	if (manager->socket && every_s > 0)
		manager->watchdog = g_timeout_add_seconds(every_s, manager_feed, manager);
}

void manager_stopping(Manager *manager)
{
	manager_tell(manager, "STOPPING=1");
}
