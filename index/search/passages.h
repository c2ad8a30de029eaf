/* SPDX-License-Identifier: GPL-3.0-or-later */
/* passages.h - which passages of a text answer the whole query
 *
 * The score of a passage has three parts. Its section is scored by BM25 (Robertson, Zaragoza: "The
 * probabilistic relevance framework: BM25 and beyond", 2009) among all sections: words of its
 * heading count more than words of its text, and words of the headings above count too. To this are
 * added the words that stand in the passage itself, and the closeness of those that are neighbours
 * in the query, more if they are in its order. All words are weighted by their rarity: by the
 * number of sections that have them. */
#pragma once
#include "index/search/snippet-match.h"

/* A passage reaches from its first match to its last. */
typedef struct {
	guint section; /* index */
	guint first, end; /* of the matches; end is not included */
	uint32_t from, to; /* bytes of the text */
	double score;
} Passage;

/* In how many sections each term node is. */
typedef struct {
	uint64_t sections; /* all */
	uint64_t bytes; /* of all */
	uint64_t with[QUERY_MAX_TERMS];
} PassageCounts;

/* The words of a query in a document; borrows the document. */
typedef struct Passages Passages;
Passages *passages_new(const Document *doc, const WordFinder *finder);
void passages_free(Passages *passages);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Passages, passages_free)

/* Adds the sections of the document to the counts, which are 0 at first. */
void passages_count(const Passages *passages, PassageCounts *counts);
/* Returns passages of at most max_bytes, unless a single match is longer, in the order of the text,
 * with their scores by the counts: GArray of Passage that the caller owns. Their number is
 * bounded. They overlap. */
GArray *passages_score(const Passages *passages, const PassageCounts *counts, unsigned max_bytes);

/* Borrowed: WordMatch in the order of their starts; Section. */
const GArray *passages_matches(const Passages *passages);
const GArray *passages_sections(const Passages *passages);
