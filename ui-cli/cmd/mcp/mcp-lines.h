/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp-lines.h - cuts a stream of bytes into lines of limited length */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

/* A request has a few hundred bytes; a parsed one takes up to 50 times its bytes. */
enum { MCP_LINE_BYTES = 256 << 10 };

typedef struct McpLines McpLines;

typedef enum {
	MCP_LINE_NONE, /* more bytes are needed; after the end: there are no more lines */
	MCP_LINE_WHOLE,
	MCP_LINE_TOO_LONG, /* it had more than MCP_LINE_BYTES, which are dropped */
} McpLineKind;

McpLines *mcp_lines_new(void);
void mcp_lines_free(McpLines *lines);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(McpLines, mcp_lines_free)
/* Adds bytes. Take all lines before, or the memory is not limited. */
void mcp_lines_push(McpLines *lines, const char *bytes, size_t length);
/* No more bytes will come: what has no end of line is a line too. */
void mcp_lines_end(McpLines *lines);
/* Takes the next line, without its end. *line_r is valid until the next push or take. */
McpLineKind mcp_lines_take(McpLines *lines, const char **line_r, size_t *length_r);
