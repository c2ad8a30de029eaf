/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-query.h - turns the words and options of "search" into a Query */
#pragma once
#include "index/search/search.h"
#include "ui-cli/app/cli.h"

/* Parses a query like "search" does: dates are relative to now, directories to the current one, and
 * saved searches are known. Of reading, only any, exact and filenames are used. NULL with error. */
Query *search_parse(const Cli *cli, const char *text, const QueryOptions *reading,
        QueryFault *fault, GError **error);
/* Restricts a query to what lies below an absolute directory; NULL: not at all. False with error.
 */
bool search_restrict_to(Query *query, const char *directory, GError **error);
/* A note on each word from this one on that looks like an option, but is none here. */
void search_note_options(const Cli *cli, unsigned first);
/* Builds the query from the command line. NULL: the fault was printed with its position; exit with
 * EXIT_USAGE. */
Query *search_query(Cli *cli);
/* The same later: dates and saved searches are read anew. Words like options get no note again. */
Query *search_query_again(Cli *cli);
/* The same for another text in the place of the words. NULL: it cannot be parsed; nothing is
 * printed.
 */
Query *search_query_instead(Cli *cli, const char *text);
/* Appends the query with carets under the fault: two lines, escaped, correct for wide characters.
 * width: in cells; a longer query is shortened to the part around the fault. 0: no limit. */
void query_fault_append(GString *out, const char *text, const QueryFault *fault, unsigned width);
/* Prints what is wrong with a query, which has the text, on stderr: the message, the query with
 * carets, the hint. */
void search_show_fault(const char *text, const QueryFault *fault, const GError *error);
/* Prints why a file that the query names cannot be used, after resolve_files() failed, and returns
 * the exit code. */
int search_fail_file(const Query *query, const GError *error);
/* The arguments from index first on, separated by spaces. The caller frees it. */
char *search_text(const Cli *cli, unsigned first);
/* Can the text be saved as a search with this name? NULL: is it a query? If not, prints why. */
bool search_text_is_valid(const Cli *cli, const char *text, const char *name);
