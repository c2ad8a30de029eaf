/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expand.h - a query with the terms that count as its words, and the vocabulary they come from */
#pragma once
#include "index/query/query.h"
#include "index/read/reader-private.h"

/* Fills the forms of all words, once. Within reader_begin() and reader_end(). More than
 * QUERY_MAX_FORMS for a pattern is a QUERY_ERROR, never a cut list. */
bool query_expand(Query *query, Reader *r, GError **error);
/* Edits between two words in UTF-8, at most max + 1 (Damerau; optimal string alignment). */
unsigned expand_distance(const char *a, const char *b, unsigned max);
