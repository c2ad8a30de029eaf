/* SPDX-License-Identifier: GPL-3.0-or-later */
/* opensearch-document.h - the documents of a search engine that looks at permissions by document
 *
 * The engine cannot look at the places of a document one by one. So a document is sent once for
 * each of its places, with this place alone: a user who may read one of them learns nothing of the
 * others, and a search for a directory and a name finds files that have both. Nearly all documents
 * have one place. The class is the number of the place. */
#pragma once
#include "ui-cli/cmd/export/opensearch-client.h"

enum { OS_HASH_BYTES = 16 };

typedef struct {
	json_t *allow, *deny; /* arrays */
	json_t *place; /* without its permissions */
	uint8_t hash[OS_HASH_BYTES]; /* of all three */
} OsClass;

/* The classes of an array of places, in the order of their paths. A place without both lists of
 * tokens, or that nobody may read, has none. GPtrArray of OsClass; the caller frees it. */
GPtrArray *os_classes(const json_t *places);

/* "INSTANCE:DOCUMENT" for class 0, then "INSTANCE:DOCUMENT.CLASS". The caller frees it. */
char *os_document_id(const char *instance, int64_t document, unsigned n);

/* The document as it is sent for a class, of a line of the stream, without permissions. NULL: it
 * is not such a line. */
json_t *os_document_of_line(const json_t *line, const char *instance, const char *host);
/* Sets the permissions and the place of a document, and what is searched of both. */
void os_document_set_class(json_t *document, const OsClass *class, unsigned n);
