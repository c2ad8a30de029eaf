/* SPDX-License-Identifier: GPL-3.0-or-later */
/* passage-hits.h - search --passages: the best passages of the best documents, as hits
 *
 * The texts of the documents are read as for snippets (ui-cli/app/snippets.h): at most
 * PASSAGES_DOCUMENTS of them, within PASSAGES_MS. The result says what was left out. */
#pragma once
#include "index/search/search.h"
#include "ui-cli/app/cli.h"

enum { PASSAGES_DOCUMENTS = 20, PASSAGES_MS = 1500 };

typedef struct {
	SearchResult result; /* its hits are those of their documents, with the score of the
	                        passage; total: the number of passages */
	GPtrArray *snippets; /* for each hit a GPtrArray with one Snippet */
	unsigned unread; /* documents whose texts were not ready in time, or too large together */
} PassageHits;

/* documents: the hits of the query, which must outlive what is returned. limit, offset: of the
 * passages. cli must have a reader. */
PassageHits *passage_hits_new(Cli *cli, const SearchResult *documents, const Query *query,
        unsigned limit, unsigned offset);
void passage_hits_free(PassageHits *passages);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PassageHits, passage_hits_free)
/* Tells on stderr which documents have no passages among the hits, if any. */
void passage_hits_note(const Cli *cli, const PassageHits *passages);
