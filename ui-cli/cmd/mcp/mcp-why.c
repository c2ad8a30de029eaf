/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/paths.h"
#include "ui-cli/app/target.h"
#include "ui-cli/app/why-not.h"
#include "ui-cli/cmd/mcp/mcp-answer.h"
#include "ui-cli/cmd/mcp/mcp-arguments.h"
#include "ui-cli/cmd/mcp/mcp-target.h"
#include "ui-cli/cmd/mcp/mcp-tools.h"
#include "ui-cli/print/entry.h"
#include "ui-cli/print/json-writer.h"

static void mcp_why_append_count(GString *out, const char *key, int64_t value)
{
	if (value > 0)
		json_int(out, key, value);
}

static void mcp_why_append_known(GString *object, const Info *info)
{
	g_autofree char *problem = entry_problem(info);
	json_bool(object, "indexed", true);
	mcp_append_text(object, "reason", problem, 600);
	mcp_append_place(object, info);
	mcp_append_facts(object, info);
	mcp_append_text(object, "lang", info->lang, 40);
	mcp_why_append_count(object, "pages", info->pages);
	mcp_why_append_count(object, "duration", info->seconds);
	mcp_append_text(object, "extractor", info->extractor, 100);
	mcp_why_append_count(object, "tries", info->tries);
}

/* May the client be told what the file system has there? */
static bool mcp_why_may_look(McpCall *call, const char *path)
{
	const McpSession *session = call->session;
	const GPtrArray *roots = cli_roots(session->cli, NULL);
	bool watched = false;
	for (guint i = 0; roots && i < roots->len && !watched; i++)
		watched = paths_is_below(path, roots->pdata[i]);
	return watched && !mcp_scope_has_filter(session->scope) &&
	       mcp_scope_path(session->scope, session->cli, path);
}

/* The reason that keeps a path out, if the client may not know more. The caller frees it. */
static char *mcp_why_not_shown(const McpCall *call)
{
	const McpScope *scope = call->session->scope;
	bool narrow = mcp_scope_has_roots(scope) || mcp_scope_has_filter(scope);
	return g_strdup(narrow ? "it is outside of what this server shows, hidden, or not indexed"
	                       : "it is not in a watched directory, or hidden");
}

/* The rule that keeps out a member of a container, or what lies in a watched directory. The caller
 * frees it. */
static char *mcp_why_rule(McpCall *call, const char *path, const char *member, GError **error)
{
	Cli *cli = call->session->cli;
	/* they may have changed since the server started */
	g_clear_pointer(&cli->settings, settings_free);
	const Settings *settings = cli_settings(cli, error);
	if (!settings)
		return NULL;
	if (member)
		return why_not_member(cli, settings, member);
	char *rule = why_not_kept_out(cli, settings, path);
	return rule ? rule
	            : g_strdup("no rule excludes it; it waits to be indexed, or tarsierd is not "
	                       "running");
}

/* A path is split into container and member only where the client may learn what exists. */
static bool mcp_why_unknown(McpCall *call, const char *name, GString *object, char **problem_r)
{
	g_autofree char *whole = cli_absolute(name), *path = NULL, *member = NULL, *rule = NULL;
	g_autoptr(GError) error = NULL;
	if (mcp_why_may_look(call, whole))
		target_split(whole, &path, &member);
	bool hidden = member && !mcp_scope_member(member);
	rule = path && !hidden ? mcp_why_rule(call, path, member, &error) : mcp_why_not_shown(call);
	if (!rule)
		return mcp_fail_tool(problem_r, error);
	json_bool(object, "indexed", false);
	mcp_append_text(object, "reason", rule, 4000);
	mcp_append_path(object, "path", path ? path : whole);
	if (member)
		mcp_append_path(object, "member", member);
	return true;
}

bool mcp_why(McpCall *call, const json_t *arguments, GString *object, char **problem_r)
{
	g_autofree char *name = mcp_target_name(json_object_get(arguments, "document"));
	g_autofree char *problem = NULL;
	g_autoptr(Info) info = mcp_target(call, name, &problem);
	if (info) {
		mcp_why_append_known(object, info);
		return true;
	}
	/* without an index there is nothing to tell */
	if (call->session->cli->reader && (*name == '/' || path_is_web(name)))
		return mcp_why_unknown(call, name, object, problem_r);
	*problem_r = g_steal_pointer(&problem);
	return false;
}
