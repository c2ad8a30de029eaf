/* SPDX-License-Identifier: GPL-3.0-or-later */
/* browse-search.h - the search that a request asks for
 *
 * Fields: q (the query), in (a directory), sort, p (page, from 1), soft, typed (it is still being
 * typed: the last word is also a prefix), explain. */
#pragma once
#include "ui-cli/app/live.h"
#include "ui-web/browse-worker.h"

enum { BROWSE_HITS = 20, BROWSE_PAGES = 500 };

typedef struct {
	/* the question */
	char *text; /* without white space at its ends */
	const char *place; /* as typed; borrowed from the request */
	SortOrder sort;
	bool soft, typed, explain;
	unsigned page; /* from 1 */
	char *scope; /* the directory as an absolute path; NULL: everywhere */
	/* the answer */
	Live live; /* query and result; both NULL if there is nothing to search for, or a fault */
	char *fault, *hint; /* what is wrong with the query; may be NULL */
	char *caret; /* the query with carets under the fault, two lines; may be NULL */
	char *suggestion; /* a corrected query; may be NULL */
	double ms;
} BrowseSearch;

/* Reads the question. The request must outlive it. */
void browse_search_init(BrowseSearch *search, const BrowseRequest *request);
void browse_search_clear(BrowseSearch *search);
/* Is there something to search for? */
bool browse_search_is_empty(const BrowseSearch *search);
/* Answers it. False with error: the index cannot be searched, or nobody waits any more. */
bool browse_search_run(BrowseSearch *search, BrowseWorker *worker, GError **error);
/* Parses the text again as the search did, within its scope. NULL: it cannot be parsed. */
Query *browse_search_parse(const BrowseSearch *search, BrowseWorker *worker, const char *text);
/* The name of the order in a URL. Static. */
const char *browse_sort_name(SortOrder sort);
