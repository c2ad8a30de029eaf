/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/spelling-hint.h"
#include "ui-cli/app/search-query.h"
#include "index/search/correct.h"
#include "ui-cli/app/shell-text.h"
#include "common/base/i18n.h"

/* A query that names files is not corrected: they would be read or converted again for a hint. */
static Query *parse_corrected(const char *text, void *cli)
{
	g_autoptr(Query) query = search_query_instead(cli, text);
	return query && !query_names_files(query) ? g_steal_pointer(&query) : NULL;
}

/* A misspelt option was read as a part of the query, and a note says which one is near. */
static bool spelling_hint_is_option(const char *text)
{
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	for (char **word = words; *word; word++)
		if (g_str_has_prefix(*word, "--") && g_ascii_isalpha((*word)[2]))
			return true;
	return false;
}

char *spelling_hint(Cli *cli, const Query *query, const SearchOptions *options, uint64_t total,
        GPtrArray *others)
{
	const CorrectionRequest request = {parse_corrected, cli, options, total, others};
	char *corrected = NULL;
	/* In the query that was run, words stand for a thread. */
	g_autoptr(Query) typed = parse_corrected(query->text, cli);
	if (!typed || spelling_hint_is_option(query->text))
		return NULL;
	reader_correct(cli->reader, query, &request, &corrected, NULL);
	return corrected;
}

char *spelling_hint_line(const char *corrected, bool shell)
{
	g_autofree char *typed = shell ? shell_words(corrected) : g_strdup(corrected);
	const char *end = shell && corrected[0] == '-' ? "-- " : "";
	return g_strdup_printf(_("Did you mean: %s%s"), end, typed);
}
