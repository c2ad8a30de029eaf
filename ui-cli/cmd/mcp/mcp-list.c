/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp-list.c - entries in an order, some at a time: the tool list, and the resources */
#include <config.h>
#include "ui-cli/cmd/mcp/mcp-list.h"
#include "common/base/paths.h"
#include "ui-cli/app/target.h"
#include "ui-cli/cmd/mcp/mcp-answer.h"
#include "ui-cli/cmd/mcp/mcp-arguments.h"
#include "ui-cli/cmd/mcp/mcp-tools.h"
#include "ui-cli/print/json-writer.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LIST_LIMIT = 50, LIST_TAIL_COST = 200 };

static bool mcp_list_restrict(Query *query, const char *field, const char *value, GError **error)
{
	const QueryOptions options = {.cwd = "/"};
	g_autoptr(GPtrArray) values = g_ptr_array_new();
	g_ptr_array_add(values, (char *)value);
	return query_restrict(query, field, values, &options, error);
}

SearchResult *mcp_list_entries(
        McpCall *call, const McpListing *listing, unsigned limit, unsigned offset, GError **error)
{
	const SearchOptions options = {.limit = limit,
	        .offset = offset,
	        .sort = listing->sort,
	        .dups = listing->dups,
	        .near_separate = true,
	        .uid = geteuid()};
	const McpSession *session = call->session;
	g_autoptr(Query) query = query_all();
	bool ok = mcp_scope_restrict(session->scope, session->cli, query, error) &&
	          (!listing->field ||
	                  mcp_list_restrict(query, listing->field, listing->value, error));
	return ok ? search_run(session->cli->reader, query, &options, error) : NULL;
}

/* ---- the tool */

/* Entries while they are written. */
typedef struct {
	McpCall *call;
	GString *object;
	Visible *visible;
	const char *dir; /* which is not an entry of itself; NULL: none */
	const char *member; /* only the members inside this one; NULL: all entries */
	size_t cost;
	unsigned skip; /* entries that come before the first one */
	unsigned left; /* entries that may still be written */
	unsigned done; /* entries that were skipped or written */
	bool more; /* there was no room for one */
} EntryList;

/* False: there is no room. */
static bool mcp_list_append(EntryList *list, const Info *info)
{
	g_autoptr(GString) one = g_string_new("[");
	json_open(one, NULL, '{');
	mcp_append_place(one, info);
	mcp_append_facts(one, info);
	json_close(one, '}');
	bool first = list->object->str[list->object->len - 1] == '[';
	list->cost += mcp_cost(one->str, one->len);
	list->more = list->left == 0 || (list->cost > MCP_OBJECT_COST && !first);
	if (list->more)
		return false;
	if (!first)
		g_string_append_c(list->object, ',');
	g_string_append(list->object, one->str + 1);
	list->left--;
	return true;
}

static bool mcp_list_take_entry(const Info *info, void *data)
{
	EntryList *list = data;
	Info shown = *info;
	bool itself =
	        list->dir && info->stat.kind == ENTRY_DIR && g_str_equal(info->path, list->dir);
	if (itself || !target_is_inside(info->member, list->member) ||
	        !visible_entry(list->visible, info, list->skip > 0 ? NULL : &shown.stale))
		return true;
	if (list->skip > 0)
		list->skip--;
	else if (!mcp_list_append(list, &shown))
		return false;
	list->done++;
	return true;
}

/* By the filter, as a search: its hits are counted, also those that are not shown. */
static bool mcp_list_filtered(EntryList *list, const char *path, GError **error)
{
	const McpListing listing = {
	        path ? path_is_web(path) ? "site" : "dir" : NULL, path, SORT_PATH, DUPS_SHOW};
	unsigned offset = list->skip, limit = list->left;
	g_autoptr(SearchResult) result =
	        mcp_list_entries(list->call, &listing, limit + 1, offset, error);
	guint i = 0;
	list->skip = 0;
	while (result && i < MIN(result->hits->len, limit) &&
	        mcp_list_take_entry(&((const Hit *)result->hits->pdata[i])->info, list))
		i++;
	list->done = offset + i;
	list->more = result && i < result->hits->len;
	return result != NULL;
}

/* Nothing is below a file for a search: of the hits in its directory, those that are it or members.
 */
static bool mcp_list_filtered_file(EntryList *list, const char *path, GError **error)
{
	g_autofree char *dir = g_path_get_dirname(path);
	const McpListing listing = {"in", dir, SORT_PATH, DUPS_SHOW};
	g_autoptr(SearchResult) result = mcp_list_entries(list->call, &listing, G_MAXINT, 0, error);
	for (guint i = 0; result && !list->more && i < result->hits->len; i++) {
		const Info *info = &((const Hit *)result->hits->pdata[i])->info;
		if (strcmp(info->path, path) == 0)
			mcp_list_take_entry(info, list);
	}
	return result != NULL;
}

static bool mcp_list_walk_from(EntryList *list, const char *top, GError **error)
{
	Reader *reader = list->call->session->cli->reader;
	return list->more || reader_list(reader, top, mcp_list_take_entry, list, error);
}

/* Without a filter, the tree is walked; if dir holds nothing, below its real path. */
static bool mcp_list_walk(EntryList *list, const char *dir, GError **error)
{
	g_autoptr(GPtrArray) tops = mcp_scope_tops(list->call->session->scope, dir);
	for (guint i = 0; i < tops->len; i++)
		if (!mcp_list_walk_from(list, tops->pdata[i], error))
			return false;
	g_autofree char *real =
	        dir && list->done == 0 && !path_is_web(dir) ? realpath(dir, NULL) : NULL;
	if (!real || strcmp(real, dir) == 0)
		return true;
	list->dir = real;
	bool ok = mcp_list_walk_from(list, real, error);
	list->dir = NULL;
	return ok;
}

static bool mcp_list_fill(EntryList *list, const char *path, GError **error)
{
	McpSession *session = list->call->session;
	list->visible =
	        mcp_call_reader(list->call, error) ? cli_visible(session->cli, error) : NULL;
	if (!list->visible)
		return false;
	if (!mcp_scope_has_filter(session->scope))
		return mcp_list_walk(list, path, error);
	return path && g_file_test(path, G_FILE_TEST_IS_REGULAR)
	               ? mcp_list_filtered_file(list, path, error)
	               : mcp_list_filtered(list, path, error);
}

/* The path of the argument dir, and the member if it names a container within a container. NULL: it
 * is absent, or no absolute path. The caller frees both. */
static char *mcp_list_place(const char *dir, char **member_r)
{
	char *path = NULL;
	g_autofree char *absolute = dir && !path_is_web(dir) ? paths_expand(dir) : NULL;
	*member_r = NULL;
	if (!absolute)
		return dir && path_is_web(dir) ? g_strdup(dir) : NULL;
	target_split(absolute, &path, member_r);
	return path;
}

bool mcp_list(McpCall *call, const json_t *arguments, GString *object, char **problem_r)
{
	const char *dir = mcp_argument_text(arguments, "dir");
	g_autofree char *member = NULL;
	g_autofree char *path = mcp_list_place(dir, &member);
	g_autoptr(GError) error = NULL;
	EntryList list = {.call = call,
	        .object = object,
	        .dir = path,
	        .member = member,
	        .cost = mcp_cost(object->str, object->len) + LIST_TAIL_COST,
	        .skip = mcp_argument_number(arguments, "offset", 0),
	        .left = mcp_argument_number(arguments, "limit", LIST_LIMIT)};
	if (dir && !path) {
		*problem_r = g_strdup("dir must be an absolute path, or the URL of a site");
		return false;
	}
	json_open(object, "entries", '[');
	if (!mcp_list_fill(&list, path, &error))
		return mcp_fail_tool(problem_r, error);
	json_close(object, ']');
	if (list.more)
		json_unsigned(object, "next_offset", list.done);
	return true;
}
