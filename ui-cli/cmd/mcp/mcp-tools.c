/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/mcp/mcp-tools.h"
#include "ui-cli/cmd/mcp/mcp-answer.h"
#include "ui-cli/cmd/mcp/mcp-arguments.h"
#include "ui-cli/cmd/mcp/mcp-tools-json.h"
#include "ui-cli/print/json-writer.h"
#include <string.h>

/* In the order of tools.json. */
static const McpTool mcp_tools[] = {mcp_search, mcp_read, mcp_similar, mcp_why, mcp_list};

json_t *mcp_tools_load(void)
{
	json_t *tools = json_loads(mcp_tools_json, JSON_REJECT_DUPLICATES, NULL);
	g_assert(json_array_size(tools) == G_N_ELEMENTS(mcp_tools));
	return tools;
}

/* A message is one line. */
static void mcp_tools_append_json(GString *out)
{
	for (const char *p = mcp_tools_json; *p; p++)
		if (*p != '\n')
			g_string_append_c(out, *p);
}

void mcp_tools_list(McpCall *call)
{
	if (mcp_call_param(call, "cursor")) {
		mcp_call_fail(call, MCP_INVALID_PARAMS, "Invalid cursor");
		return;
	}
	json_open(call->result, "tools", '[');
	g_string_truncate(call->result, call->result->len - 1);
	mcp_tools_append_json(call->result);
}

/* ---- results */

static void mcp_tools_append_content(McpCall *call, const char *text)
{
	json_open(call->result, "content", '[');
	json_open(call->result, NULL, '{');
	json_text(call->result, "type", "text");
	mcp_append_text(call->result, "text", text, G_MAXSIZE);
	json_close(call->result, '}');
	json_close(call->result, ']');
}

static void mcp_tools_put_problem(McpCall *call, const char *problem)
{
	mcp_tools_append_content(call, problem);
	json_bool(call->result, "isError", true);
}

static void mcp_tools_put_object(McpCall *call, const GString *object)
{
	mcp_tools_append_content(call, object->str);
	json_bool(call->result, "isError", false);
	g_string_append_printf(call->result, ",\"structuredContent\":%s", object->str);
}

static void mcp_tools_run(McpCall *call, McpTool tool, const json_t *arguments)
{
	g_autoptr(GString) object = g_string_new(NULL);
	g_autofree char *problem = NULL;
	json_open(object, NULL, '{');
	json_text(object, "notice", mcp_notice);
	bool done = tool(call, arguments, object, &problem);
	json_close(object, '}');
	if (done)
		mcp_tools_put_object(call, object);
	else
		mcp_tools_put_problem(call, problem);
}

static int mcp_tools_find(const json_t *tools, const char *name)
{
	size_t i;
	json_t *tool;
	json_array_foreach(tools, i,
	        tool) if (strcmp(json_string_value(json_object_get(tool, "name")), name) ==
	                  0) return i;
	return -1;
}

void mcp_tools_call(McpCall *call)
{
	const json_t *tools = call->session->tools;
	const json_t *arguments = mcp_call_param(call, "arguments");
	const char *name = json_string_value(mcp_call_param(call, "name"));
	int i = name ? mcp_tools_find(tools, name) : -1;
	if (!name) {
		mcp_call_fail(call, MCP_INVALID_PARAMS, "Invalid params: name must be a string");
		return;
	}
	if (i < 0) {
		mcp_call_fail(call, MCP_INVALID_PARAMS, "Unknown tool: %.100s", name);
		return;
	}
	if (arguments && !json_is_object(arguments)) {
		mcp_call_fail(
		        call, MCP_INVALID_PARAMS, "Invalid params: arguments must be an object");
		return;
	}
	const json_t *schema = json_object_get(json_array_get(tools, i), "inputSchema");
	g_autofree char *fault = mcp_arguments_fault(schema, arguments);
	if (!fault) {
		mcp_tools_run(call, mcp_tools[i], arguments);
		return;
	}
	g_autofree char *problem =
	        g_strdup_printf("Invalid arguments for tool %s: %s", name, fault);
	mcp_tools_put_problem(call, problem);
}
