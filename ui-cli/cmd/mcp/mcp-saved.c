/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/mcp/mcp-saved.h"
#include "common/base/text.h"
#include "ui-cli/app/saved.h"
#include "ui-cli/app/search-query.h"
#include "ui-cli/cmd/mcp/mcp-answer.h"
#include "ui-cli/print/json-writer.h"
#include <string.h>
#include <unistd.h>

enum { SAVED_SHOWN = 200, SAVED_LISTED = 100, SAVED_ROOM = 50000 };
#define SAVED_URI "tarsier://saved/"

/* ---- names */

char *mcp_saved_name(const char *uri)
{
	if (!g_str_has_prefix(uri, SAVED_URI))
		return NULL;
	char *name = g_uri_unescape_string(uri + strlen(SAVED_URI), "/");
	return name ? name : g_strdup("");
}

void mcp_saved_append_entries(const Cli *cli, GString *out)
{
	g_autoptr(Saved) saved = saved_open(cli->config_file, NULL);
	g_auto(GStrv) names = saved ? saved_names(saved) : NULL;
	for (unsigned i = 0; names && names[i] && i < SAVED_LISTED; i++) {
		g_autofree char *escaped = g_uri_escape_string(names[i], NULL, FALSE);
		g_autofree char *uri = g_strconcat(SAVED_URI, escaped, NULL);
		json_open(out, NULL, '{');
		json_text(out, "uri", uri);
		json_text(out, "name", names[i]);
		json_text(out, "description", "What this saved search finds now");
		json_text(out, "mimeType", "text/plain");
		json_close(out, '}');
	}
}

/* ---- searching */

static Query *mcp_saved_parse(const Cli *cli, const char *name, GError **error)
{
	const QueryOptions reading = {0};
	QueryFault fault = {0};
	g_autoptr(Saved) saved = saved_open(cli->config_file, error);
	g_autofree char *text = saved ? saved_query(saved, name) : NULL;
	if (!text) {
		if (saved)
			g_set_error(error, QUERY_ERROR, 0, "there is no such saved search");
		return NULL;
	}
	g_autoptr(Query) query = search_parse(cli, text, &reading, &fault, error);
	g_free(fault.hint);
	if (!query || !query_names_files(query))
		return g_steal_pointer(&query);
	g_set_error(error, QUERY_ERROR, 0, "a search that names files is not available here");
	return NULL;
}

/* The index is open. */
static SearchResult *mcp_saved_run(
        McpCall *call, const char *name, const SearchOptions *options, GError **error)
{
	Cli *cli = call->session->cli;
	g_autoptr(Query) query = mcp_saved_parse(cli, name, error);
	bool ok = query && mcp_scope_restrict(call->session->scope, cli, query, error);
	return ok ? search_run(cli->reader, query, options, error) : NULL;
}

/* ---- what it finds */

static void mcp_saved_append_line(GString *out, const Info *info)
{
	if (info->document != 0)
		g_string_append_printf(out, "tarsier://%" G_GINT64_FORMAT " ", info->document);
	text_append_escaped(out, info->path, -1);
	if (info->member) {
		g_string_append_c(out, '|');
		text_append_escaped(out, info->member, -1);
	}
	g_string_append_c(out, '\n');
}

static GString *mcp_saved_lines(const SearchResult *result)
{
	GString *list = g_string_new(NULL);
	guint i;
	for (i = 0; i < result->hits->len; i++) {
		size_t length = list->len;
		mcp_saved_append_line(list, &((const Hit *)result->hits->pdata[i])->info);
		if (mcp_cost(list->str, list->len) <= 2 * SAVED_ROOM)
			continue;
		g_string_truncate(list, length);
		break;
	}
	if (result->total > i)
		g_string_append_printf(list, "%s %" G_GUINT64_FORMAT " more\n",
		        result->total_exact ? "and" : "and at most", (guint64)result->total - i);
	return list;
}

GString *mcp_saved_list(McpCall *call, const char *name, char **problem_r)
{
	const SearchOptions options = {
	        .limit = SAVED_SHOWN, .sort = SORT_DATE, .dups = DUPS_SHOW, .uid = geteuid()};
	g_autoptr(GError) error = NULL;
	g_autoptr(SearchResult) result =
	        mcp_call_reader(call, &error) ? mcp_saved_run(call, name, &options, &error) : NULL;
	if (!result)
		*problem_r = error ? cli_error_text(error) : g_strdup("no index");
	return result ? mcp_saved_lines(result) : NULL;
}

char *mcp_saved_digest(McpCall *call, const char *name, bool (*stop)(void *inbox))
{
	const SearchOptions options = {
	        .limit = MCP_SAVED_MATCHES, .sort = SORT_PATH, .dups = DUPS_SHOW, .uid = geteuid()};
	Reader *reader = mcp_call_reader(call, NULL);
	if (!reader)
		return NULL;
	reader_set_stop(reader, stop, call->session->inbox);
	g_autoptr(SearchResult) result = mcp_saved_run(call, name, &options, NULL);
	if (!result)
		return NULL;
	g_autoptr(GChecksum) digest = g_checksum_new(G_CHECKSUM_SHA256);
	for (guint i = 0; i < result->hits->len; i++) {
		const Info *info = &((const Hit *)result->hits->pdata[i])->info;
		const int64_t ids[] = {info->node, info->document};
		g_checksum_update(digest, (const guchar *)ids, sizeof ids);
	}
	return g_strdup(g_checksum_get_string(digest));
}
