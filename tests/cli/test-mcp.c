/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-mcp.c - what a client of "tarsier mcp" sends: lines, and the requests that wait */
#include <config.h>
#include "ui-cli/cmd/mcp/mcp-inbox.h"
#include "ui-cli/cmd/mcp/mcp-lines.h"
#include <glib.h>
#include <string.h>
#include <unistd.h>

static void put(int fd, const char *text)
{
	g_assert_cmpint(write(fd, text, strlen(text)), ==, (ssize_t)strlen(text));
}

static void put_request(int fd, int id, const char *method)
{
	g_autofree char *line =
	        g_strdup_printf("{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\"}\n", id, method);
	put(fd, line);
}

static void put_cancel(int fd, int id)
{
	g_autofree char *line = g_strdup_printf("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
	                                        "cancelled\",\"params\":{\"requestId\":%d}}\n",
	        id);
	put(fd, line);
}

static int id_of(const McpMessage *message)
{
	return message ? (int)json_integer_value(message->id) : -1;
}

static void test_lines(void)
{
	g_autoptr(McpLines) lines = mcp_lines_new();
	g_autofree char *long_line = g_strnfill(MCP_LINE_BYTES + 1, 'x');
	const char *line;
	size_t length;

	mcp_lines_push(lines, "a\n\nbc", 5);
	g_assert_cmpint(mcp_lines_take(lines, &line, &length), ==, MCP_LINE_WHOLE);
	g_assert_cmpmem(line, length, "a", 1);
	g_assert_cmpint(mcp_lines_take(lines, &line, &length), ==, MCP_LINE_WHOLE);
	g_assert_cmpuint(length, ==, 0);
	g_assert_cmpint(mcp_lines_take(lines, &line, &length), ==, MCP_LINE_NONE);
	mcp_lines_push(lines, "d\n", 2);
	g_assert_cmpint(mcp_lines_take(lines, &line, &length), ==, MCP_LINE_WHOLE);
	g_assert_cmpmem(line, length, "bcd", 3);
	for (int i = 0; i < 3; i++) {
		mcp_lines_push(lines, long_line, MCP_LINE_BYTES + 1);
		g_assert_cmpint(mcp_lines_take(lines, &line, &length), ==, MCP_LINE_NONE);
	}
	mcp_lines_push(lines, "\nlast", 5);
	g_assert_cmpint(mcp_lines_take(lines, &line, &length), ==, MCP_LINE_TOO_LONG);
	g_assert_cmpint(mcp_lines_take(lines, &line, &length), ==, MCP_LINE_NONE);
	mcp_lines_end(lines);
	g_assert_cmpint(mcp_lines_take(lines, &line, &length), ==, MCP_LINE_WHOLE);
	g_assert_cmpmem(line, length, "last", 4);
	g_assert_cmpint(mcp_lines_take(lines, &line, &length), ==, MCP_LINE_NONE);
}

static void test_cancel(void)
{
	int ends[2];
	g_assert_cmpint(pipe(ends), ==, 0);
	g_autoptr(McpInbox) inbox = mcp_inbox_new(ends[0]);

	put_request(ends[1], 1, "tools/call");
	g_assert_cmpint(id_of(mcp_inbox_next(inbox)), ==, 1);
	g_assert_false(mcp_inbox_is_cancelled(inbox));
	put_request(ends[1], 2, "tools/call");
	put_request(ends[1], 3, "tools/call");
	put_cancel(ends[1], 2); /* it waits */
	put_cancel(ends[1], 9); /* it does not exist */
	g_assert_false(mcp_inbox_is_cancelled(inbox));
	put_cancel(ends[1], 1); /* it is worked on */
	g_assert_true(mcp_inbox_is_cancelled(inbox));
	g_assert_cmpint(id_of(mcp_inbox_next(inbox)), ==, 3);
	g_assert_false(mcp_inbox_is_cancelled(inbox));
	put_request(ends[1], 4, "initialize");
	g_assert_cmpint(id_of(mcp_inbox_next(inbox)), ==, 4);
	put_cancel(ends[1], 4);
	g_assert_false(mcp_inbox_is_cancelled(inbox));
	close(ends[1]);
	g_assert_null(mcp_inbox_next(inbox));
	close(ends[0]);
}

static void test_repeated(void)
{
	int ends[2];
	g_assert_cmpint(pipe(ends), ==, 0);
	g_autoptr(McpInbox) inbox = mcp_inbox_new(ends[0]);

	put_request(ends[1], 1, "tools/call");
	g_assert_cmpint(mcp_inbox_next(inbox)->kind, ==, MCP_REQUEST);
	put_request(ends[1], 1, "tools/call");
	g_assert_false(mcp_inbox_is_cancelled(inbox));
	const McpMessage *again = mcp_inbox_next(inbox);
	g_assert_cmpint(again->kind, ==, MCP_FAULT);
	g_assert_cmpint(again->code, ==, MCP_INVALID_REQUEST);
	put_request(ends[1], 1, "tools/call");
	g_assert_cmpint(mcp_inbox_next(inbox)->kind, ==, MCP_REQUEST);
	close(ends[0]);
	close(ends[1]);
}

/* The client waits, and nothing is lost. */
static void test_flood(void)
{
	enum { MANY = 5 * MCP_INBOX_MESSAGES };
	int ends[2];
	g_assert_cmpint(pipe(ends), ==, 0);
	g_autoptr(McpInbox) inbox = mcp_inbox_new(ends[0]);

	for (int id = 1; id <= MANY; id++)
		put_request(ends[1], id, "tools/call");
	close(ends[1]);
	for (int id = 1; id <= MANY; id++) {
		g_assert_cmpint(id_of(mcp_inbox_next(inbox)), ==, id);
		g_assert_false(mcp_inbox_is_cancelled(inbox));
	}
	g_assert_null(mcp_inbox_next(inbox));
	close(ends[0]);
}

/* ---- what happens beside the input */

typedef struct {
	int input, event;
	bool reads;
	unsigned woken;
	int cancelled;
} Events;

static int events_fd(void *data)
{
	return ((Events *)data)->event;
}

static int events_wait_ms(void *data)
{
	return ((Events *)data)->woken == 1 ? 0 : -1;
}

/* The first time by the descriptor, the second time because it waited long enough. */
static bool events_wake(void *data)
{
	Events *events = data;
	char byte;
	if (events->woken++ == 0) {
		g_assert_cmpint(read(events->event, &byte, 1), ==, 1);
		return true;
	}
	if (events->reads)
		put_request(events->input, 7, "tools/call");
	return events->reads;
}

static void events_cancelled(const json_t *id, void *data)
{
	((Events *)data)->cancelled = (int)json_integer_value(id);
}

static void test_events(gconstpointer reads)
{
	int input[2], event[2];
	g_assert_cmpint(pipe(input), ==, 0);
	g_assert_cmpint(pipe(event), ==, 0);
	Events events = {.input = input[1], .event = event[0], .reads = reads != NULL};
	const McpInboxEvents functions = {
	        events_fd, events_wait_ms, events_wake, events_cancelled, &events};
	g_autoptr(McpInbox) inbox = mcp_inbox_new(input[0]);
	mcp_inbox_set_events(inbox, &functions);

	put_cancel(input[1], 9);
	g_assert_false(mcp_inbox_is_waiting(inbox));
	g_assert_cmpint(events.cancelled, ==, 9);
	put(event[1], "x");
	g_assert_cmpint(id_of(mcp_inbox_next(inbox)), ==, events.reads ? 7 : -1);
	g_assert_cmpuint(events.woken, ==, 2);
	put_cancel(input[1], 7);
	g_assert_cmpint(mcp_inbox_is_cancelled(inbox), ==, events.reads);
	for (int i = 0; i < 2; i++) {
		close(input[i]);
		close(event[i]);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/cli/mcp/lines", test_lines);
	g_test_add_func("/cli/mcp/cancel", test_cancel);
	g_test_add_func("/cli/mcp/repeated", test_repeated);
	g_test_add_func("/cli/mcp/flood", test_flood);
	g_test_add_data_func("/cli/mcp/events", "reads", test_events);
	g_test_add_data_func("/cli/mcp/events-of-nobody", NULL, test_events);
	return g_test_run();
}
