/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/engine/plugin-record.h"

/* Larger files of unknown type are hardly texts, and reading all of them again would take long. */
enum { UNKNOWN_MOST_BYTES = 16 << 20 };

#define META_CONVERTERS "converters" /* meta key: identity of the extractors */

struct PluginRecord {
	GArray *plugins; /* of EnginePlugin; NULL: not known yet */
	int64_t identity;
	bool to_use, to_store;
};

static void plugin_clear(gpointer data)
{
	EnginePlugin *plugin = data;
	g_free(plugin->name);
	g_strfreev(plugin->mime_types);
}

GArray *engine_plugins_of(const ConverterInfo *info)
{
	GArray *plugins = g_array_new(FALSE, FALSE, sizeof(EnginePlugin));
	g_array_set_clear_func(plugins, plugin_clear);
	for (size_t i = 0; i < info->n_plugins; i++) {
		const ConverterPlugin *known = &info->plugins[i];
		if (!known->usable)
			continue;
		EnginePlugin plugin = {
		        g_strdup(known->name), known->version, g_strdupv(known->mime_types)};
		g_array_append_val(plugins, plugin);
	}
	return plugins;
}

PluginRecord *plugin_record_new(void)
{
	return g_new0(PluginRecord, 1);
}

void plugin_record_free(PluginRecord *record)
{
	g_clear_pointer(&record->plugins, g_array_unref);
	g_free(record);
}

void plugin_record_set(PluginRecord *record, GArray *plugins, int64_t identity)
{
	g_clear_pointer(&record->plugins, g_array_unref);
	record->plugins = plugins;
	record->identity = identity;
	record->to_use = true;
}

void plugin_record_forget(PluginRecord *record)
{
	record->to_use = record->plugins != NULL;
}

static bool requeue(Writer *writer, const EnginePlugin *plugin, unsigned *total, GError **error)
{
	unsigned queued;
	if (!writer_requeue_outdated(writer, plugin->name, plugin->version, &queued, error))
		return false;
	*total += queued;
	for (char **mime = plugin->mime_types; *mime; mime++) {
		if (!writer_requeue_unsupported(writer, *mime, &queued, error))
			return false;
		*total += queued;
	}
	return true;
}

bool plugin_record_use(PluginRecord *record, Writer *writer, unsigned *queued_r, GError **error)
{
	*queued_r = 0;
	if (!record->to_use)
		return true;
	if (!writer_requeue_unknown(writer, SNIFF_VERSION, UNKNOWN_MOST_BYTES, queued_r, error))
		return false;
	for (guint i = 0; i < record->plugins->len; i++)
		if (!requeue(writer, &g_array_index(record->plugins, EnginePlugin, i), queued_r,
		            error))
			return false;
	record->to_use = false;
	record->to_store = true;
	return true;
}

bool plugin_record_store(PluginRecord *record, Writer *writer, GError **error)
{
	g_autofree char *identity = g_strdup_printf("%" G_GINT64_FORMAT, record->identity);
	int64_t known;
	if (!record->to_store)
		return true;
	if (!writer_get_meta_int(writer, META_CONVERTERS, 0, &known, error))
		return false;
	record->to_store = false;
	return known == record->identity ||
	       writer_set_meta(writer, META_CONVERTERS, identity, error);
}

bool plugin_record_matches(Writer *writer, int64_t identity)
{
	int64_t known;
	return identity != 0 && writer_get_meta_int(writer, META_CONVERTERS, 0, &known, NULL) &&
	       known == identity;
}
