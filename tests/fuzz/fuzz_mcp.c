/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_mcp.c - fuzzes what a client of "tarsier mcp" sends: lines, messages, arguments of tools
 *
 * The bytes come in pieces whose length the first byte tells. */
#include <config.h>
#include "tests/fuzz/fuzz.h"
#include "ui-cli/cmd/mcp/mcp-arguments.h"
#include "ui-cli/cmd/mcp/mcp-lines.h"
#include "ui-cli/cmd/mcp/mcp-message.h"
#include "ui-cli/cmd/mcp/mcp-tools.h"
#include <string.h>

const char *const fuzz_seeds[] = {"tests/fuzz/seeds/mcp/*", NULL};

static json_t *tools;

static void try_arguments(const McpMessage *message)
{
	const json_t *arguments = json_object_get(message->params, "arguments");
	size_t i;
	json_t *tool;
	if (arguments && !json_is_object(arguments))
		return;
	json_array_foreach(tools, i, tool)
	{
		const json_t *schema = json_object_get(tool, "inputSchema");
		g_autofree char *fault = mcp_arguments_fault(schema, arguments);
		g_assert_true(!fault || g_utf8_validate(fault, -1, NULL));
		g_assert_true(fault || i > 0 || mcp_argument_text(arguments, "query"));
		if (!fault)
			g_assert_cmpint(mcp_argument_number(arguments, "limit", 1), >=, 1);
	}
}

static void try_message(McpLineKind kind, const char *line, size_t length)
{
	g_autoptr(McpMessage) message =
	        kind == MCP_LINE_WHOLE ? mcp_message_parse(line, length) : mcp_message_too_long();
	g_assert_true((message->kind == MCP_FAULT) == (message->code != 0));
	g_assert_true((message->kind == MCP_FAULT) == (message->reason != NULL));
	g_assert_true(message->kind != MCP_REQUEST || (message->id && message->method));
	g_assert_true(!message->params || json_is_object(message->params));
	if (message->kind == MCP_REQUEST)
		try_arguments(message);
}

static void try_lines(McpLines *lines)
{
	const char *line;
	size_t length;
	McpLineKind kind;
	while ((kind = mcp_lines_take(lines, &line, &length)) != MCP_LINE_NONE) {
		if (kind == MCP_LINE_WHOLE) {
			g_assert_cmpuint(length, <=, MCP_LINE_BYTES);
			g_assert_null(memchr(line, '\n', length));
		}
		try_message(kind, line, length);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(McpLines) lines = mcp_lines_new();
	size_t step = size > 0 && data[0] < '{' ? data[0] + 1u : size;
	if (!tools)
		tools = mcp_tools_load();
	for (size_t at = 0; at < size; at += step) {
		mcp_lines_push(lines, (const char *)data + at, MIN(step, size - at));
		try_lines(lines);
	}
	mcp_lines_end(lines);
	try_lines(lines);
	return 0;
}
