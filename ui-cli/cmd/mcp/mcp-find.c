/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp-find.c - the tools that find documents: search and similar */
#include <config.h>
#include "common/base/text.h"
#include "ui-cli/app/gaps.h"
#include "ui-cli/app/resolve-files.h"
#include "ui-cli/app/search-query.h"
#include "ui-cli/app/similar-hits.h"
#include "ui-cli/app/snippets.h"
#include "ui-cli/app/soft-search.h"
#include "ui-cli/cmd/mcp/mcp-answer.h"
#include "ui-cli/cmd/mcp/mcp-arguments.h"
#include "ui-cli/cmd/mcp/mcp-target.h"
#include "ui-cli/cmd/mcp/mcp-tools.h"
#include "ui-cli/print/json-writer.h"
#include "index/search/correct.h"
#include <string.h>
#include <unistd.h>

enum {
	LIMIT = 10,
	COPIES = 5,
	COPY_BYTES = 800,
	SNIPPETS = 2,
	SNIPPET_CHARS = 240,
	HEADING_BYTES = 400,
	SNIPPETS_MS = 300
};
enum { TAIL_COST = 6000 }; /* what stands after the hits */

/* Hits while they are written. */
typedef struct {
	GString *object;
	const SearchResult *result;
	Snippets *snippets; /* NULL: none are shown */
	unsigned first; /* rank of the first hit */
} HitList;

/* ---- hits */

static void mcp_find_append_copies(GString *out, const Hit *hit)
{
	unsigned shown = 0;
	bool more = hit->copies_cut;
	json_open(out, "copies", '[');
	for (guint i = 0; hit->copies && i < hit->copies->len; i++) {
		g_autoptr(GString) path = g_string_new(NULL);
		text_append_escaped(path, hit->copies->pdata[i], -1);
		if (shown == COPIES || path->len > COPY_BYTES) {
			more = true;
			continue;
		}
		json_text(out, NULL, path->str);
		shown++;
	}
	json_close(out, ']');
	if (more)
		json_bool(out, "more_copies", true);
}

static void mcp_find_append_snippet(GString *out, const Snippet *snippet)
{
	json_open(out, NULL, '{');
	json_text(out, "field", snippet->field);
	if (snippet->page > 0)
		json_unsigned(out, "page", snippet->page);
	if (snippet->line > 0)
		json_unsigned(out, "line", snippet->line);
	mcp_append_text(out, "heading", snippet->heading, HEADING_BYTES);
	mcp_append_text(out, "text", snippet->text, SNIPPET_CHARS * 6);
	json_close(out, '}');
}

static void mcp_find_append_snippets(GString *out, const GPtrArray *snippets)
{
	const Snippet *first = snippets && snippets->len > 0 ? snippets->pdata[0] : NULL;
	if (first && first->page > 0)
		json_unsigned(out, "page", first->page);
	json_open(out, "snippets", '[');
	for (guint i = 0; snippets && i < snippets->len; i++)
		mcp_find_append_snippet(out, snippets->pdata[i]);
	json_close(out, ']');
}

static void mcp_find_append_hit(HitList *list, GString *out, guint i)
{
	const Hit *hit = list->result->hits->pdata[i];
	json_open(out, NULL, '{');
	json_unsigned(out, "rank", list->first + i);
	mcp_append_place(out, &hit->info);
	mcp_append_facts(out, &hit->info);
	if (hit->distance >= 0) {
		json_double(out, "similarity", hit->similarity);
	} else {
		json_double(out, "score", hit->score);
		mcp_find_append_snippets(
		        out, list->snippets ? snippets_of(list->snippets, i) : NULL);
		mcp_find_append_copies(out, hit);
	}
	json_close(out, '}');
}

/* Appends "hits" from the first one on, as many as fit. Returns the number of those that are
 * done. */
static guint mcp_find_append_hits(HitList *list, guint first)
{
	const GPtrArray *hits = list->result->hits;
	size_t cost = mcp_cost(list->object->str, list->object->len) + TAIL_COST;
	guint i;
	json_open(list->object, "hits", '[');
	for (i = first; i < hits->len; i++) {
		g_autoptr(GString) one = g_string_new("[");
		mcp_find_append_hit(list, one, i);
		cost += mcp_cost(one->str, one->len);
		if (cost > MCP_OBJECT_COST && i > first)
			break;
		if (i > first)
			g_string_append_c(list->object, ',');
		g_string_append(list->object, one->str + 1);
	}
	json_close(list->object, ']');
	return i - first;
}

/* ---- queries */

/* Words without a sign that the query language could read. */
static char *mcp_find_plain_words(const char *text)
{
	g_autofree char *folded = g_utf8_strdown(text, -1);
	GString *words = g_string_new(NULL);
	for (const char *p = folded; *p; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char(p);
		bool sign = (c == '+' || c == '#') && words->len > 0 &&
		            words->str[words->len - 1] != ' ';
		bool word = sign || g_unichar_isalnum(c) || g_unichar_ismark(c) || c == '_';
		g_string_append_unichar(words, word ? c : ' ');
	}
	return g_string_free(words, FALSE);
}

/* "no word is here: DATE:5 ... ^", with the place of the fault. */
static char *mcp_find_fault(const char *text, const QueryFault *fault, const GError *error)
{
	size_t length = strlen(text), at = MIN(fault->position, length);
	g_autofree char *piece = g_strndup(text + at, MIN(fault->length, length - at));
	GString *problem = g_string_new(error->message);
	if (*piece)
		g_string_append_printf(problem, " (at \"%s\", byte %zu)", piece, at);
	g_string_append_c(problem, '.');
	if (fault->hint)
		g_string_append_printf(problem, " %s", fault->hint);
	g_string_append(problem, " Set plain to search for the words as they are.");
	return g_string_free(problem, FALSE);
}

static Query *mcp_find_parse(
        McpCall *call, const json_t *arguments, const char *text, char **problem_r)
{
	const QueryOptions reading = {.any = mcp_argument_flag(arguments, "any")};
	QueryFault fault = {0};
	g_autoptr(GError) error = NULL;
	g_autoptr(Query) query = search_parse(call->session->cli, text, &reading, &fault, &error);
	if (!query)
		*problem_r = mcp_find_fault(text, &fault, error);
	else if (query_names_files(query))
		*problem_r = g_strdup("near:, related:, dup: and thread: are not available "
		                      "here; use the tool similar.");
	g_free(fault.hint);
	return query && !*problem_r ? g_steal_pointer(&query) : NULL;
}

static SearchOptions mcp_find_options(McpCall *call, const json_t *arguments)
{
	static const char *const names[] = {"relevance", "date", "size", "name", "path", NULL};
	const char *sort = mcp_argument_text(arguments, "sort");
	SearchOptions options = {
	        .limit = mcp_argument_number(arguments, "limit", LIMIT),
	        .offset = mcp_argument_number(arguments, "offset", 0),
	        .dups = mcp_scope_has_filter(call->session->scope) ? DUPS_SHOW : DUPS_COLLAPSE,
	        .copies = 64,
	        .no_meaning = cli_leaves_out_meaning(call->session->cli),
	        .uid = geteuid(),
	};
	while (sort && names[options.sort + 1] && strcmp(names[options.sort], sort) != 0)
		options.sort++;
	return options;
}

static Query *mcp_find_corrected(const char *text, void *cli)
{
	const QueryOptions reading = {0};
	QueryFault fault = {0};
	g_autoptr(Query) query = search_parse(cli, text, &reading, &fault, NULL);
	g_free(fault.hint);
	return query && !query_names_files(query) ? g_steal_pointer(&query) : NULL;
}

/* A suggestion could name words of documents outside of the scope. */
static char *mcp_find_suggestion(
        McpCall *call, const Query *query, const SearchOptions *options, uint64_t total)
{
	const McpSession *session = call->session;
	const CorrectionRequest request = {mcp_find_corrected, session->cli, options, total, NULL};
	char *corrected = NULL;
	if (options->offset > 0 || mcp_scope_has_roots(session->scope) ||
	        mcp_scope_has_filter(session->scope))
		return NULL;
	reader_correct(session->cli->reader, query, &request, &corrected, NULL);
	return corrected;
}

/* ---- search */

static void mcp_find_append_completeness(GString *out, const SearchResult *result)
{
	g_autofree char *gaps = gaps_text(result);
	json_open(out, "completeness", '{');
	json_bool(out, "complete", gaps == NULL);
	json_unsigned(out, "pending", result->pending);
	json_unsigned(out, "failed", result->failed);
	json_unsigned(out, "offline", result->offline);
	json_unsigned(out, "truncated", result->truncated);
	if (gaps)
		json_text(out, "note", gaps);
	json_close(out, '}');
}

static void mcp_find_append_notes(GString *out, char *const *notes)
{
	if (!notes || !*notes)
		return;
	json_open(out, "notes", '[');
	for (unsigned i = 0; notes[i] && i < 5; i++)
		mcp_append_text(out, NULL, notes[i], 300);
	json_close(out, ']');
}

static void mcp_find_append_result(McpCall *call, GString *object, const Query *query,
        const SearchOptions *options, const SearchResult *result)
{
	const SnippetLimits limits = {SNIPPETS, SNIPPET_CHARS, SNIPPETS_MS};
	g_autoptr(Snippets) snippets = snippets_new(call->session->cli, result, query, &limits);
	HitList list = {object, result, snippets, options->offset + 1};

	mcp_append_text(object, "query", query->text, 1000);
	json_unsigned(object, "total", result->total);
	json_bool(object, "total_exact", result->total_exact);
	guint done = mcp_find_append_hits(&list, 0);
	if (done > 0 && options->offset + done < result->total)
		json_unsigned(object, "next_offset", options->offset + done);
	mcp_find_append_completeness(object, result);
	if (result->partial > 0)
		json_unsigned(object, "partial_hits", result->partial);
	g_autofree char *suggestion =
	        mcp_find_suggestion(call, query, options, result->total - result->partial);
	mcp_append_text(object, "suggestion", suggestion, 500);
	mcp_find_append_notes(object, query->notes);
}

bool mcp_search(McpCall *call, const json_t *arguments, GString *object, char **problem_r)
{
	const char *typed = mcp_argument_text(arguments, "query");
	Cli *cli = call->session->cli;
	SearchOptions options = mcp_find_options(call, arguments);
	bool partial = mcp_argument_flag(arguments, "partial");
	g_autofree char *text = mcp_argument_flag(arguments, "plain") ? mcp_find_plain_words(typed)
	                                                              : g_strdup(typed);
	g_autoptr(GError) error = NULL;
	g_autoptr(SearchResult) result = NULL;

	if (partial && options.sort != SORT_RELEVANCE) {
		*problem_r = g_strdup("partial requires the order by relevance.");
		return false;
	}
	if (!mcp_call_reader(call, &error))
		return mcp_fail_tool(problem_r, error);
	g_autoptr(Query) query = mcp_find_parse(call, arguments, text, problem_r);
	if (!query)
		return false;
	if (!mcp_scope_restrict(call->session->scope, cli, query, &error) ||
	        !(result = search_run(cli->reader, query, &options, &error)) ||
	        (partial && !soft_search_append(cli->reader, query, &options, result, &error)))
		return mcp_fail_tool(problem_r, error);
	mcp_find_append_result(call, object, query, &options, result);
	return true;
}

/* ---- similar */

static char *mcp_find_sum(Cli *cli, const Info *info, GError **error)
{
	/* The checksum that the index has of a member is that of its file. */
	if (info->member)
		return resolve_files_sum(cli, info->path, info->member, error);
	g_autoptr(GString) sum = g_string_new(NULL);
	text_append_hex(sum, info->checksum, CHECKSUM_BYTES);
	return g_string_free(g_steal_pointer(&sum), FALSE);
}

/* For a text with too few words: the files with the same bytes. */
static Query *mcp_find_equal(Cli *cli, const Info *info, GError **error)
{
	g_autoptr(Query) query = query_all();
	g_autoptr(GPtrArray) values = g_ptr_array_new();
	const QueryOptions options = {.cwd = "/"};
	g_autofree char *sum = mcp_find_sum(cli, info, error);
	g_ptr_array_add(values, sum);
	return sum && query_restrict(query, "sum", values, &options, error)
	               ? g_steal_pointer(&query)
	               : NULL;
}

bool mcp_similar(McpCall *call, const json_t *arguments, GString *object, char **problem_r)
{
	unsigned limit = mcp_argument_number(arguments, "limit", LIMIT);
	unsigned offset = mcp_argument_number(arguments, "offset", 0), most = offset + limit + 1;
	const SearchOptions options = {
	        .limit = most + SIMILAR_NAMES, .dups = DUPS_SHOW, .uid = geteuid()};
	Cli *cli = call->session->cli;
	g_autofree char *name = mcp_target_name(json_object_get(arguments, "document"));
	g_autoptr(Info) info = mcp_target(call, name, problem_r);
	g_autoptr(GError) error = NULL;

	if (!info)
		return false;
	if (!info->has_near && !info->has_checksum) {
		*problem_r = g_strdup("It has no text that could be compared.");
		return false;
	}
	g_autoptr(Query) query =
	        info->has_near ? query_near(&info->near, -1) : mcp_find_equal(cli, info, &error);
	g_autoptr(SearchResult) result = NULL;
	if (!query || !mcp_scope_restrict(call->session->scope, cli, query, &error) ||
	        !(result = search_run(cli->reader, query, &options, &error)))
		return mcp_fail_tool(problem_r, error);
	similar_drop_itself(result, info->inode, info->member, most);
	bool more = result->hits->len == most;
	if (more)
		g_ptr_array_set_size(result->hits, most - 1);
	HitList list = {object, result, NULL, 1};
	json_bool(object, "equal_only", !info->has_near);
	guint done = offset < result->hits->len ? mcp_find_append_hits(&list, offset) : 0;
	if (offset >= result->hits->len)
		g_string_append(object, ",\"hits\":[]");
	if (done > 0 && (more || offset + done < result->hits->len))
		json_unsigned(object, "next_offset", offset + done);
	return true;
}
