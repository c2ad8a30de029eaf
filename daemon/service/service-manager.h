/* SPDX-License-Identifier: GPL-3.0-or-later */
/* service-manager.h - what the service manager is told; nothing without one
 *
 * The protocol of sd_notify(3), which that page declares stable: datagrams of VARIABLE=VALUE to the
 * socket that NOTIFY_SOCKET names. Spoken by ourselves: libsystemd and what it needs would be an
 * eighth of an idle daemon. Main thread. */
#pragma once

typedef struct Manager Manager;

Manager *manager_new(void);
void manager_free(Manager *manager);
/* Also starts to feed the watchdog, from the main loop. */
void manager_ready(Manager *manager);
void manager_stopping(Manager *manager);
