/* SPDX-License-Identifier: GPL-3.0-or-later */
/* opensearch-setup.h - what a server is, and what it needs before documents come
 * (data/export/opensearch.json) */
#pragma once
#include "ui-cli/cmd/export/opensearch-client.h"

typedef enum { OS_ELASTICSEARCH, OS_OPENSEARCH } OsKind;

typedef struct {
	char *server; /* scheme, host and port */
	char *index;
} OsAddress;

/* Reads https://HOST:PORT/INDEX. EXPORT_ERROR_REFUSED: it is not like that, has a password in it,
 * or would send everything over a network in the clear. */
bool os_address_read(const char *target, OsAddress *out, GError **error);
void os_address_clear(OsAddress *address);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(OsAddress, os_address_clear)

/* Asks the server what it is. EXPORT_ERROR_REFUSED: it is neither Elasticsearch 8 nor OpenSearch 2
 * or later, or does not take the credentials. */
bool os_setup_recognise(OsClient *client, OsKind *kind_r, GError **error);
/* Makes the role by which people read, the indices and their mappings. The role comes first: a
 * server without document-level security is refused before it has a document. */
bool os_setup_make(OsClient *client, OsKind kind, const char *index, GError **error);
/* Is the index there, with our mapping? */
bool os_setup_check(OsClient *client, const char *index, GError **error);
