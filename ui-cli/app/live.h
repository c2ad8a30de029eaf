/* SPDX-License-Identifier: GPL-3.0-or-later */
/* live.h - the answer to a query that is still being typed */
#pragma once
#include "ui-cli/app/cli.h"
#include "ui-cli/app/snippets.h"

enum { LIVE_FIRST_HITS = 40, LIVE_HITS = 100 };

typedef struct {
	Query *query; /* NULL if there is no query */
	SearchResult *result; /* the last valid answer; NULL if none */
	double ms; /* what it took, from the key on */
	char *fault; /* one line: what is wrong with the query, or why there is no answer; may be
	                NULL */
	char *help; /* one line if nothing is found: a suggestion; may be NULL */
	bool hits_only; /* set by the caller: no help is made */
	const char *
	        scope; /* set by the caller: only below this absolute directory; NULL: everywhere */
	struct LivePassages *passages; /* in the making; NULL: none */
} Live;

/* The query with its last word, which may be incomplete, also matched as a prefix; NULL if no such
 * word ends it. The caller frees it. */
char *live_open_ended(const char *text);
/* The query with what is still open closed: a phrase, whose last word may be incomplete, and
 * parentheses. An operator or a field that waits for its word is left out. NULL if nothing is open.
 * The caller frees it. */
char *live_closed(const char *text);
/* Searches the index for up to "limit" hits: LIVE_FIRST_HITS are enough for a screen. While the
 * query is invalid, the previous answer stays. False: the function of reader_set_stop() stopped it,
 * and everything stays. cli must have a reader. */
bool live_search(Live *live, Cli *cli, const char *text, unsigned limit);
void live_clear(Live *live);

/* Begins to make the best passages of one hit, which may convert its file for up to 250 ms. The
 * next search, the next beginning and live_clear() end it. */
void live_begin_passages(Live *live, Cli *cli, guint hit);
/* Are they ready, or is the time for them over? */
bool live_passages_are_ready(const Live *live);
/* The passages that were begun: GPtrArray of Snippet, or NULL; the caller unrefs it. */
GPtrArray *live_take_passages(Live *live);
void live_drop_passages(Live *live);
