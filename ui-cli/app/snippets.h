/* SPDX-License-Identifier: GPL-3.0-or-later */
/* snippets.h - passages of the text for the hits that are shown
 *
 * The index keeps no text: it comes from the text cache, else the files are converted again in the
 * sandbox, best hits first, as far as a time budget goes. The first hits need not wait for the
 * others; what is not ready when the time is over is shown without a passage. */
#pragma once
#include "index/search/snippet.h"
#include "ui-cli/app/cli.h"

typedef struct {
	unsigned per_hit; /* passages */
	unsigned chars; /* of a passage, about */
	unsigned budget_ms; /* for all together */
} SnippetLimits;

typedef struct Snippets Snippets;

/* Takes what the cache has and begins to convert the rest. All arguments must outlive it. */
Snippets *snippets_new(
        Cli *cli, const SearchResult *result, const Query *query, const SnippetLimits *limits);
/* GPtrArray of Snippet for the hit, borrowed, or NULL; waits for it as far as the budget goes. */
const GPtrArray *snippets_of(Snippets *snippets, guint hit);
void snippets_free(Snippets *snippets);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Snippets, snippets_free)
