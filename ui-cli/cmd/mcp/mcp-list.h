/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp-list.h - the entries of the index that a client may see, some at a time */
#pragma once
#include "index/search/search.h"
#include "ui-cli/cmd/mcp/mcp-call.h"

typedef struct {
	const char *field, *value; /* of the query language; NULL: everything */
	SortOrder sort;
	DupsMode dups;
} McpListing;

/* The entries in the scope, from offset on. Those that mcp_scope_path() refuses are among them.
 * The index is open (mcp_call_reader()). NULL with error. */
SearchResult *mcp_list_entries(
        McpCall *call, const McpListing *listing, unsigned limit, unsigned offset, GError **error);
