/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp-inbox.h - the messages of a client, in order, and which of them it cancelled
 *
 * While a request is worked on, further messages are read ahead, up to MCP_INBOX_MESSAGES and
 * MCP_INBOX_BYTES; then the client waits. Cancelled requests that wait are dropped. */
#pragma once
#include "ui-cli/cmd/mcp/mcp-message.h"

enum { MCP_INBOX_MESSAGES = 64, MCP_INBOX_BYTES = 256 << 10 };

typedef struct McpInbox McpInbox;

/* Work that is done while the server waits for a client. */
typedef struct {
	int (*fd)(void *data); /* it is looked at whether this one is readable; -1: none */
	int (*wait_ms)(void *data); /* until wake() is called anyway; -1: not at all */
	bool (*wake)(void *data); /* false: nobody reads the answers */
	/* The client cancelled a request that neither waits nor is worked on. May be called
	 * while another request is worked on, and within wake(). */
	void (*cancelled)(const json_t *id, void *data);
	void *data;
} McpInboxEvents;

McpInbox *mcp_inbox_new(int fd);
/* events: borrowed; NULL: none. */
void mcp_inbox_set_events(McpInbox *inbox, const McpInboxEvents *events);
void mcp_inbox_free(McpInbox *inbox);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(McpInbox, mcp_inbox_free)
/* Waits for the next request, notification or fault. From then on it is the one that is worked on,
 * until the next call; the inbox owns it. NULL: the input has ended. */
const McpMessage *mcp_inbox_next(McpInbox *inbox);
/* Reads what has come, without waiting. True if the client cancelled the request that is worked
 * on. data: a McpInbox, as reader_set_stop() takes it. */
bool mcp_inbox_is_cancelled(void *data);
/* Reads what has come, without waiting. True if a message waits. data: as above. */
bool mcp_inbox_is_waiting(void *data);
