/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/mcp/mcp-lines.h"
#include <string.h>

struct McpLines {
	GString *bytes;
	size_t taken; /* bytes at the front that were given out */
	size_t seen; /* bytes that have no end of line in them */
	bool skipping; /* the line is too long, and its beginning is dropped */
	bool ended;
};

McpLines *mcp_lines_new(void)
{
	McpLines *lines = g_new0(McpLines, 1);
	lines->bytes = g_string_new(NULL);
	return lines;
}

void mcp_lines_free(McpLines *lines)
{
	if (!lines)
		return;
	g_string_free(lines->bytes, TRUE);
	g_free(lines);
}

static void mcp_lines_drop_taken(McpLines *lines)
{
	g_string_erase(lines->bytes, 0, lines->taken);
	lines->seen -= MIN(lines->seen, lines->taken);
	lines->taken = 0;
}

void mcp_lines_push(McpLines *lines, const char *bytes, size_t length)
{
	mcp_lines_drop_taken(lines);
	g_string_append_len(lines->bytes, bytes, length);
}

void mcp_lines_end(McpLines *lines)
{
	lines->ended = true;
}

/* Returns what the bytes up to end are, and begins a new line after them. */
static McpLineKind mcp_lines_finish(
        McpLines *lines, size_t end, size_t ending, const char **line_r, size_t *length_r)
{
	bool skipped = lines->skipping || end - lines->taken > MCP_LINE_BYTES;
	*line_r = lines->bytes->str + lines->taken;
	*length_r = end - lines->taken;
	lines->taken = lines->seen = end + ending;
	lines->skipping = false;
	return skipped ? MCP_LINE_TOO_LONG : MCP_LINE_WHOLE;
}

McpLineKind mcp_lines_take(McpLines *lines, const char **line_r, size_t *length_r)
{
	const char *bytes = lines->bytes->str;
	size_t length = lines->bytes->len;
	const char *end = memchr(bytes + lines->seen, '\n', length - lines->seen);
	if (end)
		return mcp_lines_finish(lines, end - bytes, 1, line_r, length_r);
	lines->seen = length;
	if (lines->ended && (length > lines->taken || lines->skipping))
		return mcp_lines_finish(lines, length, 0, line_r, length_r);
	if (length - lines->taken > MCP_LINE_BYTES) {
		lines->skipping = true;
		lines->taken = length;
	}
	return MCP_LINE_NONE;
}
