/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-bus/bus-launch.h"
#include "common/base/i18n.h"
#include <unistd.h>

/* A person opens one file after the other; LAUNCHES within LAUNCH_S seconds are not made by a
 * person. */
enum { LAUNCHES = 8, LAUNCH_S = 10, LAUNCH_TIMEOUT_MS = 10000 };

struct BusLauncher {
	GDBusConnection *connection;
	char **command;
	bool by_systemd;
	unsigned serial;
	int64_t last_us[LAUNCHES]; /* a ring, when the last ones were */
};

/* Does systemd run this process as a service? (systemd.exec(5), SYSTEMD_EXEC_PID) */
static bool is_service(void)
{
	const char *process = g_getenv("SYSTEMD_EXEC_PID");
	return process && g_ascii_strtoll(process, NULL, 10) == getpid();
}

BusLauncher *bus_launcher_new(GDBusConnection *connection, char *const *command)
{
	BusLauncher *launcher = g_new0(BusLauncher, 1);
	launcher->connection = connection;
	launcher->command = g_strdupv((char **)command);
	launcher->by_systemd = is_service();
	for (unsigned i = 0; i < LAUNCHES; i++)
		launcher->last_us[i] = -LAUNCH_S * G_USEC_PER_SEC;
	return launcher;
}

void bus_launcher_free(BusLauncher *launcher)
{
	if (!launcher)
		return;
	g_strfreev(launcher->command);
	g_free(launcher);
}

static bool bus_launch_is_due(BusLauncher *launcher)
{
	int64_t now_us = g_get_monotonic_time(),
	        *slot = &launcher->last_us[launcher->serial % LAUNCHES];
	if (now_us - *slot < LAUNCH_S * G_USEC_PER_SEC)
		return false;
	*slot = now_us;
	launcher->serial++;
	return true;
}

static char **bus_launch_command(const BusLauncher *launcher, const char *const *arguments)
{
	g_autoptr(GStrvBuilder) all = g_strv_builder_new();
	g_strv_builder_addv(all, (const char **)launcher->command);
	g_strv_builder_addv(all, (const char **)arguments);
	return g_strv_builder_end(all);
}

static void bus_launch_reap(GPid process, gint status, gpointer data)
{
	g_spawn_close_pid(process);
}

static bool bus_launch_child(char **command, GError **error)
{
	g_autoptr(GError) local = NULL;
	GPid process;
	if (g_spawn_async(
	            NULL, command, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &process, &local)) {
		g_child_watch_add(process, bus_launch_reap, NULL);
		return true;
	}
	g_set_error_literal(error, G_DBUS_ERROR, G_DBUS_ERROR_SPAWN_FAILED, local->message);
	return false;
}

static void bus_launch_started(GObject *connection, GAsyncResult *result, gpointer data)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GVariant) job =
	        g_dbus_connection_call_finish(G_DBUS_CONNECTION(connection), result, &error);
	if (!job)
		g_warning("systemd does not start it: %s", error->message);
}

/* systemd replaces $NAME in arguments, and "$$" by "$". */
static char **bus_launch_escape(char **command)
{
	GPtrArray *escaped = g_ptr_array_new();
	for (; *command; command++) {
		g_auto(GStrv) parts = g_strsplit(*command, "$", -1);
		g_ptr_array_add(escaped, g_strjoinv("$$", parts));
	}
	g_ptr_array_add(escaped, NULL);
	return (char **)g_ptr_array_free(escaped, FALSE);
}

/* The unit lasts as long as what it starts (ExitType=), and leaves nothing behind. */
static GVariant *bus_launch_properties(char **command)
{
	GVariantBuilder properties, starts;
	g_variant_builder_init(&starts, G_VARIANT_TYPE("a(sasb)"));
	g_auto(GStrv) escaped = bus_launch_escape(command);
	g_variant_builder_add(&starts, "(s^asb)", command[0], escaped, FALSE);
	g_variant_builder_init(&properties, G_VARIANT_TYPE("a(sv)"));
	g_variant_builder_add(&properties, "(sv)", "Description",
	        g_variant_new_string(_("Open what a search box found")));
	g_variant_builder_add(&properties, "(sv)", "ExecStart", g_variant_builder_end(&starts));
	g_variant_builder_add(&properties, "(sv)", "Slice", g_variant_new_string("app.slice"));
	g_variant_builder_add(&properties, "(sv)", "ExitType", g_variant_new_string("cgroup"));
	g_variant_builder_add(
	        &properties, "(sv)", "CollectMode", g_variant_new_string("inactive-or-failed"));
	return g_variant_builder_end(&properties);
}

static void bus_launch_unit(BusLauncher *launcher, char **command)
{
	g_autofree char *unit =
	        g_strdup_printf("app-tarsier-open-%d-%u.service", (int)getpid(), launcher->serial);
	g_dbus_connection_call(launcher->connection, "org.freedesktop.systemd1",
	        "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager",
	        "StartTransientUnit",
	        g_variant_new("(ss@a(sv)@a(sa(sv)))", unit, "fail", bus_launch_properties(command),
	                g_variant_new_array(G_VARIANT_TYPE("(sa(sv))"), NULL, 0)),
	        G_VARIANT_TYPE("(o)"), G_DBUS_CALL_FLAGS_NONE, LAUNCH_TIMEOUT_MS, NULL,
	        bus_launch_started, NULL);
}

bool bus_launch(BusLauncher *launcher, const char *const *arguments, GError **error)
{
	g_auto(GStrv) command = bus_launch_command(launcher, arguments);
	if (!bus_launch_is_due(launcher)) {
		g_set_error(error, G_DBUS_ERROR, G_DBUS_ERROR_LIMITS_EXCEEDED,
		        "more than %d hits in %d seconds", LAUNCHES, LAUNCH_S);
		return false;
	}
	if (!launcher->by_systemd)
		return bus_launch_child(command, error);
	bus_launch_unit(launcher, command);
	return true;
}
