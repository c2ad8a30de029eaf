/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin-record.h - which plugins the index was made with
 *
 * New and newer plugins make the rows of their files pending again. Once all of those are in the
 * index, the identity of the extractors (converter-identity.h) is stored in it, so that the next
 * start need not ask them. */
#pragma once
#include "common/sandbox/converter.h"
#include "index/write/writer.h"

typedef struct {
	char *name;
	uint32_t version;
	char **mime_types;
} EnginePlugin;

/* The usable ones; GArray of EnginePlugin, yours. */
GArray *engine_plugins_of(const ConverterInfo *info);

typedef struct PluginRecord PluginRecord;

PluginRecord *plugin_record_new(void);
void plugin_record_free(PluginRecord *record);
/* These are used from now on. identity: to be stored; 0: ask them again at the next start.
 * *queued_r: rows that became pending. */
bool plugin_record_use(PluginRecord *record, Writer *writer, const GArray *plugins,
        int64_t identity, unsigned *queued_r, GError **error);
/* All that was queued for them is in the index: stores their identity, if that is still to do. */
bool plugin_record_store(PluginRecord *record, Writer *writer, GError **error);
/* Is the index made with these? */
bool plugin_record_matches(Writer *writer, int64_t identity);
