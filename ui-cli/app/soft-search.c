/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/soft-search.h"
#include "ui-cli/app/search-query.h"
#include "common/base/i18n.h"
#include <string.h>

/* A search with fewer hits than this suggests partial matches. */
enum { FEW = 3 };

static void note_partial(const Cli *cli, const SearchResult *result)
{
	uint64_t whole = result->total - result->partial;
	g_autofree char *some =
	        g_strdup_printf(ngettext("%lu more contains only some of them.",
	                                "%lu more contain only some of them.", result->partial),
	                (unsigned long)result->partial);
	if (whole == 0)
		cli_note(cli, _("No document contains all words. %s"), some);
	else
		cli_note(cli,
		        ngettext("%lu hit contains all words. %s", "%lu hits contain all words. %s",
		                whole),
		        (unsigned long)whole, some);
}

bool soft_search_append(Reader *reader, const Query *query, const SearchOptions *options,
        SearchResult *result, GError **error)
{
	bool full = result->hits->len >= options->limit;
	g_autoptr(Query) soft = full ? NULL : query_soften(query);
	if (!soft)
		return true;
	SearchOptions rest = search_rest_of_page(options, result);
	rest.by_words = true;
	g_autoptr(SearchResult) partial = search_run(reader, soft, &rest, error);
	if (!partial)
		return false;
	search_result_append(result, partial);
	result->partial = partial->total;
	return true;
}

/* Does a document have the words of the query as they were typed, one after the other? */
static bool soft_search_finds_phrase(Cli *cli, const Query *query, const SearchOptions *options)
{
	g_autofree char *text = g_strdup_printf("\"%s\"", query->text);
	SearchOptions one = *options;
	one.limit = 1;
	g_autoptr(Query) phrase = strchr(query->text, '"') ? NULL : search_query_instead(cli, text);
	g_autoptr(SearchResult) result =
	        phrase ? search_run(cli->reader, phrase, &one, NULL) : NULL;
	return result && result->hits->len > 0;
}

bool soft_search(Cli *cli, const Query *query, const SearchOptions *options, SearchResult *result,
        GError **error)
{
	bool asked = options_has(cli->args, "soft");

	if (!asked && result->total > 0 && result->total < FEW && options->offset == 0 &&
	        cli->out.terminal && query_has_words_together(query) &&
	        !soft_search_finds_phrase(cli, query, options))
		cli_note(cli,
		        _("Few documents contain all words; --soft also shows partial matches."));
	if (!asked)
		return true;
	if (!soft_search_append(cli->reader, query, options, result, error))
		return false;
	if (result->partial > 0)
		note_partial(cli, result);
	return true;
}
