/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/commands.h"
#include "ui-cli/app/convert-file.h"
#include "ui-cli/app/doc-text.h"
#include "ui-cli/app/target.h"
#include "common/base/document-problem.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"

/* Tells why text is missing. */
static int cmd_extract_report(const Cli *cli, const Document *doc)
{
	g_autofree char *problem = document_problem_text(doc->reason, doc->detail);

	if (doc->state != STATE_FAILED && !doc->truncated)
		return EXIT_OK;
	cli_note(cli, "%s: %s", cli_word(cli, 0), problem ? problem : "");
	return doc->truncated || doc->text->len > 0 ? EXIT_PARTIAL : EXIT_NOTHING;
}

int cmd_extract(Cli *cli)
{
	DocTextForm form = {
	        .plain = options_has(cli->args, "plain"),
	        .noise = options_has(cli->args, "all"),
	        .body = !options_has(cli->args, "all"),
	        .escape = cli->out.terminal,
	};
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) docs = NULL;
	g_autoptr(GString) out = g_string_new(NULL);
	g_autofree char *path = NULL, *member = NULL;

	if (target_has_no_text(cli, cli_word(cli, 0)))
		return EXIT_NOTHING;
	target_split(cli_word(cli, 0), &path, &member);
	if (member || path_is_web(path)) {
		cli_say(_("extract reads whole files; \"tarsier show\" prints pages and members of "
		          "containers"));
		return EXIT_USAGE;
	}
	docs = convert_file(cli, path, &error);
	if (!docs)
		return cli_fail_file(error);
	doc_text_append(out, docs, &form);
	if (!cli->quiet)
		screen_put(&cli->out, out);
	return cmd_extract_report(cli, docs->pdata[0]);
}
