/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/web.h"
#include "common/base/document-problem.h"
#include "common/base/i18n.h"
#include "ui-cli/app/convert-file.h"
#include "ui-cli/print/json-writer.h"
#include <string.h>

int web_report(const Cli *cli, const Document *doc, bool any)
{
	g_autofree char *problem = document_problem_text(doc->reason, doc->detail);

	if (problem)
		cli_note(cli, "%s: %s", cli_word(cli, 1), problem);
	if (!any)
		return EXIT_NOTHING;
	return doc->reason != REASON_NONE ? EXIT_PARTIAL : EXIT_OK;
}

static void json_value(GString *out, const char *key, const char *value)
{
	json_text(out, key, value && *value ? value : NULL);
}

static void json_entry(GString *out, const DocLink *link)
{
	g_auto(GStrv) parts = g_strsplit(link->text, "\t", 3);
	guint n = g_strv_length(parts);
	const char *priority = n > 2 ? parts[2] : "";

	json_open(out, NULL, '{');
	json_text(out, "kind", document_link_name(link->kind));
	json_text(out, "loc", link->href);
	json_value(out, "lastmod", n > 0 ? parts[0] : NULL);
	json_value(out, "changefreq", n > 1 ? parts[1] : NULL);
	if (*priority)
		json_double(out, "priority", g_ascii_strtod(priority, NULL));
	else
		json_nil(out, "priority");
	json_close(out, '}');
	g_string_append_c(out, '\n');
}

int web_sitemap(Cli *cli)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GString) out = g_string_new(NULL);
	g_autoptr(GPtrArray) docs =
	        convert_fetched(cli, cli_word(cli, 1), JOB_SITEMAP, NULL, &error);

	if (!docs)
		return cli_fail(error);
	const Document *doc = docs->pdata[0];
	for (guint i = 0; i < doc->links->len; i++)
		json_entry(out, &g_array_index(doc->links, DocLink, i));
	if (!cli->quiet)
		screen_put(&cli->out, out);
	if (doc->links->len == 0 && doc->reason == REASON_NONE)
		cli_note(cli, _("%s: the sitemap has no entries"), cli_word(cli, 1));
	return web_report(cli, doc, doc->links->len > 0);
}
