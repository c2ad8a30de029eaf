/* SPDX-License-Identifier: GPL-3.0-or-later */
/* at-query.h - a query as the JSON that a target is asked with
 *
 *   {"tree": NODE, "leaves": [LEAF, …], "filters": [FILTER, …], "languages": [CODE, …],
 *    "rank": [TEXT, …], "sort": "relevance"|"date"|"size"|"name"|"path", "reverse": BOOL,
 *    "places": BOOL, "snippets": BOOL}
 *
 * NODE is {"and": [NODE, …]}, {"or": [NODE, …]}, {"not": NODE}, {"leaf": N} or {"filter": N}: a
 * tree of numbers, in which no text of the user is.
 *
 * LEAF: "scope" is "any", "filename" or a column of export-words.h. "tokens" are the folded terms
 * of a word or phrase, the last of them a prefix if "prefix" is true. "parts" are the same terms,
 * between whose parts "gap" other words may stand, in any order unless "ordered". "forms" is an
 * array of {"terms": […], "languages": [CODE, …], "others": BOOL}: terms that count as the word in
 * documents of these languages, and with "others" in those of no language of "languages" above.
 * "path": a path, or the end of one, that matches too, or null.
 *
 * FILTER: "field" is the name of the filter; "values" are alternatives; "low" and "high" are
 * inclusive bounds.
 *
 * "rank" are the words and phrases that are not excluded, as they were written. "places": each
 * place of a document is a hit. */
#pragma once
#include "index/query/query.h"
#include "index/search/search.h"

typedef struct {
	SortOrder sort;
	bool reverse, places, snippets;
} AtQueryOptions;

/* Returns the JSON, which the caller frees. NULL with QUERY_ERROR and *fault filled if no target
 * can answer a part of the query; a part that was given by an option has the length 0. */
char *at_query_json(
        const Query *query, const AtQueryOptions *options, QueryFault *fault, GError **error);
