/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin-record.h - the plugins that the index was made with
 *
 * If a plugin is new or newer, the rows of its files become pending again, and if the sniffer is
 * newer, those of files whose type was unknown. Once all of them are in
 * the index, the identity of the extractors (converter-identity.h) is stored in it. The next start
 * then need not load the extractors. */
#pragma once
#include "common/sandbox/converter.h"
#include "index/write/writer.h"

typedef struct {
	char *name;
	uint32_t version;
	char **mime_types;
} EnginePlugin;

/* Returns the usable plugins as a GArray of EnginePlugin that the caller owns. */
GArray *engine_plugins_of(const ConverterInfo *info);

typedef struct PluginRecord PluginRecord;

PluginRecord *plugin_record_new(void);
void plugin_record_free(PluginRecord *record);
/* Sets the plugins, from engine_plugins_of(), and takes ownership of them. identity: to be stored
 * later; 0: the next start must load them. */
void plugin_record_set(PluginRecord *record, GArray *plugins, int64_t identity);
/* Makes the rows pending that the plugins concern, if that is not done yet. *queued_r: number of
 * rows that became pending. */
bool plugin_record_use(PluginRecord *record, Writer *writer, unsigned *queued_r, GError **error);
/* The transaction was lost: the plugins are used again. */
void plugin_record_forget(PluginRecord *record);
/* Stores the identity of the plugins if that is not done yet. Call it when all rows that they made
 * pending are in the index. */
bool plugin_record_store(PluginRecord *record, Writer *writer, GError **error);
/* Was the index made with the extractors of this identity? */
bool plugin_record_matches(Writer *writer, int64_t identity);
