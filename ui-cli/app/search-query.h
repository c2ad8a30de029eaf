/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-query.h - words and options of "search" to a Query */
#pragma once
#include "ui-cli/app/cli.h"
#include "index/search/suggest.h"

/* Reads a query as "search" does: dates count from now, directories from here, saved searches are
 * known. reading: any, exact, filenames; the rest of it is not looked at. NULL with error. */
Query *search_parse(const Cli *cli, const char *text, const QueryOptions *reading,
        QueryFault *fault, GError **error);
/* From the words and options. NULL: the fault has been shown with its place, exit with EXIT_USAGE.
 */
Query *search_query(const Cli *cli);
/* Appends the query with carets under the fault: two lines, escaped, right with wide characters.
 * width: cells; of a query that takes more the part around the fault is shown. 0: all of it. */
void query_fault_append(GString *out, const char *text, const QueryFault *fault, unsigned width);
/* The words from the first on with blanks between them. Yours. */
char *search_text(const Cli *cli, unsigned first);
/* Whether a text can be saved as a search of that name; if not, says why. */
bool search_text_is_right(const Cli *cli, const char *text, const char *name);

/* Why nothing is found, a sentence. Yours. */
char *search_missing_line(const Missing *missing);
