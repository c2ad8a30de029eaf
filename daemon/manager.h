/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manager.h - what the service manager is told (sd_notify(3)); nothing without one */
#pragma once

typedef struct Manager Manager;

Manager *manager_new(void);
void manager_free(Manager *manager);
/* Also starts to feed the watchdog, from the main loop. */
void manager_ready(Manager *manager);
void manager_stopping(Manager *manager);
