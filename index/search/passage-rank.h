/* SPDX-License-Identifier: GPL-3.0-or-later */
/* passage-rank.h - the best passages of several documents, in one order
 *
 * Passages of all documents are scored by one set of counts (index/search/passages.h), and raised
 * a little by the score of their document. Of the passages under one heading on one page, the best
 * one is taken. */
#pragma once
#include "index/search/snippet.h"

/* The texts of all documents together; what is added later is refused. */
enum { PASSAGE_TEXT_MAX = 64 << 20 };

typedef struct {
	guint hit; /* as given to passage_rank_add() */
	guint document; /* index, in the order in which they were added */
	Passage passage;
	double score; /* higher is better; comparable within one rank */
} RankedPassage;

typedef struct PassageRank PassageRank;
/* The query must outlive it. max_chars: the approximate length of a passage. */
PassageRank *passage_rank_new(const Query *query, unsigned max_chars);
void passage_rank_free(PassageRank *rank);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PassageRank, passage_rank_free)
/* Takes the document. hit: a number of the caller's. prior: the share of the best document's score,
 * 0 to 1. False: it was refused, because the texts became too large. */
bool passage_rank_add(PassageRank *rank, Document *doc, guint hit, double prior);
/* Returns the passages of the documents, the best first, as a GArray of RankedPassage that the
 * caller owns. */
GArray *passage_rank_run(const PassageRank *rank);
/* The caller owns the text of the passage. */
Snippet *passage_rank_snippet(const PassageRank *rank, const RankedPassage *ranked);
