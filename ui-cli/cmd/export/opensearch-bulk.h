/* SPDX-License-Identifier: GPL-3.0-or-later */
/* opensearch-bulk.h - many documents in one request, each with its fate
 *
 * Each item has a version, which only grows: the number of the export, then that of the item. The
 * server keeps the greatest (external_gte), so that a request that comes late, or from an export
 * that was thought dead, changes nothing. An answer with status 200 tells the fate of each item. */
#pragma once
#include "ui-cli/cmd/export/opensearch-client.h"

typedef struct OsBulk OsBulk;

/* index: its name. Both are borrowed. */
OsBulk *os_bulk_new(OsClient *client, const char *index);
void os_bulk_free(OsBulk *bulk);
/* The number of the export, from 1, less than 2^31. */
void os_bulk_begin(OsBulk *bulk, int64_t generation);

/* Adds an item, and sends what has become too much. source: gets its "version". Errors:
 * EXPORT_ERROR_UNAVAILABLE. */
bool os_bulk_index(OsBulk *bulk, const char *id, json_t *source, GError **error);
bool os_bulk_delete(OsBulk *bulk, const char *id, GError **error);
/* Sends everything. Searches see it after the next refresh. */
bool os_bulk_flush(OsBulk *bulk, GError **error);
/* Documents that the server cannot hold. */
uint64_t os_bulk_refused(const OsBulk *bulk);
