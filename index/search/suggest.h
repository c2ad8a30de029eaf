/* SPDX-License-Identifier: GPL-3.0-or-later */
/* suggest.h - explains why a query finds nothing: words that are not in the index, and what may
 * have been meant */
#pragma once
#include "index/search/search.h"

typedef struct {
	char *word; /* folded */
	char *typed; /* as it stands in the query; NULL: it is neither a word nor a phrase, or does
	                not stand there, as those of a saved search */
	char *better; /* the nearest word that a document or name contains which the user may
	                 read now, or a compound that begins with the word; NULL: there is none */
	bool by_itself; /* word is a pattern, a prefix, a fuzzy word, a phrase or a filter that
	               matches nothing by itself */
} Missing;

/* *missing_r: GPtrArray of Missing that the caller owns. It has first the words of the query that
 * no text and no name contains that the user of this process may read now, each once and in their
 * order, then the patterns, prefixes, fuzzy words, phrases and filters that match nothing by
 * themselves. Excluded words are left out. nearest: for so many words, look for the better one,
 * which reads a part of the vocabulary. */
enum { MISSING_NEAREST = 3 };
bool reader_missing(
        Reader *r, const Query *query, unsigned nearest, GPtrArray **missing_r, GError **error);
