/* SPDX-License-Identifier: GPL-3.0-or-later */
/* evaluator.c - is a query true for a candidate? */
#include <config.h>
#include "index/search/candidates.h"

/* True if the name, or the link, must be that of the file itself: it does not count for members. */
static bool search_wants_own(const QueryNode *node)
{
	return node->scope == SCOPE_FILENAME || node->scope == SCOPE_ANCHOR;
}

bool search_tells_members(const QueryPlan *plan)
{
	for (guint i = 0; i < plan->terms->len; i++)
		if (search_wants_own(g_array_index(plan->terms, SearchTerm, i).node))
			return true;
	return false;
}

/* A name counts for a word anywhere, and so may a path. "filename:" asks for the name of the file
 * itself. */
static bool holds_words(const Search *s, const QueryNode *node, const Candidate *candidate)
{
	const SearchMatch *match = &candidate->match;
	const TermMatches *found =
	        &g_array_index(s->terms->list, TermMatches, search_term_of(s->plan, node));
	bool name = node->scope == SCOPE_ANY || (search_wants_own(node) && candidate->own);
	return (match->document && search_has_document(found, match->document)) ||
	       (name && match->node &&
	               (search_contains(found->names, match->node) ||
	                       search_contains(found->paths, match->node)));
}

static bool holds_filter(const Search *s, const QueryNode *node, const Candidate *candidate)
{
	guint column;
	if (!candidate->row || !g_ptr_array_find(s->plan->columns, node, &column))
		g_assert_not_reached();
	return sqlite3_column_int(candidate->row, FIRST_FILTER + column);
}

bool search_holds(const Search *s, const QueryNode *node, const Candidate *candidate)
{
	switch (node->op) {
	case QUERY_WORDS:
		return holds_words(s, node, candidate);
	case QUERY_FILTER:
		return holds_filter(s, node, candidate);
	case QUERY_NOT:
		return !search_holds(s, node->children->pdata[0], candidate);
	default:
		break;
	}
	for (guint i = 0; i < node->children->len; i++)
		if (search_holds(s, node->children->pdata[i], candidate) == (node->op == QUERY_OR))
			return node->op == QUERY_OR;
	return node->op == QUERY_AND;
}
