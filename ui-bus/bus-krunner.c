/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bus-krunner.c - the runner of KRunner, org.kde.krunner1
 *
 * https://develop.kde.org/docs/plasma/krunner/. Its texts are plain, as without "multiline". */
#include <config.h>
#include "ui-bus/bus-serve.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "ui-bus/hit-icon.h"
#include "ui-bus/hit-id.h"
#include <string.h>

/* POSSIBLE_MATCH of Plasma::QueryMatch::Type; a single letter is not a search. */
enum { POSSIBLE_MATCH = 30, LETTERS_MIN = 2, CALL_FILES_MS = 10000 };
#define FOLDER_ACTION "folder"

static const char krunner_xml[] =
        "<node><interface name='org.kde.krunner1'>"
        "<method name='Teardown'/>"
        "<method name='Config'><arg type='a{sv}' name='config' direction='out'/></method>"
        "<method name='Actions'><arg type='a(sss)' name='matches' direction='out'/></method>"
        "<method name='Run'><arg type='s' name='matchId' direction='in'/>"
        "<arg type='s' name='actionId' direction='in'/></method>"
        "<method name='Match'><arg type='s' name='query' direction='in'/>"
        "<arg type='a(sssida{sv})' name='matches' direction='out'/></method>"
        "</interface></node>";

/* ---- Match */

typedef struct {
	BusServer *server;
	GDBusMethodInvocation *invocation;
} RunnerMatch;

static GVariant *runner_properties(const char *id, const char *path, const char *description)
{
	GVariantDict properties;
	const char *const actions[] = {FOLDER_ACTION, NULL}, *const none[] = {NULL};
	bool web = path_is_web(path);
	g_autofree char *uri = web ? NULL : g_filename_to_uri(path, NULL, NULL);
	const char *const urls[] = {uri, NULL};
	g_variant_dict_init(&properties, NULL);
	g_variant_dict_insert(&properties, "subtext", "s", description);
	g_variant_dict_insert(&properties, "category", "s", "Tarsier");
	g_variant_dict_insert(&properties, "actions", "^as", web ? none : actions);
	if (uri && !strchr(id, '|')) /* a member is not a file that could be dragged */
		g_variant_dict_insert(&properties, "urls", "^as", urls);
	return g_variant_dict_end(&properties);
}

static void runner_add_match(GVariantBuilder *matches, GVariant *hit, gsize rank)
{
	const char *id = "", *name = "", *description = "", *mime = "", *path = "";
	gboolean folder = FALSE;
	g_variant_lookup(hit, "id", "&s", &id);
	g_variant_lookup(hit, "name", "&s", &name);
	g_variant_lookup(hit, "description", "&s", &description);
	g_variant_lookup(hit, "mime", "&s", &mime);
	g_variant_lookup(hit, "path", "^&ay", &path);
	g_variant_lookup(hit, "folder", "b", &folder);
	g_autofree char *icon = hit_icon_name(strchr(id, '|') ? NULL : path, mime, folder);
	double relevance = 0.8 / (1 + rank / 10.0);
	if (!g_utf8_validate(icon, -1, NULL)) {
		g_free(icon);
		icon = hit_icon_name(NULL, mime, folder);
	}
	g_variant_builder_add(matches, "(sssid@a{sv})", id, name, icon, POSSIBLE_MATCH, relevance,
	        runner_properties(id, path, description));
}

static void runner_answer(GDBusMethodInvocation *invocation, GVariant *hits)
{
	GVariantBuilder matches;
	g_variant_builder_init(&matches, G_VARIANT_TYPE("a(sssida{sv})"));
	for (gsize i = 0; hits && i < g_variant_n_children(hits); i++) {
		g_autoptr(GVariant) hit = g_variant_get_child_value(hits, i);
		runner_add_match(&matches, hit, i);
	}
	g_dbus_method_invocation_return_value(
	        invocation, g_variant_new("(a(sssida{sv}))", &matches));
}

static void runner_described(GVariant *values, void *invocation)
{
	g_autoptr(GVariant) hits =
	        values ? g_variant_lookup_value(values, "hits", G_VARIANT_TYPE("aa{sv}")) : NULL;
	runner_answer(invocation, hits);
}

static void runner_found(GVariant *values, void *data)
{
	g_autofree RunnerMatch *match = data;
	g_auto(GStrv) ids = NULL;
	if (values && g_variant_lookup(values, "ids", "^as", &ids) && ids[0])
		bus_describe(match->server, match->invocation, (const char *const *)ids,
		        runner_described, match->invocation);
	else
		runner_answer(match->invocation, NULL);
}

static void runner_match(BusServer *server, GVariant *arguments, GDBusMethodInvocation *invocation)
{
	const char *text;
	g_variant_get(arguments, "(&s)", &text);
	if (g_utf8_strlen(text, -1) < LETTERS_MIN) {
		runner_answer(invocation, NULL);
		return;
	}
	RunnerMatch *match = g_new(RunnerMatch, 1);
	*match = (RunnerMatch){server, invocation};
	g_free(server->matched);
	server->matched = g_strdup(text);
	if (!bus_search(server, invocation, text, runner_found, match))
		g_free(match);
}

/* ---- the others */

static GVariant *runner_actions(void)
{
	GVariantBuilder actions;
	g_variant_builder_init(&actions, G_VARIANT_TYPE("a(sss)"));
	g_variant_builder_add(&actions, "(sss)", FOLDER_ACTION, _("Open Containing Folder"),
	        "document-open-folder");
	return g_variant_builder_end(&actions);
}

static GVariant *runner_config(void)
{
	GVariantDict config;
	g_variant_dict_init(&config, NULL);
	g_variant_dict_insert(&config, "MinLetterCount", "i", LETTERS_MIN);
	g_variant_dict_insert_value(&config, "Actions", runner_actions());
	return g_variant_dict_end(&config);
}

/* The file manager shows the file in its directory, if there is one that can. */
static void runner_show_folder(BusServer *server, GDBusMethodInvocation *invocation, const char *id)
{
	g_autofree char *path = NULL, *member = NULL;
	g_autofree char *uri = hit_id_parse(id, &path, &member) && *path == '/'
	                               ? g_filename_to_uri(path, NULL, NULL)
	                               : NULL;
	const char *const uris[] = {uri, NULL};
	if (!uri) {
		g_dbus_method_invocation_return_error_literal(invocation, G_DBUS_ERROR,
		        G_DBUS_ERROR_INVALID_ARGS, "there is no such hit");
		return;
	}
	g_dbus_connection_call(server->connection, "org.freedesktop.FileManager1",
	        "/org/freedesktop/FileManager1", "org.freedesktop.FileManager1", "ShowItems",
	        g_variant_new("(^ass)", uris, ""), NULL, G_DBUS_CALL_FLAGS_NONE, CALL_FILES_MS,
	        NULL, NULL, NULL);
	g_dbus_method_invocation_return_value(invocation, NULL);
}

static void runner_run(BusServer *server, GVariant *arguments, GDBusMethodInvocation *invocation)
{
	const char *id, *action;
	g_variant_get(arguments, "(&s&s)", &id, &action);
	if (strcmp(action, FOLDER_ACTION) == 0)
		runner_show_folder(server, invocation, id);
	else if (*action)
		g_dbus_method_invocation_return_error_literal(invocation, G_DBUS_ERROR,
		        G_DBUS_ERROR_INVALID_ARGS, "there is no such action");
	else
		bus_open(server, invocation, id, server->matched ? server->matched : "");
}

static void runner_call(BusServer *server, const char *method, GVariant *arguments,
        GDBusMethodInvocation *invocation)
{
	if (strcmp(method, "Match") == 0)
		runner_match(server, arguments, invocation);
	else if (strcmp(method, "Run") == 0)
		runner_run(server, arguments, invocation);
	else if (strcmp(method, "Actions") == 0)
		g_dbus_method_invocation_return_value(
		        invocation, g_variant_new("(@a(sss))", runner_actions()));
	else if (strcmp(method, "Config") == 0)
		g_dbus_method_invocation_return_value(
		        invocation, g_variant_new("(@a{sv})", runner_config()));
	else
		g_dbus_method_invocation_return_value(invocation, NULL); /* Teardown */
}

const BusInterface bus_krunner = {krunner_xml, runner_call};
