/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/mcp/mcp-scope.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "index/search/search.h"
#include "ui-cli/app/search-query.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct McpScope {
	GPtrArray *roots; /* char *: as given, and with symbolic links resolved; empty: no limit */
	const char *filter; /* NULL: none */
};

void mcp_scope_free(McpScope *scope)
{
	if (!scope)
		return;
	g_ptr_array_unref(scope->roots);
	g_free(scope);
}

bool mcp_scope_has_roots(const McpScope *scope)
{
	return scope->roots->len > 0;
}

bool mcp_scope_has_filter(const McpScope *scope)
{
	return scope->filter != NULL;
}

static bool mcp_scope_add_root(McpScope *scope, const char *dir, GError **error)
{
	g_autofree char *absolute = paths_absolute(dir);
	char *real = *dir ? realpath(absolute, NULL) : NULL;
	if (!real || !g_file_test(real, G_FILE_TEST_IS_DIR)) {
		free(real);
		g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
		        _("--root: %s is not a directory"), *dir ? dir : "\"\"");
		return false;
	}
	if (strcmp(absolute, real) != 0)
		g_ptr_array_add(scope->roots, g_strdup(real));
	free(real);
	g_ptr_array_add(scope->roots, g_steal_pointer(&absolute));
	return true;
}

/* A fresh query for each use: dates are relative to now. */
static Query *mcp_scope_filter(const McpScope *scope, const Cli *cli, GError **error)
{
	const QueryOptions reading = {0};
	QueryFault fault = {0};
	g_autoptr(Query) query = search_parse(cli, scope->filter, &reading, &fault, error);
	g_free(fault.hint);
	if (!query)
		g_prefix_error(error, "--filter: ");
	else if (!query_names_files(query))
		return g_steal_pointer(&query);
	else
		g_set_error(error, QUERY_ERROR, 0, _("--filter: a filter may not name files"));
	return NULL;
}

McpScope *mcp_scope_new(Cli *cli, GError **error)
{
	g_autoptr(McpScope) scope = g_new0(McpScope, 1);
	g_autoptr(GPtrArray) dirs = options_values(cli->args, "root");
	scope->roots = g_ptr_array_new_with_free_func(g_free);
	scope->filter = options_value(cli->args, "filter");
	for (guint i = 0; i < dirs->len; i++)
		if (!mcp_scope_add_root(scope, dirs->pdata[i], error))
			return NULL;
	g_autoptr(Query) filter = scope->filter ? mcp_scope_filter(scope, cli, error) : NULL;
	return filter || !scope->filter ? g_steal_pointer(&scope) : NULL;
}

bool mcp_scope_restrict(const McpScope *scope, Cli *cli, Query *query, GError **error)
{
	const QueryOptions options = {.cwd = "/"};
	if (!query_restrict(query, "dir", scope->roots, &options, error))
		return false;
	Query *filter = scope->filter ? mcp_scope_filter(scope, cli, error) : NULL;
	return filter ? query_restrict_by(query, filter, error) : !scope->filter;
}

/* ---- paths */

/* The longest of the directories that hold the path, or the one so far. */
static const char *mcp_scope_longest(const GPtrArray *dirs, const char *path, const char *best)
{
	for (guint i = 0; dirs && i < dirs->len; i++) {
		const char *dir = dirs->pdata[i];
		if (paths_is_below(path, dir) && (!best || strlen(dir) > strlen(best)))
			best = dir;
	}
	return best;
}

bool mcp_scope_path(const McpScope *scope, Cli *cli, const char *path)
{
	const char *base = mcp_scope_longest(scope->roots, path, NULL);
	if (!base && scope->roots->len > 0)
		return false;
	if (path_is_web(path))
		return true;
	base = mcp_scope_longest(cli_roots(cli, NULL), path, base);
	size_t above = base ? strlen(base) : 0;
	return !strstr(path + above - (above > 0 && base[above - 1] == '/'), "/.");
}

bool mcp_scope_member(const char *member)
{
	bool hidden = false;
	for (size_t length; *member && !hidden; member += length + (member[length] != '\0')) {
		length = strcspn(member, "/|");
		/* "./x" is how tar names the file x */
		bool named = length > 2 || (length == 2 && member[1] != '.');
		hidden = *member == '.' && named;
	}
	return !hidden;
}

/* Another root holds this one, or is the same. */
static bool mcp_scope_is_inner(const McpScope *scope, guint i)
{
	const char *root = scope->roots->pdata[i];
	for (guint k = 0; k < scope->roots->len; k++) {
		const char *other = scope->roots->pdata[k];
		bool same = strcmp(root, other) == 0;
		if ((same && k < i) || (!same && paths_is_below(root, other)))
			return true;
	}
	return false;
}

GPtrArray *mcp_scope_tops(const McpScope *scope, const char *dir)
{
	GPtrArray *tops = g_ptr_array_new_with_free_func(g_free);
	if (dir || scope->roots->len == 0) {
		g_ptr_array_add(tops, g_strdup(dir));
		return tops;
	}
	for (guint i = 0; i < scope->roots->len; i++)
		if (!mcp_scope_is_inner(scope, i))
			g_ptr_array_add(tops, g_strdup(scope->roots->pdata[i]));
	return tops;
}

/* The entry is one of its directory's that match the filter. */
static bool mcp_scope_restrict_to(Query *query, const char *path, GError **error)
{
	g_autoptr(GPtrArray) values = g_ptr_array_new();
	const QueryOptions options = {.cwd = "/"};
	bool page = path_is_web(path);
	g_autofree char *dir = page ? g_strdup(path) : g_path_get_dirname(path);
	g_ptr_array_add(values, dir);
	return query_restrict(query, page ? "url" : "in", values, &options, error);
}

int mcp_scope_entry(const McpScope *scope, Cli *cli, const Info *info, GError **error)
{
	const SearchOptions options = {.limit = G_MAXINT, .dups = DUPS_SHOW, .uid = geteuid()};
	if (!mcp_scope_path(scope, cli, info->path) ||
	        (info->member && !mcp_scope_member(info->member)))
		return 0;
	if (!scope->filter)
		return 1;
	g_autoptr(Query) query = mcp_scope_filter(scope, cli, error);
	if (!query || !mcp_scope_restrict_to(query, info->path, error))
		return -1;
	g_autoptr(SearchResult) result = search_run(cli->reader, query, &options, error);
	for (guint i = 0; result && i < result->hits->len; i++) {
		const Info *hit = &((const Hit *)result->hits->pdata[i])->info;
		if (hit->node == info->node && hit->document == info->document)
			return 1;
	}
	return result ? 0 : -1;
}
