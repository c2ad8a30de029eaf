/* SPDX-License-Identifier: GPL-3.0-or-later */
/* meaning-share.h - the part of latent semantics (index/meaning) in the order of the hits
 *
 * For queries of several plain words in an index that has a model, the best MEANING_MOST_MATCHES
 * matches by their words get a bonus by the cosine of their vector with that of the query, up to a
 * share of the best score. So no match is added or dropped, and none outside of these comes before
 * one of them.
 *
 * The vector of the query is turned to those of the first matches (J. Rocchio, "Relevance feedback
 * in information retrieval", 1971), and the share depends on how far the cosines agree with the
 * scores: where they do not, the model does not know the subject. docs/measurements/ranking.md has
 * what each of this gives. */
#pragma once
#include "index/search/search-private.h"

enum { MEANING_MOST_MATCHES = 200 };
bool search_mix_meaning(const Search *s, Matches *m, GError **error);
