/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/mcp/mcp-inbox.h"
#include "ui-cli/cmd/mcp/mcp-lines.h"
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

struct McpInbox {
	int fd;
	const McpInboxEvents *events; /* NULL: none */
	McpLines *lines;
	GQueue waiting; /* McpMessage */
	size_t waiting_bytes;
	McpMessage *current; /* NULL: none is worked on */
	bool cancelled; /* the current one */
	bool ended; /* no more bytes will come */
};

McpInbox *mcp_inbox_new(int fd)
{
	McpInbox *inbox = g_new0(McpInbox, 1);
	inbox->fd = fd;
	inbox->lines = mcp_lines_new();
	g_queue_init(&inbox->waiting);
	return inbox;
}

void mcp_inbox_free(McpInbox *inbox)
{
	if (!inbox)
		return;
	g_queue_clear_full(&inbox->waiting, (GDestroyNotify)mcp_message_free);
	mcp_message_free(inbox->current);
	mcp_lines_free(inbox->lines);
	g_free(inbox);
}

void mcp_inbox_set_events(McpInbox *inbox, const McpInboxEvents *events)
{
	inbox->events = events;
}

/* Blocks until bytes come or the input ends. */
static void mcp_inbox_read(McpInbox *inbox)
{
	char bytes[64 << 10];
	ssize_t got;
	do
		got = read(inbox->fd, bytes, sizeof bytes);
	while (got < 0 && errno == EINTR);
	if (got > 0) {
		mcp_lines_push(inbox->lines, bytes, got);
		return;
	}
	inbox->ended = true;
	mcp_lines_end(inbox->lines);
}

/* ---- cancelled and repeated ids */

static bool mcp_inbox_has_id(const McpMessage *message, const json_t *id)
{
	return message && message->kind == MCP_REQUEST && json_equal(message->id, id);
}

static GList *mcp_inbox_find(McpInbox *inbox, const json_t *id)
{
	for (GList *at = inbox->waiting.head; at; at = at->next)
		if (mcp_inbox_has_id(at->data, id))
			return at;
	return NULL;
}

/* A handshake cannot be cancelled. */
static void mcp_inbox_cancel(McpInbox *inbox, const McpMessage *notification)
{
	const json_t *id = json_object_get(notification->params, "requestId");
	GList *at = id ? mcp_inbox_find(inbox, id) : NULL;
	if (id && mcp_inbox_has_id(inbox->current, id))
		inbox->cancelled = strcmp(inbox->current->method, "initialize") != 0;
	else if (at && strcmp(((McpMessage *)at->data)->method, "initialize") != 0) {
		inbox->waiting_bytes -= ((McpMessage *)at->data)->bytes;
		mcp_message_free(at->data);
		g_queue_delete_link(&inbox->waiting, at);
	} else if (id && inbox->events) {
		inbox->events->cancelled(id, inbox->events->data);
	}
}

static void mcp_inbox_add(McpInbox *inbox, McpMessage *message)
{
	bool cancels = message->kind == MCP_NOTIFICATION &&
	               strcmp(message->method, "notifications/cancelled") == 0;
	if (cancels)
		mcp_inbox_cancel(inbox, message);
	if (cancels || message->kind == MCP_NOTHING) {
		mcp_message_free(message);
		return;
	}
	if (message->kind == MCP_REQUEST && (mcp_inbox_has_id(inbox->current, message->id) ||
	                                            mcp_inbox_find(inbox, message->id)))
		mcp_message_fail(message, MCP_INVALID_REQUEST,
		        "Invalid request: another request with this id was not answered yet");
	g_queue_push_tail(&inbox->waiting, message);
	inbox->waiting_bytes += message->bytes;
}

/* ---- reading ahead */

static bool mcp_inbox_has_room(const McpInbox *inbox)
{
	return inbox->waiting.length < MCP_INBOX_MESSAGES && inbox->waiting_bytes < MCP_INBOX_BYTES;
}

/* Makes messages of the lines that have come. */
static void mcp_inbox_take_lines(McpInbox *inbox)
{
	const char *line;
	size_t length;
	McpLineKind kind;
	while (mcp_inbox_has_room(inbox) &&
	        (kind = mcp_lines_take(inbox->lines, &line, &length)) != MCP_LINE_NONE)
		mcp_inbox_add(inbox, kind == MCP_LINE_WHOLE ? mcp_message_parse(line, length)
		                                            : mcp_message_too_long());
}

static bool mcp_inbox_is_readable(const McpInbox *inbox)
{
	struct pollfd one = {.fd = inbox->fd, .events = POLLIN};
	return !inbox->ended && poll(&one, 1, 0) > 0;
}

bool mcp_inbox_is_cancelled(void *data)
{
	McpInbox *inbox = data;
	mcp_inbox_take_lines(inbox);
	while (mcp_inbox_has_room(inbox) && mcp_inbox_is_readable(inbox)) {
		mcp_inbox_read(inbox);
		mcp_inbox_take_lines(inbox);
	}
	return inbox->cancelled;
}

bool mcp_inbox_is_waiting(void *data)
{
	McpInbox *inbox = data;
	mcp_inbox_is_cancelled(inbox);
	return inbox->waiting.length > 0;
}

/* ---- waiting */

/* Waits for bytes, or for one event, which may add messages. */
static void mcp_inbox_wait(McpInbox *inbox)
{
	const McpInboxEvents *events = inbox->events;
	struct pollfd fds[] = {{.fd = inbox->fd, .events = POLLIN},
	        {.fd = events ? events->fd(events->data) : -1, .events = POLLIN}};
	int wait_ms = events ? events->wait_ms(events->data) : -1;
	if (poll(fds, G_N_ELEMENTS(fds), wait_ms) < 0 && errno != EINTR)
		inbox->ended = true;
	else if (fds[0].revents || !events)
		mcp_inbox_read(inbox);
	else if (!events->wake(events->data))
		inbox->ended = true;
}

const McpMessage *mcp_inbox_next(McpInbox *inbox)
{
	g_clear_pointer(&inbox->current, mcp_message_free);
	inbox->cancelled = false;
	mcp_inbox_take_lines(inbox);
	while (inbox->waiting.length == 0 && !inbox->ended) {
		mcp_inbox_wait(inbox);
		mcp_inbox_take_lines(inbox);
	}
	inbox->current = g_queue_pop_head(&inbox->waiting);
	if (inbox->current)
		inbox->waiting_bytes -= inbox->current->bytes;
	return inbox->current;
}
