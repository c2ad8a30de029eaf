/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/mcp/mcp-message.h"
#include <string.h>

void mcp_message_free(McpMessage *message)
{
	if (!message)
		return;
	json_decref(message->root);
	g_free(message);
}

void mcp_message_fail(McpMessage *message, McpCode code, const char *reason)
{
	message->kind = MCP_FAULT;
	message->code = code;
	message->reason = reason;
}

McpMessage *mcp_message_too_long(void)
{
	McpMessage *message = g_new0(McpMessage, 1);
	mcp_message_fail(message, MCP_INVALID_REQUEST, "Invalid request: the message is too long");
	return message;
}

static bool mcp_message_is_blank(const char *line, size_t length)
{
	size_t i = 0;
	while (i < length && line[i] != '\0' && strchr(" \t\r", line[i]))
		i++;
	return i == length;
}

/* Takes the id, if the message has one. False: it is none. */
static bool mcp_message_take_id(McpMessage *message)
{
	const json_t *id = json_object_get(message->root, "id");
	bool good = json_is_integer(id) ||
	            (json_is_string(id) && json_string_length(id) <= MCP_ID_BYTES);
	message->id = good ? id : NULL;
	return good || !id;
}

/* Clients have nothing to answer, because the server asks for nothing. */
static bool mcp_message_is_answer(const McpMessage *message)
{
	return !json_object_get(message->root, "method") &&
	       (json_object_get(message->root, "result") ||
	               json_object_get(message->root, "error"));
}

static void mcp_message_read(McpMessage *message)
{
	const json_t *root = message->root;
	const char *version = json_string_value(json_object_get(root, "jsonrpc"));
	const json_t *params = json_object_get(root, "params");

	if (json_is_array(root)) {
		mcp_message_fail(message, MCP_INVALID_REQUEST,
		        "Invalid request: batches are not part of the protocol");
	} else if (!json_is_object(root)) {
		mcp_message_fail(message, MCP_INVALID_REQUEST, "Invalid request: not an object");
	} else if (mcp_message_is_answer(message)) {
		message->kind = MCP_NOTHING;
	} else if (!mcp_message_take_id(message)) {
		mcp_message_fail(message, MCP_INVALID_REQUEST,
		        "Invalid request: the id must be an integer or a short string");
	} else if (g_strcmp0(version, "2.0") != 0) {
		mcp_message_fail(
		        message, MCP_INVALID_REQUEST, "Invalid request: jsonrpc must be \"2.0\"");
	} else if (!(message->method = json_string_value(json_object_get(root, "method")))) {
		mcp_message_fail(
		        message, MCP_INVALID_REQUEST, "Invalid request: method must be a string");
	} else {
		message->kind = message->id ? MCP_REQUEST : MCP_NOTIFICATION;
		message->params = json_is_object(params) ? params : NULL;
		if (params && !message->params && message->id)
			mcp_message_fail(message, MCP_INVALID_PARAMS,
			        "Invalid params: params must be an object");
	}
}

McpMessage *mcp_message_parse(const char *line, size_t length)
{
	McpMessage *message = g_new0(McpMessage, 1);
	message->bytes = length;
	if (mcp_message_is_blank(line, length))
		return message;
	message->root = json_loadb(line, length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL);
	if (message->root)
		mcp_message_read(message);
	else
		mcp_message_fail(
		        message, MCP_PARSE_ERROR, "Parse error: the line is not valid JSON");
	return message;
}
