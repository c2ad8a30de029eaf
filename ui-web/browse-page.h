/* SPDX-License-Identifier: GPL-3.0-or-later */
/* browse-page.h - what is around the content of every page: head, search field, links, keys */
#pragma once
#include "ui-web/browse-search.h"

/* Appends to the answer everything before the content, and after it. title: text. */
void browse_page_begin(BrowseWorker *worker, const BrowseSearch *search, const char *title);
void browse_page_end(BrowseWorker *worker);
/* The same for a page that is not a search and has the title as its heading. */
void browse_page_begin_view(BrowseWorker *worker, const char *title);
void browse_page_end_view(BrowseWorker *worker);

/* Appends a paragraph of text. */
void browse_page_append_note(GString *out, const char *class, const char *text);
/* Appends a cell of a table with text. element: "td" or "th", and attributes. */
void browse_page_append_cell(GString *out, const char *element, const char *text);
