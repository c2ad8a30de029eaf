/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bus-gnome.c - the search provider of GNOME Shell, org.gnome.Shell.SearchProvider2
 *
 * https://developer.gnome.org/documentation/tutorials/search-provider.html. Its texts are plain:
 * the shell escapes them before it marks the words. */
#include <config.h>
#include "ui-bus/bus-serve.h"
#include "ui-bus/hit-icon.h"
#include <string.h>

static const char gnome_xml[] =
        "<node><interface name='org.gnome.Shell.SearchProvider2'>"
        "<method name='GetInitialResultSet'><arg type='as' name='terms' direction='in'/>"
        "<arg type='as' name='results' direction='out'/></method>"
        "<method name='GetSubsearchResultSet'>"
        "<arg type='as' name='previous_results' direction='in'/>"
        "<arg type='as' name='terms' direction='in'/>"
        "<arg type='as' name='results' direction='out'/></method>"
        "<method name='GetResultMetas'><arg type='as' name='identifiers' direction='in'/>"
        "<arg type='aa{sv}' name='metas' direction='out'/></method>"
        "<method name='ActivateResult'><arg type='s' name='identifier' direction='in'/>"
        "<arg type='as' name='terms' direction='in'/>"
        "<arg type='u' name='timestamp' direction='in'/></method>"
        "<method name='LaunchSearch'><arg type='as' name='terms' direction='in'/>"
        "<arg type='u' name='timestamp' direction='in'/></method>"
        "</interface></node>";

static void gnome_found(GVariant *values, void *invocation)
{
	g_autoptr(GVariant) ids =
	        values ? g_variant_lookup_value(values, "ids", G_VARIANT_TYPE("as")) : NULL;
	if (!ids)
		ids = g_variant_ref_sink(g_variant_new_strv(NULL, 0));
	g_dbus_method_invocation_return_value(invocation, g_variant_new("(@as)", ids));
}

static void gnome_add_meta(GVariantBuilder *metas, GVariant *hit)
{
	const char *id = "", *name = "", *description = "", *mime = "", *path = "";
	gboolean folder = FALSE;
	g_variant_lookup(hit, "id", "&s", &id);
	g_variant_lookup(hit, "name", "&s", &name);
	g_variant_lookup(hit, "description", "&s", &description);
	g_variant_lookup(hit, "mime", "&s", &mime);
	g_variant_lookup(hit, "path", "^&ay", &path);
	g_variant_lookup(hit, "folder", "b", &folder);
	g_autoptr(GIcon) icon = hit_icon(strchr(id, '|') ? NULL : path, mime, folder);
	g_autoptr(GVariant) picture = g_icon_serialize(icon);
	g_variant_builder_open(metas, G_VARIANT_TYPE_VARDICT);
	g_variant_builder_add(metas, "{sv}", "id", g_variant_new_string(id));
	g_variant_builder_add(metas, "{sv}", "name", g_variant_new_string(name));
	g_variant_builder_add(metas, "{sv}", "description", g_variant_new_string(description));
	if (picture)
		g_variant_builder_add(metas, "{sv}", "icon", picture);
	g_variant_builder_close(metas);
}

static void gnome_described(GVariant *values, void *invocation)
{
	GVariantBuilder metas;
	g_autoptr(GVariant) hits =
	        values ? g_variant_lookup_value(values, "hits", G_VARIANT_TYPE("aa{sv}")) : NULL;
	g_variant_builder_init(&metas, G_VARIANT_TYPE("aa{sv}"));
	for (gsize i = 0; hits && i < g_variant_n_children(hits); i++) {
		g_autoptr(GVariant) hit = g_variant_get_child_value(hits, i);
		gnome_add_meta(&metas, hit);
	}
	g_dbus_method_invocation_return_value(invocation, g_variant_new("(aa{sv})", &metas));
}

/* The terms of a child of the arguments, as they were typed. The caller frees the text. */
static char *gnome_text(GVariant *arguments, gsize child)
{
	g_autoptr(GVariant) terms = g_variant_get_child_value(arguments, child);
	g_autofree const char **words = g_variant_get_strv(terms, NULL);
	return g_strjoinv(" ", (char **)words);
}

static void gnome_describe(
        BusServer *server, GVariant *arguments, GDBusMethodInvocation *invocation)
{
	g_autofree const char **ids = NULL;
	g_variant_get(arguments, "(^a&s)", &ids);
	bus_describe(server, invocation, ids, gnome_described, invocation);
}

static void gnome_call(BusServer *server, const char *method, GVariant *arguments,
        GDBusMethodInvocation *invocation)
{
	gsize last = g_variant_n_children(arguments) - 1;
	if (strcmp(method, "GetResultMetas") == 0) {
		gnome_describe(server, arguments, invocation);
		return;
	}
	bool searches = g_str_has_prefix(method, "Get");
	g_autofree char *text = gnome_text(arguments, searches ? last : last - 1);
	const char *id = NULL;
	if (searches) {
		bus_search(server, invocation, text, gnome_found, invocation);
	} else if (strcmp(method, "ActivateResult") == 0) {
		g_variant_get_child(arguments, 0, "&s", &id);
		bus_open(server, invocation, id, text);
	} else {
		bus_look(server, invocation, text);
	}
}

const BusInterface bus_gnome = {gnome_xml, gnome_call};
