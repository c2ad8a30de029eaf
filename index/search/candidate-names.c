/* SPDX-License-Identifier: GPL-3.0-or-later */
/* candidate-names.c - candidates whose name has a term of the query, from memory */
#include <config.h>
#include "index/search/candidates.h"

typedef struct {
	CandidateIterator base;
	const QueryTerms *terms;
	guint pair, document; /* the next of the pairs and of the rescored documents */
} NamesIterator;

static int names_next(CandidateIterator *self, Candidate *out, GError **error)
{
	NamesIterator *names = (NamesIterator *)self;
	const QueryTerms *terms = names->terms;
	*out = (Candidate){.own = true};
	if (names->pair < terms->pairs->len) {
		const SearchPair *pair = &g_array_index(terms->pairs, SearchPair, names->pair++);
		out->match = (SearchMatch){pair->document, pair->node, pair->group, 0};
		out->own = pair->own;
		return 1;
	}
	while (names->document < terms->rescored->len) {
		int64_t document = g_array_index(terms->rescored, int64_t, names->document++);
		if (search_contains(terms->hidden, document))
			continue;
		out->match = (SearchMatch){document, 0, document, 0};
		return 1;
	}
	return 0;
}

static void names_free(CandidateIterator *self)
{
	g_free(self);
}

CandidateIterator *candidates_of_names(const Search *s)
{
	NamesIterator *names = g_new0(NamesIterator, 1);
	names->base = (CandidateIterator){names_next, names_free};
	names->terms = s->terms;
	return &names->base;
}
