/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/mcp/mcp-target.h"
#include "common/base/paths.h"
#include "ui-cli/app/convert-file.h"
#include "ui-cli/app/target.h"
#include <string.h>

#define MCP_URI "tarsier://"

char *mcp_target_name(const json_t *document)
{
	if (json_is_integer(document))
		return g_strdup_printf("%" JSON_INTEGER_FORMAT, json_integer_value(document));
	const char *text = json_string_value(document);
	if (g_str_has_prefix(text, MCP_URI))
		text += strlen(MCP_URI);
	char *home = *text == '~' ? paths_expand(text) : NULL;
	return home ? home : g_strdup(text);
}

/* Several files may have one document. */
static Info *mcp_target_first(McpCall *call, GPtrArray *infos, GError **error)
{
	Cli *cli = call->session->cli;
	Visible *visible = cli_visible(cli, error);
	int inside = 0;
	for (guint i = 0; visible && inside >= 0 && i < infos->len; i++) {
		Info *info = infos->pdata[i];
		if (visible_entry(visible, info, &info->stale))
			inside = mcp_scope_entry(call->session->scope, cli, info, error);
		if (inside > 0)
			return g_ptr_array_steal_index(infos, i);
	}
	return NULL;
}

Info *mcp_target_by_id(McpCall *call, int64_t id, GError **error)
{
	g_autoptr(GPtrArray) infos = NULL;
	Reader *reader = mcp_call_reader(call, error);
	if (!reader || !reader_info_by_id(reader, id, &infos, error))
		return NULL;
	return mcp_target_first(call, infos, error);
}

static Info *mcp_target_by_path(McpCall *call, const char *name, GError **error)
{
	Cli *cli = call->session->cli;
	if (!mcp_call_reader(call, error))
		return NULL;
	g_autoptr(GError) local = NULL;
	g_autoptr(Info) info = target_info(cli, name, false, &local);
	int inside = info ? mcp_scope_entry(call->session->scope, cli, info, &local) : 0;
	if (local)
		g_propagate_error(error, g_steal_pointer(&local));
	return inside > 0 ? g_steal_pointer(&info) : NULL;
}

Info *mcp_target(McpCall *call, const char *name, char **problem_r)
{
	g_autoptr(GError) error = NULL;
	uint64_t id;
	bool by_id = target_is_number(name, &id) || target_is_id(name, &id);
	bool by_path = *name == '/' || path_is_web(name);
	Info *info = by_id     ? mcp_target_by_id(call, (int64_t)id, &error)
	             : by_path ? mcp_target_by_path(call, name, &error)
	                       : NULL;
	if (error)
		*problem_r = cli_error_text(error);
	else if (!by_id && !by_path)
		*problem_r = g_strdup("document must be tarsier://ID, an ID, or an absolute path");
	else if (!info)
		*problem_r = g_strdup("There is no such document among those that this server "
		                      "shows. The tool why may tell more of a path.");
	return info;
}

Document *mcp_target_text(McpCall *call, const Info *info, char **problem_r)
{
	g_autoptr(GError) error = NULL;
	if (info->stat.kind != ENTRY_FILE) {
		*problem_r = g_strdup("It is not a file, and has no text.");
		return NULL;
	}
	Document *doc = convert_entry(call->session->cli, info, &error);
	if (g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_ACCES))
		*problem_r = g_strdup_printf("%s. If its directory was added after this server "
		                             "started, start the server anew.",
		        error->message);
	else if (error)
		*problem_r = cli_error_text(error);
	else if (!doc)
		*problem_r = g_strdup("The file has changed: the document is no longer in it.");
	return doc;
}
