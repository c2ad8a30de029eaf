/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-bus/bus-serve.h"
#include "common/base/paths.h"
#include "ui-bus/hit-id.h"
#include <glib-unix.h>
#include <signal.h>
#include <string.h>

enum { CALL_TIMEOUT_MS = 10000, DO_NOT_QUEUE = 4, PRIMARY_OWNER = 1 };

typedef struct {
	BusServer server;
	GMainLoop *loop;
	guint idle_s, idle_source;
} BusService;

/* ---- the end */

static gboolean service_is_idle(gpointer data)
{
	BusService *service = data;
	if (finder_client_is_busy(service->server.finder))
		return G_SOURCE_CONTINUE;
	service->idle_source = 0;
	g_main_loop_quit(service->loop);
	return G_SOURCE_REMOVE;
}

static void service_stay(BusService *service)
{
	g_clear_handle_id(&service->idle_source, g_source_remove);
	service->idle_source = g_timeout_add_seconds(service->idle_s, service_is_idle, service);
}

static gboolean service_on_signal(gpointer data)
{
	g_main_loop_quit(((BusService *)data)->loop);
	return G_SOURCE_CONTINUE;
}

static void service_on_closed(
        GDBusConnection *connection, gboolean vanished, GError *error, gpointer data)
{
	g_main_loop_quit(((BusService *)data)->loop);
}

/* Calls that came before the name was given back are answered; the bus starts another process for
 * those that come later. */
static void service_leave(BusService *service)
{
	GDBusConnection *connection = service->server.connection;
	if (!g_dbus_connection_is_closed(connection)) {
		g_autoptr(GVariant) released = g_dbus_connection_call_sync(connection,
		        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
		        "ReleaseName", g_variant_new("(s)", BUS_NAME), NULL, G_DBUS_CALL_FLAGS_NONE,
		        CALL_TIMEOUT_MS, NULL, NULL);
	}
	while (g_main_context_pending(NULL) || finder_client_is_busy(service->server.finder))
		g_main_context_iteration(NULL, TRUE);
	g_dbus_connection_flush_sync(connection, NULL, NULL);
}

/* ---- calls */

static void service_on_call(GDBusConnection *connection, const gchar *sender, const gchar *path,
        const gchar *interface, const gchar *method, GVariant *arguments,
        GDBusMethodInvocation *invocation, gpointer data)
{
	BusService *service = data;
	const BusInterface *called =
	        strcmp(interface, "org.kde.krunner1") == 0 ? &bus_krunner : &bus_gnome;
	service_stay(service);
	called->call(&service->server, method, arguments, invocation);
}

static void service_on_owner(GDBusConnection *connection, const gchar *sender, const gchar *path,
        const gchar *interface, const gchar *signal, GVariant *arguments, gpointer data)
{
	BusService *service = data;
	const char *name, *before, *after;
	g_variant_get(arguments, "(&s&s&s)", &name, &before, &after);
	if (*name == ':' && *after == '\0')
		finder_client_forget(service->server.finder, name);
}

/* Runs in the thread that receives: a message that is too long is refused before it waits with
 * others. */
static GDBusMessage *service_filter(
        GDBusConnection *connection, GDBusMessage *message, gboolean incoming, gpointer data)
{
	GVariant *body = g_dbus_message_get_body(message);
	if (!incoming ||
	        g_dbus_message_get_message_type(message) != G_DBUS_MESSAGE_TYPE_METHOD_CALL ||
	        !body || g_variant_get_size(body) <= BUS_MESSAGE_BYTES)
		return message;
	if (!(g_dbus_message_get_flags(message) & G_DBUS_MESSAGE_FLAGS_NO_REPLY_EXPECTED)) {
		g_autoptr(GDBusMessage) refusal = g_dbus_message_new_method_error(message,
		        "org.freedesktop.DBus.Error.LimitsExceeded", "a call has at most %d bytes",
		        BUS_MESSAGE_BYTES);
		g_dbus_connection_send_message(
		        connection, refusal, G_DBUS_SEND_MESSAGE_FLAGS_NONE, NULL, NULL);
	}
	g_object_unref(message);
	return NULL;
}

/* ---- for the interfaces */

static bool bus_text_fits(GDBusMethodInvocation *invocation, const char *text)
{
	if (strlen(text) <= BUS_TEXT_BYTES)
		return true;
	g_dbus_method_invocation_return_error(invocation, G_DBUS_ERROR, G_DBUS_ERROR_INVALID_ARGS,
	        "a search has at most %d bytes", BUS_TEXT_BYTES);
	return false;
}

static bool bus_ask(BusServer *server, GDBusMethodInvocation *invocation, const char *request,
        const char *key, GVariant *value, FinderDone done, void *data)
{
	GVariantDict arguments;
	g_variant_dict_init(&arguments, NULL);
	g_variant_dict_insert_value(&arguments, key, value);
	if (finder_client_ask(server->finder, g_dbus_method_invocation_get_sender(invocation),
	            request, g_variant_dict_end(&arguments), done, data))
		return true;
	g_dbus_method_invocation_return_error(invocation, G_DBUS_ERROR,
	        G_DBUS_ERROR_LIMITS_EXCEEDED, "%d calls wait already", FINDER_CLIENT_WAITING);
	return false;
}

bool bus_search(BusServer *server, GDBusMethodInvocation *invocation, const char *text,
        FinderDone done, void *data)
{
	return bus_text_fits(invocation, text) && bus_ask(server, invocation, "search", "text",
	                                                  g_variant_new_string(text), done, data);
}

void bus_describe(BusServer *server, GDBusMethodInvocation *invocation, const char *const *ids,
        FinderDone done, void *data)
{
	GVariantBuilder good;
	g_variant_builder_init(&good, G_VARIANT_TYPE("as"));
	for (unsigned n = 0; *ids && n < BUS_HITS; ids++) {
		g_autofree char *path = NULL, *member = NULL;
		if (hit_id_parse(*ids, &path, &member)) {
			g_variant_builder_add(&good, "s", *ids);
			n++;
		}
	}
	bus_ask(server, invocation, "describe", "ids", g_variant_builder_end(&good), done, data);
}

static void bus_start(
        BusServer *server, GDBusMethodInvocation *invocation, const char *const *arguments)
{
	GError *error = NULL;
	if (bus_launch(server->launcher, arguments, &error))
		g_dbus_method_invocation_return_value(invocation, NULL);
	else
		g_dbus_method_invocation_take_error(invocation, error);
}

void bus_open(
        BusServer *server, GDBusMethodInvocation *invocation, const char *id, const char *text)
{
	g_autofree char *path = NULL, *member = NULL;
	const char *const arguments[] = {"--open", id, "--", text, NULL};
	if (!bus_text_fits(invocation, text))
		return;
	if (hit_id_parse(id, &path, &member))
		bus_start(server, invocation, arguments);
	else
		g_dbus_method_invocation_return_error_literal(invocation, G_DBUS_ERROR,
		        G_DBUS_ERROR_INVALID_ARGS, "there is no such hit");
}

void bus_look(BusServer *server, GDBusMethodInvocation *invocation, const char *text)
{
	const char *const arguments[] = {"--look", "--", text, NULL};
	if (bus_text_fits(invocation, text))
		bus_start(server, invocation, arguments);
}

/* ---- the start */

static bool service_register(BusService *service, const BusInterface *interface, GError **error)
{
	static const GDBusInterfaceVTable calls = {.method_call = service_on_call};
	g_autoptr(GDBusNodeInfo) node = g_dbus_node_info_new_for_xml(interface->xml, error);
	return node && g_dbus_connection_register_object(service->server.connection, BUS_PATH,
	                       node->interfaces[0], &calls, service, NULL, error) > 0;
}

/* False without error: another process has the name. */
static bool service_take_name(BusService *service, GError **error)
{
	guint32 got = 0;
	g_autoptr(GVariant) answer = g_dbus_connection_call_sync(service->server.connection,
	        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
	        "RequestName", g_variant_new("(su)", BUS_NAME, DO_NOT_QUEUE), G_VARIANT_TYPE("(u)"),
	        G_DBUS_CALL_FLAGS_NONE, CALL_TIMEOUT_MS, NULL, error);
	if (answer)
		g_variant_get(answer, "(u)", &got);
	return got == PRIMARY_OWNER;
}

static bool service_connect(BusService *service, char *const *command, GError **error)
{
	g_autoptr(GStrvBuilder) finder = g_strv_builder_new();
	service->server.connection = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, error);
	if (!service->server.connection)
		return false;
	g_dbus_connection_set_exit_on_close(service->server.connection, FALSE);
	g_signal_connect(
	        service->server.connection, "closed", G_CALLBACK(service_on_closed), service);
	g_dbus_connection_add_filter(service->server.connection, service_filter, NULL, NULL);
	g_dbus_connection_signal_subscribe(service->server.connection, "org.freedesktop.DBus",
	        "org.freedesktop.DBus", "NameOwnerChanged", "/org/freedesktop/DBus", NULL,
	        G_DBUS_SIGNAL_FLAGS_NONE, service_on_owner, service, NULL);
	g_strv_builder_addv(finder, (const char **)command);
	g_strv_builder_add(finder, "--find");
	g_auto(GStrv) finder_command = g_strv_builder_end(finder);
	service->server.finder = finder_client_new(finder_command);
	service->server.launcher = bus_launcher_new(service->server.connection, command);
	return service_register(service, &bus_gnome, error) &&
	       service_register(service, &bus_krunner, error);
}

bool bus_serve(char *const *command, unsigned idle_s, GError **error)
{
	g_autoptr(GMainLoop) loop = g_main_loop_new(NULL, FALSE);
	BusService service = {.loop = loop, .idle_s = idle_s};
	GError *local = NULL;
	if (service_connect(&service, command, &local) && service_take_name(&service, &local)) {
		g_unix_signal_add(SIGTERM, service_on_signal, &service);
		service_stay(&service);
		g_main_loop_run(loop);
		service_leave(&service);
	}
	finder_client_free(service.server.finder);
	bus_launcher_free(service.server.launcher);
	g_free(service.server.matched);
	if (local)
		g_propagate_error(error, local);
	return !local;
}
