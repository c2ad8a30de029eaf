/* SPDX-License-Identifier: GPL-3.0-or-later */
/* candidates.h - iterators over the pairs of entry and document that may match a query
 *
 * Each iterator is one way to find candidates. The planner chooses one by what the query asks for;
 * the plain ones (rows of FTS5 and of all entries) can answer every query, and a test compares the
 * others with them. A document of an iterator is only a candidate: search_holds() decides about the
 * rest of the tree. */
#pragma once
#include "index/search/search-private.h"

typedef struct {
	/* order: the score of the text, or the value that the results are sorted by; 0 if only
	 * search_score() can tell. */
	SearchMatch match;
	double proximity; /* the part of the score that comes from words close to each other */
	bool own; /* the document is the file itself, not a member of it */
	/* The current row, whose columns from FIRST_FILTER on are the plan's columns; NULL: the
	 * plan has none. */
	sqlite3_stmt *row;
} Candidate;

typedef struct CandidateIterator CandidateIterator;
struct CandidateIterator {
	/* 1: a candidate, which is valid until the next call; 0: no more; -1: error. */
	int (*next)(CandidateIterator *self, Candidate *out, GError **error);
	void (*free)(CandidateIterator *self);
};

void candidate_iterator_free(CandidateIterator *iterator);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CandidateIterator, candidate_iterator_free)

enum { FIRST_FILTER = 7 };

/* The rows that an evaluation begins with. */
typedef enum {
	ROWS_OF_ENTRIES, /* every entry with each of its documents */
	ROWS_OF_NEAR, /* the entries of what is near the fingerprint of the plan's near: */
	ROWS_OF_TEXT, /* the entries of the documents that FTS5 finds by the plan's expression */
	ROWS_OF_NODES, /* the entries of a list */
	ROWS_OF_DOCUMENTS, /* the entries of the documents of a list, in its order */
} RowSource;

/* Each constructor returns NULL with error. The caller owns the iterator; s must outlive it. */

/* ---- candidate-rows.c: by SQL, with the plan's filters as conditions and its columns */

/* ids: int64_t, of ROWS_OF_NODES and ROWS_OF_DOCUMENTS; it must outlive the iterator, and only one
 * iterator over a list may exist at a time. */
CandidateIterator *candidates_of_rows(
        const Search *s, RowSource source, const GArray *ids, GError **error);
SearchSql *candidates_rows_sql(const Search *s, RowSource source);
/* The documents that FTS5 finds by the plan's expression, ascending, each for all its entries. If
 * nothing is ordered by their score, they have none, and deleted documents are among them. */
CandidateIterator *candidates_of_expression(const Search *s, GError **error);
SearchSql *candidates_expression_sql(const Search *s);

/* ---- single-term.c */
/* The documents of the plan's only term, likewise. */
CandidateIterator *candidates_of_single_term(const Search *s, GError **error);

/* ---- candidate-names.c */
/* The entries whose name has a term, with each of their documents; then the rescored documents,
 * each for all its entries. Without SQL: for plans without filters. */
CandidateIterator *candidates_of_names(const Search *s);

/* ---- evaluator.c */
/* True if the tree below the node holds for the candidate: terms by the lists of s->terms, filters
 * by the columns of its row. */
bool search_holds(const Search *s, const QueryNode *node, const Candidate *candidate);

/* ---- search-match.c */
/* True if all of the plan's mixed trees hold. */
bool search_holds_mixed(const Search *s, const Candidate *candidate);
