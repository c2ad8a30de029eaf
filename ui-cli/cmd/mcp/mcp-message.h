/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp-message.h - one message of a client: a line of JSON-RPC 2.0
 *
 * Values of JSON are jansson's: UTF-8 without NUL, numbers that fit into 64 bits, at most 2,048
 * levels, no key twice. Everything else is a fault. */
#pragma once
#include <glib.h>
#include <jansson.h>
#include <stdbool.h>

/* Codes of JSON-RPC and of the protocol. */
typedef enum {
	MCP_PARSE_ERROR = -32700,
	MCP_INVALID_REQUEST = -32600,
	MCP_METHOD_NOT_FOUND = -32601,
	MCP_INVALID_PARAMS = -32602,
	MCP_INTERNAL_ERROR = -32603,
	MCP_RESOURCE_NOT_FOUND = -32002, /* up to 2025-11-25 */
	MCP_UNSUPPORTED_VERSION = -32022,
} McpCode;

enum { MCP_ID_BYTES = 1024 };

typedef enum {
	MCP_NOTHING, /* a blank line, or an answer to a request that nobody made */
	MCP_REQUEST,
	MCP_NOTIFICATION,
	MCP_FAULT, /* it gets an error as its answer */
} McpKind;

typedef struct {
	McpKind kind;
	json_t *root; /* NULL: it is not JSON */
	const json_t *id; /* NULL: it has none that can be repeated */
	const char *method; /* of requests and notifications */
	const json_t *params; /* an object; NULL: none */
	McpCode code; /* of a fault */
	const char *reason; /* of a fault; static, English */
	size_t bytes; /* of the line */
} McpMessage;

/* Never NULL. */
McpMessage *mcp_message_parse(const char *line, size_t length);
McpMessage *mcp_message_too_long(void);
void mcp_message_free(McpMessage *message);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(McpMessage, mcp_message_free)
/* Makes a fault of a request. */
void mcp_message_fail(McpMessage *message, McpCode code, const char *reason);
