/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bus-launch.h - starts this program once more, to open a hit or show a search
 *
 * Under systemd it becomes a unit of its own: what it opens would otherwise be confined like the
 * service, and end with it. */
#pragma once
#include <gio/gio.h>
#include <stdbool.h>

typedef struct BusLauncher BusLauncher;

/* connection: borrowed. command: the program and its first arguments, copied. */
BusLauncher *bus_launcher_new(GDBusConnection *connection, char *const *command);
void bus_launcher_free(BusLauncher *launcher);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(BusLauncher, bus_launcher_free)

/* Starts the command with these further arguments, NULL-terminated, and does not wait. False with
 * G_DBUS_ERROR: it cannot be started, or too much was in the last seconds. */
bool bus_launch(BusLauncher *launcher, const char *const *arguments, GError **error);
