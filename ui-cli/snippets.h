/* SPDX-License-Identifier: GPL-3.0-or-later */
/* snippets.h - passages of the text for the hits that are shown
 *
 * The index keeps no text: it comes from the text cache, else the files are converted again in the
 * jail, best hits first, as far as a time budget goes. What is not ready by then is shown without a
 * passage. */
#pragma once
#include "index/snippet.h"
#include "ui-cli/cli.h"

typedef struct {
	unsigned per_hit; /* passages */
	unsigned chars; /* of a passage, about */
	unsigned budget_ms; /* for all together */
} SnippetWish;

/* One entry for each hit: GPtrArray of Snippet, or NULL. Yours. */
GPtrArray *snippets_for(
        Cli *cli, const SearchResult *result, const Query *query, const SnippetWish *wish);
