/* SPDX-License-Identifier: GPL-3.0-or-later */
/* suggest.h - why a query finds nothing: words that nothing holds, and what may have been meant */
#pragma once
#include "index/search/search.h"

typedef struct {
	char *word; /* as folded */
	char *better; /* the nearest word of the index that a document or name holds now; NULL:
	                 there is none */
	bool alone; /* word is a pattern, a prefix, a fuzzy word, a phrase or a filter, by which
	               alone nothing is found */
} Missing;

/* *missing_r: GPtrArray of Missing, those words of the query that neither any text nor any name
 * holds, in its order, then patterns, prefixes, fuzzy words, phrases and filters by which nothing
 * is found; yours. Excluded words are left out. */
bool reader_missing(Reader *r, const Query *query, GPtrArray **missing_r, GError **error);
