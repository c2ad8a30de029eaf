/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp-saved.h - saved searches as resources: tarsier://saved/NAME */
#pragma once
#include "index/search/search.h"
#include "ui-cli/cmd/mcp/mcp-call.h"

/* Matches that count for mcp_saved_digest(). */
enum { MCP_SAVED_MATCHES = 10000 };

/* The name in a URI; NULL: it is none of a saved search. The caller frees it. */
char *mcp_saved_name(const char *uri);
/* Appends an entry of resources/list for each saved search. */
void mcp_saved_append_entries(const Cli *cli, GString *out);
/* The hits of the search within the scope, newest first: a line for each entry, its URI and path.
 * Of many, as many as an answer has room for, and how many more there are. NULL: *problem_r says
 * why. The caller frees either. */
GString *mcp_saved_list(McpCall *call, const char *name, char **problem_r);
/* A text that is another one when other documents match, or one of them has a new version; of the
 * first MCP_SAVED_MATCHES by path. stop: see reader_set_stop(). NULL: it cannot be searched now, or
 * was stopped. The caller frees it. */
char *mcp_saved_digest(McpCall *call, const char *name, bool (*stop)(void *inbox));
