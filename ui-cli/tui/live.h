/* SPDX-License-Identifier: GPL-3.0-or-later */
/* live.h - the answer to a query that is still being typed */
#pragma once
#include "ui-cli/app/cli.h"
#include "ui-cli/app/snippets.h"

enum { LIVE_HITS = 100 };

typedef struct {
	Query *query; /* NULL if there is no query */
	SearchResult *result; /* the last valid answer; NULL if none */
	double ms; /* what it took, from the key on */
	char *fault; /* one line: what is wrong with the query, or why there is no answer; may be
	                NULL */
	char *help; /* one line if nothing is found: a suggestion; may be NULL */
} Live;

/* The query with its last word, which may be incomplete, also matched as a prefix; NULL if no such
 * word ends it. The caller frees it. */
char *live_open_ended(const char *text);
/* Searches the index. While the query is invalid, the previous answer stays. cli must have a
 * reader. */
void live_search(Live *live, Cli *cli, const char *text);
void live_clear(Live *live);

/* The best passages of one hit; converts its file for up to about 250 ms if needed. GPtrArray of
 * Snippet, or NULL; the caller unrefs it. */
GPtrArray *live_passages(const Live *live, Cli *cli, guint hit);
