/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expand.h - adds to a query the terms that count as its words, from the vocabulary of the index */
#pragma once
#include "index/query/query.h"
#include "index/read/reader-private.h"

/* Fills in the forms of all words, once words with signs are resolved (signed-words.h). Call it
 * once for a query, between reader_begin() and reader_end(). A fuzzy word, or a pattern in a
 * phrase, with more than QUERY_MAX_FORMS terms is a QUERY_ERROR: the list is never cut. So is
 * another pattern with more than expand_max_terms. The forms of patterns and fuzzy words ascend
 * (strcmp). */
bool query_expand(Query *query, Reader *r, GError **error);
extern unsigned expand_max_terms; /* tests set it */
/* Returns the number of edits between two words in UTF-8, at most max + 1 (Damerau; optimal string
 * alignment). */
unsigned expand_distance(const char *a, const char *b, unsigned max);
