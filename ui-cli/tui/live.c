/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/tui/live.h"
#include "index/search/suggest.h"
#include "ui-cli/app/resolve-files.h"
#include "ui-cli/app/search-query.h"
#include "common/base/i18n.h"
#include <string.h>
#include <unistd.h>

enum { OPEN_CHARS = 3, PASSAGES = 3, PASSAGE_CHARS = 400, PASSAGE_MS = 250 };

/* ---- the last word */

static bool live_is_plain(const char *word)
{
	for (const char *p = word; *p; p = g_utf8_next_char(p)) {
		if (!g_unichar_isalnum(g_utf8_get_char(p)))
			return false;
	}
	return true;
}

/* Does the text before give the next word a meaning? "a OR b*" is fine like "a", but "NOT a OR b*"
 * means something else. */
static bool live_keeps_meaning(const char *word)
{
	return strcmp(word, "NOT") == 0 || g_str_has_prefix(word, "NEAR") ||
	       g_str_has_prefix(word, "ADJ");
}

static bool quotes_are_open(const char *text)
{
	bool open = false;
	for (; *text; text++)
		open ^= *text == '"';
	return open;
}

char *live_open_ended(const char *text)
{
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	guint n = g_strv_length(words);
	const char *last = n > 0 ? words[n - 1] : "";

	if (g_utf8_strlen(last, -1) < OPEN_CHARS || !live_is_plain(last) || quotes_are_open(text) ||
	        strcmp(last, "AND") == 0 || live_keeps_meaning(last) ||
	        (n > 1 && live_keeps_meaning(words[n - 2])))
		return NULL;
	return g_strdup_printf("%s OR %s*", text, last);
}

/* ---- searching */

/* True with an answer, false with error. */
static bool live_search_index(
        Live *live, Cli *cli, const char *text, QueryFault *fault, GError **error)
{
	const SearchOptions options = {.limit = LIVE_HITS, .copies = LIVE_HITS, .uid = geteuid()};
	const QueryOptions as_is = {0};
	g_autoptr(Query) query = search_parse(cli, text, &as_is, fault, error);
	if (!query || !resolve_files(cli, query, error))
		return false;
	SearchResult *result = search_run(cli->reader, query, &options, error);
	if (!result)
		return false;
	g_clear_pointer(&live->result, search_result_free);
	g_clear_pointer(&live->query, query_free);
	live->result = result;
	live->query = g_steal_pointer(&query);
	return true;
}

static char *help_for(Cli *cli, const Query *query)
{
	g_autoptr(GPtrArray) missing = NULL;
	const Missing *first = NULL;
	if (!reader_missing(cli->reader, query, &missing, NULL))
		return NULL;
	for (guint i = 0; i < missing->len && !(first && first->better); i++)
		first = missing->pdata[i];
	return first ? search_missing_line(first) : NULL;
}

static char *fault_line(const GError *error, const QueryFault *fault)
{
	if (!fault->hint)
		return g_strdup(error->message);
	return g_strdup_printf("%s. %s", error->message, fault->hint);
}

void live_search(Live *live, Cli *cli, const char *text)
{
	g_autofree char *stripped = g_strstrip(g_strdup(text));
	g_autofree char *open = g_str_has_suffix(text, " ") ? NULL : live_open_ended(text);
	g_autoptr(GError) error = NULL;
	QueryFault fault = {0};

	int64_t begin_us = g_get_monotonic_time();
	cli_forget(cli);
	g_clear_pointer(&live->fault, g_free);
	g_clear_pointer(&live->help, g_free);
	if (!*stripped) {
		live_clear(live);
		return;
	}
	bool good = open && live_search_index(live, cli, open, &fault, NULL);
	g_clear_pointer(&fault.hint, g_free);
	if (!good && !live_search_index(live, cli, stripped, &fault, &error))
		live->fault = fault_line(error, &fault);
	else if (live->result->hits->len == 0)
		live->help = help_for(cli, live->query);
	live->ms = (g_get_monotonic_time() - begin_us) / 1000.0;
	g_free(fault.hint);
}

void live_clear(Live *live)
{
	g_clear_pointer(&live->result, search_result_free);
	g_clear_pointer(&live->query, query_free);
	g_clear_pointer(&live->fault, g_free);
	g_clear_pointer(&live->help, g_free);
}

GPtrArray *live_passages(const Live *live, Cli *cli, guint hit)
{
	const SnippetLimits limits = {PASSAGES, PASSAGE_CHARS, PASSAGE_MS};
	g_autoptr(GPtrArray) hits = g_ptr_array_new();
	const SearchResult one = {.hits = hits};

	g_ptr_array_add(hits, live->result->hits->pdata[hit]);
	g_autoptr(Snippets) snippets = snippets_new(cli, &one, live->query, &limits);
	const GPtrArray *found = snippets_of(snippets, 0);
	return found ? g_ptr_array_ref((GPtrArray *)found) : NULL;
}
