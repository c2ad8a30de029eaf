/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp-scope.h - what of the index a client may see
 *
 * --root DIR (any of them) and --filter QUERY narrow it, in every tool and resource. Hidden files
 * and directories are out, except a directory that --root or the configuration names and what is
 * not hidden below it; so are hidden members of containers. Permissions come on top
 * (index/read/visible.h). */
#pragma once
#include "ui-cli/app/cli.h"
#include "index/query/query.h"

typedef struct McpScope McpScope;

/* From the options of the command. NULL with error. */
McpScope *mcp_scope_new(Cli *cli, GError **error);
void mcp_scope_free(McpScope *scope);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(McpScope, mcp_scope_free)
bool mcp_scope_has_roots(const McpScope *scope);
bool mcp_scope_has_filter(const McpScope *scope);
/* Restricts a query to the scope. Hidden entries are not part of it: the reader asks
 * mcp_scope_path() and mcp_scope_member() about every entry (mcp_call_reader()). False with error.
 */
bool mcp_scope_restrict(const McpScope *scope, Cli *cli, Query *query, GError **error);
/* Where to begin a walk through what is inside and below dir (NULL: everywhere): char *, of which
 * NULL is all roots, and which do not hold each other. The caller unrefs it. */
GPtrArray *mcp_scope_tops(const McpScope *scope, const char *dir);
/* Is a path inside, as far as a path alone tells? cli must have a reader. */
bool mcp_scope_path(const McpScope *scope, Cli *cli, const char *path);
/* Is a member of a container not hidden? member: its path there, levels joined by '|'. */
bool mcp_scope_member(const char *member);
/* Is the entry inside, by path and filter? 1: yes; 0: no; -1: error. */
int mcp_scope_entry(const McpScope *scope, Cli *cli, const Info *info, GError **error);
