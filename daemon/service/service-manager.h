/* SPDX-License-Identifier: GPL-3.0-or-later */
/* service-manager.h - reports the state of the daemon to the service manager, if there is one
 *
 * It uses the protocol of sd_notify(3), which that page declares stable: datagrams of
 * VARIABLE=VALUE to the socket named by NOTIFY_SOCKET. It does not use libsystemd, because that
 * library with its dependencies would be an eighth of an idle daemon's memory. Main thread only. */
#pragma once
#include <stdbool.h>

typedef struct Manager Manager;

Manager *manager_new(void);
void manager_free(Manager *manager);
/* Was the daemon started by a service manager? It starts the daemon anew if that fails. */
bool manager_is_there(const Manager *manager);
/* Also starts to feed the watchdog from the main loop. */
void manager_ready(Manager *manager);
void manager_stopping(Manager *manager);
