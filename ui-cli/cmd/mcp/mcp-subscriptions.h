/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp-subscriptions.h - saved searches that a client listens to (subscriptions/listen)
 *
 * While a client is waited for, the index is watched. After a change, each saved search that is
 * listened to is run again, at most a fifth of the time, and the client is told when what it finds
 * is not what it was. Requests come first. A request that listens is answered only when the index
 * is moved away; else it is open until the client cancels it or ends. */
#pragma once
#include "ui-cli/cmd/mcp/mcp-call.h"

enum { MCP_SUBSCRIPTIONS = 8, MCP_SUBSCRIPTION_URIS = 8 };

typedef struct McpSubscriptions McpSubscriptions;

/* From now on, the inbox of the session waits for the index too. session: borrowed. */
McpSubscriptions *mcp_subscriptions_new(McpSession *session);
void mcp_subscriptions_free(McpSubscriptions *subscriptions);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(McpSubscriptions, mcp_subscriptions_free)
/* The method. Of the kinds of notifications and URIs, those of saved searches that are there are
 * acknowledged, up to MCP_SUBSCRIPTION_URIS; a client has up to MCP_SUBSCRIPTIONS. */
void mcp_subscriptions_listen(McpCall *call);
