/* SPDX-License-Identifier: GPL-3.0-or-later */
/* browse-results.h - the answer to a search as HTML */
#pragma once
#include "ui-web/browse-search.h"

/* Appends everything below the search field: summary, notes, hits with passages, the way to other
 * pages. The script of the page replaces it as a whole. passages: make them, which may convert
 * files for up to 300 ms, and show thumbnails. */
void browse_results_append(
        BrowseWorker *worker, GString *out, const BrowseSearch *search, bool passages);
/* Appends the buttons that open an entry, at a page or line. */
void browse_results_append_open(
        GString *out, const Info *info, ViewerPlace place, const char *query);
/* Appends date, size, author and what is unusual, and where it is. */
void browse_results_append_facts(GString *out, const Info *info);
