/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/web.h"
#include "common/base/i18n.h"
#include "common/url/url-canonical.h"

static bool canonical_line(const Cli *cli, const GString *line, GString *out, void *base)
{
	g_autofree char *canonical = url_canonical(line->str, line->len, base, NULL);

	g_string_append(out, canonical ? canonical : "invalid");
	g_string_append_c(out, '\t');
	web_append(cli, out, line->str, line->len);
	g_string_append_c(out, '\n');
	return true;
}

int web_canonical(Cli *cli)
{
	const char *text = options_value(cli->args, "base");
	const char *reason = NULL;
	g_autoptr(Url) base = text ? url_parse(text, -1, NULL, &reason) : NULL;

	if (text && !base) {
		cli_say(_("--base: \"%s\" is not a URL: %s"), text, _(reason));
		return EXIT_USAGE;
	}
	web_each_line(cli, stdin, canonical_line, base);
	return EXIT_OK;
}
