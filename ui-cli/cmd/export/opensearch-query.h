/* SPDX-License-Identifier: GPL-3.0-or-later */
/* opensearch-query.h - the query of a client (at-query.h) in the Query DSL of OpenSearch and
 * Elasticsearch
 *
 * Words and values stand only where the DSL takes values, so they can add no clause. A phrase is a
 * span_near of terms: match_phrase_prefix would look at the first 50 words with a beginning only.
 * https://docs.opensearch.org/latest/query-dsl/ */
#pragma once
#include "ui-cli/cmd/export/export-target.h"
#include <jansson.h>

enum {
	OS_WINDOW = 10000, /* hits; from + size of a search, which an index may not raise for us */
	OS_SEARCH_SECONDS = 25, /* after which the server answers with what it has */
};

typedef struct {
	json_t *matches; /* the query, without scores */
	bool places; /* each place is a hit; else equal files are one */
	json_t *request; /* the body of the search for a page */
} OsQuery;

/* Translates the JSON of at-query.h, which the caller has made. most: hits; 0: they are counted
 * only. False with error if it is not such JSON. */
bool os_query_read(OsQuery *query, const ExportSearch *search, GError **error);
void os_query_clear(OsQuery *query);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(OsQuery, os_query_clear)

/* The body of a search for all places of these documents that match, in the order of documents and
 * paths. documents: an array of find.document, borrowed. The caller owns it. */
json_t *os_query_places(const OsQuery *query, json_t *documents);
