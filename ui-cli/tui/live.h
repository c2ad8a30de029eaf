/* SPDX-License-Identifier: GPL-3.0-or-later */
/* live.h - the answer to a query that is still being typed */
#pragma once
#include "ui-cli/app/cli.h"
#include "ui-cli/app/snippets.h"

enum { LIVE_HITS = 100 };

typedef struct {
	Query *query; /* NULL: nothing is asked */
	SearchResult *result; /* the last good answer; NULL: none */
	char *fault; /* one line: what is wrong with the query, or why there is no answer; NULL */
	char *help; /* one line for no hits: what may have been meant; NULL */
} Live;

/* A query in which the word that may not be complete yet also counts as the beginning of one; NULL:
 * no such word ends it. Yours. */
char *live_open_ended(const char *text);
/* Asks the index. While the query is wrong, the answer to the one before stays. cli: with a reader.
 */
void live_ask(Live *live, Cli *cli, const char *text);
void live_clear(Live *live);

/* The best passages of one hit, converting its file for some 250 ms if need be. GPtrArray of
 * Snippet, yours; may be NULL. */
GPtrArray *live_passages(const Live *live, Cli *cli, guint hit);
