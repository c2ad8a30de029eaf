/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp-call.h - one request of a client, and its answer while it is made */
#pragma once
#include "ui-cli/app/cli.h"
#include "ui-cli/cmd/mcp/mcp-inbox.h"
#include "ui-cli/cmd/mcp/mcp-scope.h"

/* In the order of time. */
typedef enum { MCP_NO_VERSION, MCP_2025_06_18, MCP_2025_11_25, MCP_2026_07_28 } McpVersion;

/* One run of the server. */
typedef struct {
	Cli *cli;
	McpScope *scope;
	McpInbox *inbox;
	McpVersion agreed; /* by the older handshake; MCP_NO_VERSION: there was none */
	json_t *tools; /* mcp_tools_load() */
	struct McpSubscriptions *subscriptions;
} McpSession;

typedef struct {
	McpSession *session;
	const McpMessage *message;
	McpVersion version; /* that the request is read by */
	GString *result; /* the members of the result, as JSON, after its "{" */
	McpCode error; /* 0: none, then the result is sent */
	char *reason; /* of the error */
	GString *data; /* of the error, as JSON; NULL: none */
	bool stays_open; /* it is not answered now */
} McpCall;

/* Makes the answer an error of the protocol. reason: English, for developers. */
void mcp_call_fail(McpCall *call, McpCode code, const char *format, ...) G_GNUC_PRINTF(3, 4);
/* The parameter of the request; NULL: absent. Borrowed. */
const json_t *mcp_call_param(const McpCall *call, const char *name);
/* As cli_fresh_reader(), for a client that sees its scope and may cancel. */
Reader *mcp_call_reader(McpCall *call, GError **error);
/* Appends the id of a request as a member of an object. */
void mcp_call_append_id(GString *out, const char *key, const json_t *id);
/* Sends a whole message, without its end of line, on stdout. False: nobody reads it. */
bool mcp_call_put(GString *message);
/* Sends the answer to a request on stdout, unless the client cancelled it. False: nobody reads it.
 */
bool mcp_call_send(const McpCall *call);
