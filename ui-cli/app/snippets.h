/* SPDX-License-Identifier: GPL-3.0-or-later */
/* snippets.h - passages of text for the hits that are shown
 *
 * The index has no text. It comes from the text cache; otherwise the files are converted again in
 * the sandbox, several at once, within a time budget. They are converted while the caller shows
 * what it has. A hit whose text is not ready in time is shown without a passage. */
#pragma once
#include "index/search/search.h"
#include "index/search/snippet.h"
#include "ui-cli/app/cli.h"

typedef struct {
	unsigned per_hit; /* number of passages */
	unsigned chars; /* approximate length of a passage */
	unsigned budget_ms; /* for all hits together, beside the start of extractors */
} SnippetLimits;

typedef struct Snippets Snippets;

/* Starts to convert the files whose texts are not in the cache, and does not wait for them. All
 * arguments except limits must outlive the result. cli must have a reader. */
Snippets *snippets_new(
        Cli *cli, const SearchResult *result, const Query *query, const SnippetLimits *limits);
/* Would snippets_of() return without waiting? */
bool snippets_are_ready(const Snippets *work, guint hit);
/* The snippets of a hit, waiting for its text within the budget. GPtrArray of Snippet, borrowed;
 * may be NULL. */
const GPtrArray *snippets_of(Snippets *work, guint hit);
/* The text of a hit instead of its snippets, waiting in the same way. The caller owns it; NULL:
 * there is none, it is not ready in time, or it was asked for before. */
Document *snippets_take_text(Snippets *work, guint hit);
void snippets_free(Snippets *work);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Snippets, snippets_free)
