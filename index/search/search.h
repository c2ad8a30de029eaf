/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search.h - a query is answered with hits in their order */
#pragma once
#include "index/query/query.h"
#include "index/read/reader.h"

typedef enum { SORT_RELEVANCE, SORT_DATE, SORT_SIZE, SORT_NAME, SORT_PATH, SORT_NEAREST } SortOrder;
typedef enum { DUPS_COLLAPSE, DUPS_SHOW, DUPS_ONLY } DupsMode;

typedef struct {
	unsigned limit, offset;
	SortOrder sort;
	bool reverse;
	DupsMode dups;
	unsigned copies; /* paths of copies of one hit, at most; 0: as many as of all hits together,
	                    10,000 */
	bool near_separate; /* only equal documents are shown as one, near copies each for itself */
	bool by_words; /* by relevance: first the hits that match more of the words */
	bool count; /* total must be exact; else it may count what a page did not have to ask for */
	uint32_t uid; /* asking user: unreadable hits are left out */
} SearchOptions;

typedef struct {
	Info info;
	double score;
	unsigned words_matched; /* with by_words: words and phrases of the query that it has */
	int distance; /* with SORT_NEAREST: bits of the simhash that differ; else -1 */
	double similarity; /* with it: Jaccard coefficient as the sketches say */
	GPtrArray *copies; /* char *: other paths (with "|member") of equal content, and of near
	                      copies that meet the query too and would come later; sorted;
	                      empty with DUPS_SHOW */
	bool copies_cut; /* there are more */
} Hit;
void hit_free(Hit *hit);

typedef struct {
	GPtrArray *hits; /* Hit */
	uint64_t total;
	bool total_exact; /* false: there are total at most */
	uint64_t partial; /* of total: hits that match only some of the words; the last ones */
	uint64_t pending, failed, offline,
	        truncated; /* in the searched scope: what the answer may lack */
	double ms;
} SearchResult;
void search_result_free(SearchResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SearchResult, search_result_free)

/* Existence, identity and permission (file and parents) of each hit are checked against the file
 * system before it is handed out. Breach of QUERY_MAX_MS is INDEX_ERROR_BUSY, never a cut result.
 * Fills the forms of the query's words. */
SearchResult *search_run(Reader *r, Query *query, const SearchOptions *options, GError **error);
/* What SQLite and FTS5 are asked, for --explain. Yours. */
char *search_explain(Reader *r, Query *query, const SearchOptions *options, GError **error);
