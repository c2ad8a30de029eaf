/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp-target.h - finds the entry that a client names, if it may see it */
#pragma once
#include "ui-cli/cmd/mcp/mcp-call.h"

/* The path or ID that an argument names: "tarsier://7", "id:7", "7", a number, a path. */
char *mcp_target_name(const json_t *document);
/* The entry, with stale set. NULL: *problem_r says why, and says the same for what is not in the
 * index and for what is outside of the scope or may not be read. */
Info *mcp_target(McpCall *call, const char *name, char **problem_r);
/* The same for the ID of a document. NULL without error: there is none. */
Info *mcp_target_by_id(McpCall *call, int64_t id, GError **error);
/* The text of the entry. NULL: *problem_r says why. */
Document *mcp_target_text(McpCall *call, const Info *info, char **problem_r);
