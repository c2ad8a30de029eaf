/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/web.h"
#include "common/base/i18n.h"
#include "common/url/robots-rules.h"
#include "ui-cli/app/convert-file.h"

static bool allowed_line(const Cli *cli, const GString *line, GString *out, void *rules)
{
	size_t length;
	bool needs_slash;
	const char *path = robots_url_path(line->str, line->len, &length, &needs_slash);
	g_autoptr(GString) whole = g_string_new(needs_slash ? "/" : NULL);

	g_string_append_len(whole, path, length);
	g_string_append(out, robots_rules_allow(rules, whole->str, whole->len) ? "allow" : "deny");
	g_string_append_c(out, '\t');
	web_append(cli, out, line->str, line->len);
	g_string_append_c(out, '\n');
	return true;
}

int web_allowed(Cli *cli)
{
	const char *file = options_value(cli->args, "robots");
	const char *agent = options_value(cli->args, "agent");
	g_autoptr(GError) error = NULL;

	if (!file || !agent) {
		cli_say(_("web allowed needs --robots FILE and --agent NAME"));
		return EXIT_USAGE;
	}
	g_autofree char *path = cli_absolute(file);
	g_autoptr(GPtrArray) docs = convert_fetched(cli, path, JOB_ROBOTS, NULL, &error);
	if (!docs)
		return cli_fail(error);
	const Document *doc = docs->pdata[0];
	if (doc->state == STATE_FAILED || doc->truncated)
		cli_note(cli, "%s: %s", file, document_reason_text(doc->reason));
	if (doc->state == STATE_FAILED)
		return EXIT_NOTHING;
	g_autoptr(RobotsRules) rules = robots_rules_new(doc, agent, ROBOTS_AS_WRITTEN);
	web_each_line(cli, stdin, allowed_line, rules);
	return doc->truncated ? EXIT_PARTIAL : EXIT_OK;
}
