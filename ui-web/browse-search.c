/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-web/browse-search.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "index/search/correct.h"
#include "ui-cli/app/choices.h"
#include "ui-cli/app/resolve-files.h"
#include "ui-cli/app/search-query.h"
#include "ui-cli/app/soft-search.h"
#include <string.h>
#include <unistd.h>

enum { COPIES = 256 };

static const char *const sort_names[] = {"relevance", "date", "size", "name", "path"};

const char *browse_sort_name(SortOrder sort)
{
	return sort_names[sort];
}

static SortOrder search_sort(const char *name)
{
	for (unsigned i = 0; i < G_N_ELEMENTS(sort_names); i++)
		if (strcmp(name, sort_names[i]) == 0)
			return i;
	return SORT_RELEVANCE;
}

void browse_search_init(BrowseSearch *search, const BrowseRequest *request)
{
	*search = (BrowseSearch){
	        .text = g_strstrip(g_strdup(browse_field(request, "q"))),
	        .place = browse_field(request, "in"),
	        .sort = search_sort(browse_field(request, "sort")),
	        .soft = browse_has_field(request, "soft"),
	        .typed = browse_has_field(request, "typed"),
	        .explain = browse_has_field(request, "explain"),
	        .page = MAX(browse_number(request, "p", 1, BROWSE_PAGES), 1),
	};
}

void browse_search_clear(BrowseSearch *search)
{
	live_clear(&search->live);
	g_free(search->text);
	g_free(search->scope);
	g_free(search->fault);
	g_free(search->hint);
	g_free(search->caret);
	g_free(search->suggestion);
}

bool browse_search_is_empty(const BrowseSearch *search)
{
	return *search->text == '\0' && *search->place == '\0';
}

/* ---- the query */

static bool search_find_scope(BrowseSearch *search)
{
	if (*search->place == '\0')
		return true;
	search->scope = paths_expand(search->place);
	if (!search->scope)
		search->fault =
		        g_strdup_printf(_("The place must be an absolute path: %s"), search->place);
	search->live.scope = search->scope;
	return search->scope != NULL;
}

Query *browse_search_parse(const BrowseSearch *search, BrowseWorker *worker, const char *text)
{
	const QueryOptions as_is = {0};
	QueryFault fault = {0};
	g_autoptr(Query) query = search_parse(worker->cli, text, &as_is, &fault, NULL);
	g_free(fault.hint);
	return query && search_restrict_to(query, search->scope, NULL) ? g_steal_pointer(&query)
	                                                               : NULL;
}

/* NULL with the fault. */
static Query *search_parse_submitted(BrowseSearch *search, BrowseWorker *worker)
{
	const QueryOptions as_is = {0};
	QueryFault fault = {0};
	g_autoptr(GError) error = NULL;
	g_autoptr(Query) query =
	        *search->text ? search_parse(worker->cli, search->text, &as_is, &fault, &error)
	                      : query_all();
	if (query && search_restrict_to(query, search->scope, &error))
		return g_steal_pointer(&query);
	search->fault = g_strdup(error->message);
	search->hint = fault.hint;
	if (!query) {
		g_autoptr(GString) caret = g_string_new(NULL);
		query_fault_append(caret, search->text, &fault, 0);
		search->caret = g_string_free(g_steal_pointer(&caret), FALSE);
	}
	return NULL;
}

/* ---- the answer */

static SearchOptions search_options(const BrowseSearch *search)
{
	return (SearchOptions){
	        .limit = BROWSE_HITS,
	        .offset = (search->page - 1) * BROWSE_HITS,
	        .sort = search->sort,
	        .copies = COPIES,
	        .by_words = search->soft,
	        .uid = geteuid(),
	};
}

/* A query that asks too much is a fault like one that cannot be parsed; else the index is. */
static bool search_take_error(BrowseSearch *search, GError *local, GError **error)
{
	if (local->domain == INDEX_ERROR && local->code != INDEX_ERROR_BUSY) {
		g_propagate_error(error, local);
		return false;
	}
	search->fault = g_strdup(local->message);
	g_error_free(local);
	return true;
}

static bool search_run_submitted(BrowseSearch *search, BrowseWorker *worker, GError **error)
{
	Live *live = &search->live;
	Cli *cli = worker->cli;
	SearchOptions options = search_options(search);
	g_autoptr(GArray) choices = choices_for(cli, search->text);
	g_autoptr(GError) local = NULL;
	live->query = search_parse_submitted(search, worker);
	if (!live->query)
		return true;
	options.choices = choices;
	if (resolve_files(cli, live->query, &local))
		live->result = search_run(cli->reader, live->query, &options, &local);
	if (live->result && search->soft)
		soft_search_append(cli->reader, live->query, &options, live->result, &local);
	if (!local)
		return true;
	live_clear(live);
	return search_take_error(search, g_steal_pointer(&local), error);
}

static bool search_run_typed(BrowseSearch *search, BrowseWorker *worker, GError **error)
{
	search->live.hits_only = true;
	if (!live_search(&search->live, worker->cli, search->text, BROWSE_HITS)) {
		g_set_error(error, INDEX_ERROR, INDEX_ERROR_STOPPED, "superseded");
		return false;
	}
	search->fault = g_steal_pointer(&search->live.fault);
	return true;
}

typedef struct {
	const BrowseSearch *search;
	BrowseWorker *worker;
} SearchCorrection;

static Query *search_parse_corrected(const char *text, void *data)
{
	const SearchCorrection *correction = data;
	g_autoptr(Query) query = browse_search_parse(correction->search, correction->worker, text);
	return query && !query_names_files(query) ? g_steal_pointer(&query) : NULL;
}

static void search_correct(BrowseSearch *search, BrowseWorker *worker)
{
	const SearchResult *result = search->live.result;
	SearchCorrection correction = {search, worker};
	SearchOptions options = search_options(search);
	if (!result || search->page != 1 || (search->typed && result->total > 0))
		return;
	g_autoptr(Query) typed = search_parse_corrected(search->text, &correction);
	const CorrectionRequest request = {search_parse_corrected, &correction, &options,
	        result->total - result->partial, NULL};
	if (typed)
		reader_correct(worker->cli->reader, search->live.query, &request,
		        &search->suggestion, NULL);
}

bool browse_search_run(BrowseSearch *search, BrowseWorker *worker, GError **error)
{
	int64_t begin_us = g_get_monotonic_time();
	if (!browse_reader(worker, error))
		return false;
	if (browse_search_is_empty(search) || !search_find_scope(search))
		return true;
	bool typed = search->typed && *search->text && search->sort == SORT_RELEVANCE;
	bool ok = typed ? search_run_typed(search, worker, error)
	                : search_run_submitted(search, worker, error);
	if (ok)
		search_correct(search, worker);
	search->ms = (g_get_monotonic_time() - begin_us) / 1000.0;
	return ok;
}
