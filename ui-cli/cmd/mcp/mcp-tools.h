/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp-tools.h - the tools, and how they answer
 *
 * An error that a model can mend (an argument, a query, a document that is not there) is the result
 * of the tool, marked as an error; errors of the protocol are for developers. */
#pragma once
#include "ui-cli/cmd/mcp/mcp-call.h"

/* Parses tools.json. The caller frees it with json_decref(). */
json_t *mcp_tools_load(void);
/* The methods tools/list and tools/call. */
void mcp_tools_list(McpCall *call);
void mcp_tools_call(McpCall *call);

/* Each tool fills the members of an object. False: *problem_r says why there is none, for the
 * model; the caller frees it. arguments: checked. */
typedef bool (*McpTool)(McpCall *call, const json_t *arguments, GString *object, char **problem_r);
bool mcp_search(McpCall *call, const json_t *arguments, GString *object, char **problem_r);
bool mcp_similar(McpCall *call, const json_t *arguments, GString *object, char **problem_r);
bool mcp_read(McpCall *call, const json_t *arguments, GString *object, char **problem_r);
bool mcp_why(McpCall *call, const json_t *arguments, GString *object, char **problem_r);
bool mcp_list(McpCall *call, const json_t *arguments, GString *object, char **problem_r);
