/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/meaning-search.h"
#include "common/base/i18n.h"

bool meaning_search_fits(const Cli *cli)
{
	if (!options_has(cli->args, "meaning"))
		return true;
	bool relevance = options_choice(cli->args, "sort", SORT_RELEVANCE) == SORT_RELEVANCE;
	if (!relevance)
		cli_say(_("--meaning requires the order by relevance"));
	return relevance;
}

static bool meaning_search_run(
        Cli *cli, Query *other, const SearchOptions *options, SearchResult *result, GError **error)
{
	SearchOptions rest = search_rest_of_page(options, result);
	rest.sort = SORT_NEAREST;
	g_autoptr(SearchResult) found = search_run(cli->reader, other, &rest, error);
	if (!found)
		return false;
	for (guint i = 0; i < found->hits->len; i++)
		((Hit *)found->hits->pdata[i])->by_meaning = true;
	search_result_append(result, found);
	result->by_meaning = found->total;
	return true;
}

static void meaning_search_note(const Cli *cli, const SearchResult *result, SubjectState state)
{
	if (state == SUBJECT_UNLEARNED)
		cli_note(cli,
		        _("--meaning finds nothing yet: the index learns subjects when it has %d "
		          "documents with text and the service has nothing else to do; \"tarsier "
		          "compact\" does it now."),
		        MEANING_LEAST_DOCUMENTS);
	else if (result->by_meaning == 0)
		cli_note(cli, _("Nothing more is about the subject of these words, as far as the "
		                "index knows it."));
	else
		cli_note(cli,
		        ngettext("%lu hit was found by meaning: it does not have all the words.",
		                "%lu hits were found by meaning: they do not have all the words.",
		                result->by_meaning),
		        (unsigned long)result->by_meaning);
}

bool meaning_search(Cli *cli, const Query *query, const SearchOptions *options,
        SearchResult *result, GError **error)
{
	SubjectState state;
	if (!options_has(cli->args, "meaning"))
		return true;
	g_autoptr(Query) other = query_by_meaning(query);
	if (!other) {
		cli_note(cli, _("--meaning needs words: names and patterns have no subject."));
		return true;
	}
	if (!search_knows_subject(cli->reader, 0, NULL, &state, error) ||
	        (state != SUBJECT_UNLEARNED &&
	                !meaning_search_run(cli, other, options, result, error)))
		return false;
	meaning_search_note(cli, result, state);
	return true;
}
